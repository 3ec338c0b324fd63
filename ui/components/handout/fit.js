// @ts-check
// How large something is drawn so that it fits one page: the paper of A4 is narrower, that of US Letter is lower.

const INCH = 96; // pixels
const MILLIMETRE = INCH / 25.4;
const MARGIN = 12 * MILLIMETRE; // as @page has it in ui/lessons/handout.css
const ROUNDED = 6; // pixels that browsers round off, and a border

export const PAGE = {
  width: Math.floor(210 * MILLIMETRE - 2 * MARGIN),
  height: Math.floor(11 * INCH - 2 * MARGIN) - ROUNDED,
};
export const LARGEST = 1.3;
const SMALLEST = 0.2;
const STEP = 0.95; // from one try to the next

/**
 * The largest scale at which a page is not too high, and at least the smallest.
 * @param {(width: number) => number} heightAt how high it is when it is laid out in this width, in pixels before scaling
 */
export function scaleOf(heightAt) {
  let scale = LARGEST;
  while (scale > SMALLEST && heightAt(PAGE.width / scale) > PAGE.height / scale) scale *= STEP;
  return scale;
}
