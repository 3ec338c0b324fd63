// @ts-check
// What a click on a word below a text area makes of the text.

/**
 * A text with a word in place of what is selected, with spaces around it where there are none.
 * @param {string} text
 * @param {number} start of the selection, in UTF-16 units
 * @param {number} end
 * @param {string} word
 */
export function withWord(text, start, end, word) {
  const before = text.slice(0, start);
  const after = text.slice(end);
  const joined = before + (/\S$/.test(before) ? " " : "") + word;
  return { text: joined + (/^\S/.test(after) ? " " : "") + after, caret: joined.length };
}
