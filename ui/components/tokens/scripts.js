// @ts-check
// What the characters of a text are, as far as a missing font is concerned: which of them need one, and whose they are.

const NEEDS_NONE = /[\p{ASCII}\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}\u20e3]/u;

// Those of Unicode, by its own names; a browser that does not know one yet takes its characters for others.
const SCRIPTS = (
  "Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Bhaiksuki Bopomofo " +
  "Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee Chorasmian Coptic " +
  "Cuneiform Cypriot Cypro_Minoan Cyrillic Deseret Devanagari Dives_Akuru Dogra Duployan Egyptian_Hieroglyphs Elbasan " +
  "Elymaic Ethiopic Garay Georgian Glagolitic Gothic Grantha Greek Gujarati Gunjala_Gondi Gurmukhi Gurung_Khema Han " +
  "Hangul Hanifi_Rohingya Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic Inscriptional_Pahlavi Inscriptional_Parthian " +
  "Javanese Kaithi Kannada Katakana Kawi Kayah_Li Kharoshthi Khitan_Small_Script Khmer Khojki Khudawadi Kirat_Rai Lao " +
  "Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani Makasar Malayalam Mandaic Manichaean Marchen " +
  "Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mongolian Mro " +
  "Multani Myanmar Nabataean Nag_Mundari Nandinagari New_Tai_Lue Newa Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki " +
  "Ol_Onal Old_Hungarian Old_Italic Old_North_Arabian Old_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic " +
  "Old_Uyghur Oriya Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic " +
  "Samaritan Saurashtra Sharada Shavian Siddham SignWriting Sinhala Sogdian Sora_Sompeng Soyombo Sundanese Sunuwar " +
  "Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Takri Tamil Tangsa Tangut Telugu Thaana Thai Tibetan " +
  "Tifinagh Tirhuta Todhri Toto Tulu_Tigalari Ugaritic Vai Vithkuqi Wancho Warang_Citi Yezidi Yi Zanabazar_Square"
).split(" ");

/** @type {Map<string, RegExp | null>} */
const scriptPatterns = new Map();

/**
 * Whether nothing but a font can show a character, and not every machine has one.
 * @param {string} char
 */
export function needsFont(char) {
  return !NEEDS_NONE.test(char);
}

/**
 * The script of a character as people write it, "" for one that belongs to none, such as an emoji.
 * @param {string} char
 */
export function scriptOf(char) {
  return (SCRIPTS.find((name) => patternOf(name)?.test(char)) ?? "").replaceAll("_", " ");
}

/** @param {string} name */
function patternOf(name) {
  const known = scriptPatterns.get(name);
  if (known !== undefined) return known;
  let pattern = null;
  try {
    pattern = new RegExp(`^\\p{Script=${name}}`, "u");
  } catch {
    // newer than the browser
  }
  scriptPatterns.set(name, pattern);
  return pattern;
}

const SCRIPTS_NAMED = 4;

/**
 * What is said of characters that no font has, in one line; "" where there are none.
 * @param {string[]} chars different ones
 */
export function noticeOf(chars) {
  if (!chars.length) return "";
  const scripts = [...new Set(chars.map(scriptOf))];
  const named = scripts.filter(Boolean);
  const count = chars.length === 1 ? "1 character is" : `${chars.length} different characters are`;
  const rest = named.length - SCRIPTS_NAMED;
  const all = rest > 0 ? [...named.slice(0, SCRIPTS_NAMED - 1), `${rest + 1} more scripts`] : named;
  if (scripts.includes("") && rest <= 0) all.push(named.length ? "some signs" : "these signs");
  const listed = all.length > 1 ? `${all.slice(0, -1).join(", ")} and ${all.at(-1)}` : all[0];
  return `No font here for ${listed}: ${count} shown by code point. Install one, such as those called Noto.`;
}
