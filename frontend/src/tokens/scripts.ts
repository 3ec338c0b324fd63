// Scripts of characters, for the notice on missing fonts: which characters need a font, and which script they belong
// to.

import { listOf, t, tn } from "../i18n/words.ts";
import { showsItself } from "./marks.ts";

const NEEDS_NONE = /[\p{ASCII}\p{Emoji_Modifier}]/u;

// Unicode scripts by Unicode's own names, each with its code. Characters of a script that the browser does not know yet
// count as another script's.
export const SCRIPTS = new Map(
  (
    "Adlam:Adlm Ahom:Ahom Anatolian_Hieroglyphs:Hluw Arabic:Arab Armenian:Armn Avestan:Avst Balinese:Bali Bamum:Bamu " +
    "Bassa_Vah:Bass Batak:Batk Bengali:Beng Bhaiksuki:Bhks Bopomofo:Bopo Brahmi:Brah Braille:Brai Buginese:Bugi " +
    "Buhid:Buhd Canadian_Aboriginal:Cans Carian:Cari Caucasian_Albanian:Aghb Chakma:Cakm Cham:Cham Cherokee:Cher " +
    "Chorasmian:Chrs Coptic:Copt Cuneiform:Xsux Cypriot:Cprt Cypro_Minoan:Cpmn Cyrillic:Cyrl Deseret:Dsrt " +
    "Devanagari:Deva Dives_Akuru:Diak Dogra:Dogr Duployan:Dupl Egyptian_Hieroglyphs:Egyp Elbasan:Elba Elymaic:Elym " +
    "Ethiopic:Ethi Garay:Gara Georgian:Geor Glagolitic:Glag Gothic:Goth Grantha:Gran Greek:Grek Gujarati:Gujr " +
    "Gunjala_Gondi:Gong Gurmukhi:Guru Gurung_Khema:Gukh Han:Hani Hangul:Hang Hanifi_Rohingya:Rohg Hanunoo:Hano " +
    "Hatran:Hatr Hebrew:Hebr Hiragana:Hira Imperial_Aramaic:Armi Inscriptional_Pahlavi:Phli " +
    "Inscriptional_Parthian:Prti Javanese:Java Kaithi:Kthi Kannada:Knda Katakana:Kana Kawi:Kawi Kayah_Li:Kali " +
    "Kharoshthi:Khar Khitan_Small_Script:Kits Khmer:Khmr Khojki:Khoj Khudawadi:Sind Kirat_Rai:Krai Lao:Laoo " +
    "Latin:Latn Lepcha:Lepc Limbu:Limb Linear_A:Lina Linear_B:Linb Lisu:Lisu Lycian:Lyci Lydian:Lydi Mahajani:Mahj " +
    "Makasar:Maka Malayalam:Mlym Mandaic:Mand Manichaean:Mani Marchen:Marc Masaram_Gondi:Gonm Medefaidrin:Medf " +
    "Meetei_Mayek:Mtei Mende_Kikakui:Mend Meroitic_Cursive:Merc Meroitic_Hieroglyphs:Mero Miao:Plrd Modi:Modi " +
    "Mongolian:Mong Mro:Mroo Multani:Mult Myanmar:Mymr Nabataean:Nbat Nag_Mundari:Nagm Nandinagari:Nand " +
    "New_Tai_Lue:Talu Newa:Newa Nko:Nkoo Nushu:Nshu Nyiakeng_Puachue_Hmong:Hmnp Ogham:Ogam Ol_Chiki:Olck " +
    "Ol_Onal:Onao Old_Hungarian:Hung Old_Italic:Ital Old_North_Arabian:Narb Old_Permic:Perm Old_Persian:Xpeo " +
    "Old_Sogdian:Sogo Old_South_Arabian:Sarb Old_Turkic:Orkh Old_Uyghur:Ougr Oriya:Orya Osage:Osge Osmanya:Osma " +
    "Pahawh_Hmong:Hmng Palmyrene:Palm Pau_Cin_Hau:Pauc Phags_Pa:Phag Phoenician:Phnx Psalter_Pahlavi:Phlp " +
    "Rejang:Rjng Runic:Runr Samaritan:Samr Saurashtra:Saur Sharada:Shrd Shavian:Shaw Siddham:Sidd SignWriting:Sgnw " +
    "Sinhala:Sinh Sogdian:Sogd Sora_Sompeng:Sora Soyombo:Soyo Sundanese:Sund Sunuwar:Sunu Syloti_Nagri:Sylo " +
    "Syriac:Syrc Tagalog:Tglg Tagbanwa:Tagb Tai_Le:Tale Tai_Tham:Lana Tai_Viet:Tavt Takri:Takr Tamil:Taml " +
    "Tangsa:Tnsa Tangut:Tang Telugu:Telu Thaana:Thaa Thai:Thai Tibetan:Tibt Tifinagh:Tfng Tirhuta:Tirh Todhri:Todr " +
    "Toto:Toto Tulu_Tigalari:Tutg Ugaritic:Ugar Vai:Vaii Vithkuqi:Vith Wancho:Wcho Warang_Citi:Wara Yezidi:Yezi " +
    "Yi:Yiii Zanabazar_Square:Zanb"
  )
    .split(" ")
    .map((each) => each.split(":") as [name: string, code: string]),
);

const scriptPatterns = new Map<string, RegExp | null>();

/** Whether a character needs a font that some machines lack. */
export function needsFont(char: string) {
  return showsItself(char) && !NEEDS_NONE.test(char);
}

/** Script of a character in readable form; "" for characters without a script, such as emoji. */
export function scriptOf(char: string) {
  return knownScriptOf(char).replaceAll("_", " ");
}

function knownScriptOf(char: string) {
  for (const name of SCRIPTS.keys()) if (patternOf(name)?.test(char)) return name;
  return "";
}

/**
 * Name of a script in a language; Unicode's own name in English, and if the browser has no translation.
 * @param script result of `scriptOf`
 */
export function scriptIn(script: string, language: string) {
  const code = SCRIPTS.get(script.replaceAll(" ", "_"));
  if (!code || !language || language.startsWith("en")) return script;
  return new Intl.DisplayNames([language], { type: "script", fallback: "none" }).of(code) ?? script;
}

function patternOf(name: string) {
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
 * One-line notice about characters without a font; "" for none.
 * @param chars distinct characters
 * @param language of the page
 */
export function noticeOf(chars: string[], language: string = globalThis.document?.documentElement.lang ?? "en") {
  if (!chars.length) return "";
  const scripts = [...new Set(chars.map(scriptOf))];
  const named = scripts.filter(Boolean).map((script) => scriptIn(script, language));
  const rest = named.length - SCRIPTS_NAMED;
  const all = rest > 0 ? [...named.slice(0, SCRIPTS_NAMED - 1), t("{count} more scripts", { count: rest + 1 })] : named;
  if (scripts.includes("") && rest <= 0) all.push(named.length ? t("some signs") : t("these signs"));
  return tn(
    "No font here for {scripts}: 1 character is shown by code point. Install one, such as a Noto font.",
    "No font here for {scripts}: {count} different characters are shown by code point. Install one, such as a Noto font.",
    chars.length,
    { scripts: listOf(all), count: chars.length },
  );
}
