// @ts-check
// Numbers: as people read them, and kept within bounds.

/** @type {Map<number | null, Intl.NumberFormat>} */
const formats = new Map(); // making one is slow, using it is not

/**
 * A number with thousands separators.
 * @param {number} value
 * @param {number | null} [digits] decimal places; null: as it is, up to three
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
 * A range with an en dash, one number where both ends are the same.
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
 * @param {number} most wins where it is under `least`
 */
export function clamp(value, least, most) {
  return Math.min(most, Math.max(least, value));
}

/**
 * First index of a sorted list whose value is over `limit`; its length where none is.
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
