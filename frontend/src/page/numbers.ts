// Numbers: formatting and bounds.

const formats = new Map<number | null, Intl.NumberFormat>(); // cached, because construction is slow

/**
 * Format a number with thousands separators.
 * @param digits decimal places; null: up to three, as needed
 * @returns "1,234" or "0.50"
 */
export function shownNumber(value: number, digits: number | null = null): string {
  let format = formats.get(digits);
  if (!format) {
    const places = digits === null ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits };
    formats.set(digits, (format = new Intl.NumberFormat("en", { ...places, signDisplay: "negative" }))); // no "-0"
  }
  return format.format(value);
}

/**
 * Range with an en dash, or one number if both ends are equal.
 * @returns "4" or "4–6"
 */
export function rangeOf(first: number, last: number): string {
  return first === last ? `${first}` : `${first}\u2013${last}`;
}

/** @param most takes precedence if less than `least` */
export function clamp(value: number, least: number, most: number) {
  return Math.min(most, Math.max(least, value));
}

/** First index of a sorted list whose value exceeds `limit`; the list's length if none does. */
export function firstOver(length: number, valueAt: (index: number) => number, limit: number) {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (valueAt(middle) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}
