// Insertion of a word into a text area by a click.

/**
 * Text with the selection replaced by a word, with spaces added around it where missing.
 * @param start of the selection, in UTF-16 units
 */
export function withWord(text: string, start: number, end: number, word: string) {
  const before = text.slice(0, start);
  const after = text.slice(end);
  const joined = before + (/\S$/.test(before) ? " " : "") + word;
  return { text: joined + (/^\S/.test(after) ? " " : "") + after, caret: joined.length };
}
