// Ticks of an axis from 0 on.

/**
 * Round numbers from 0 to at most a value, with equal distances: 1, 2 or 5 times a power of ten.
 * @param count of the distances, at most
 * @returns ticksOf(2600, 4) is [0, 1000, 2000]
 */
export function ticksOf(most: number, count: number): number[] {
  if (!(most > 0)) return [0];
  const power = 10 ** Math.floor(Math.log10(most / count));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => most / each <= count) ?? 10 * power;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => Number((at * step).toPrecision(12)));
}
