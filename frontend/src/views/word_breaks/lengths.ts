// Words by the browser's own dictionary. Independent of the page.

/** Length of each segment of a text in code points, as in Python: "2,1,3". */
export function wordLengths(text: string) {
  const segments = new Intl.Segmenter("ja", { granularity: "word" }).segment(text); // one dictionary for Chinese, too
  return Array.from(segments, ({ segment }) => [...segment].length).join(",");
}
