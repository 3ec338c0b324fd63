// Change of a long text, sent instead of the text.

const SURROGATE = /[\ud800-\udfff]/;

/**
 * Change from one text to another: the characters start … end - 1 of the first are replaced. Null if a text has
 * characters that the server counts as one and the browser as two.
 */
export function editOf(before: string, after: string): [start: number, end: number, inserted: string] | null {
  if (SURROGATE.test(before) || SURROGATE.test(after)) return null;
  const shorter = Math.min(before.length, after.length);
  const start = longest(shorter, (from, to) => before.slice(from, to) === after.slice(from, to));
  const same = longest(
    shorter - start,
    (from, to) => before.slice(before.length - to, before.length - from) === after.slice(after.length - to, after.length - from),
  );
  return [start, before.length - same, after.slice(start, after.length - same)];
}

/** Length of the common text up to a limit, compared in parts that become smaller. */
function longest(most: number, isSame: (from: number, to: number) => boolean) {
  let found = 0;
  for (let size = 1 << 16; size; size >>= 1) while (found + size <= most && isSame(found, found + size)) found += size;
  return found;
}
