// Change of a long text, sent instead of the text.

const SURROGATE = /[\ud800-\udfff]/;

/**
 * Change from one text to another: the characters start … end - 1 of the first are replaced. Null if a text has
 * characters that the server counts as one and the browser as two.
 */
export function editOf(before: string, after: string): [start: number, end: number, inserted: string] | null {
  if (SURROGATE.test(before) || SURROGATE.test(after)) return null;
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let [end, last] = [before.length, after.length];
  while (end > start && last > start && before.charCodeAt(end - 1) === after.charCodeAt(last - 1)) {
    end--;
    last--;
  }
  return [start, end, after.slice(start, last)];
}
