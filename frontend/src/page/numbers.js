// @ts-check
// Numbers: formatting and bounds.

/** @type {Map<number | null, Intl.NumberFormat>} */
const formats = new Map(); // cached, because construction is slow

/**
 * Format a number with thousands separators.
 * @param {number} value
 * @param {number | null} [digits] decimal places; null: up to three, as needed
 * @returns {string} "1,234" or "0.50"
 */
export function shownNumber(value, digits = null) {
  let format = formats.get(digits);
  if (!format) {
    const places = digits === null ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits };
    formats.set(digits, (format = new Intl.NumberFormat("en", { ...places, signDisplay: "negative" }))); // no "-0"
  }
  return format.format(value);
}

/**
 * Range with an en dash, or one number if both ends are equal.
 * @param {number} first
 * @param {number} last
 * @returns {string} "4" or "4–6"
 */
export function rangeOf(first, last) {
  return first === last ? `${first}` : `${first}\u2013${last}`;
}

/**
 * @param {number} value
 * @param {number} least
 * @param {number} most takes precedence if less than `least`
 */
export function clamp(value, least, most) {
  return Math.min(most, Math.max(least, value));
}

/**
 * First index of a sorted list whose value exceeds `limit`; the list's length if none does.
 * @param {number} length
 * @param {(index: number) => number} valueAt
 * @param {number} limit
 */
export function firstOver(length, valueAt, limit) {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (valueAt(middle) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}
