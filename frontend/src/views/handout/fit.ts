// Scale at which content fits one page: A4 paper is narrower, US Letter is shorter.

const INCH = 96; // pixels
const MILLIMETRE = INCH / 25.4;
const MARGIN = 12 * MILLIMETRE; // same as @page in ui/lessons/handout.css
const ROUNDED = 6; // pixels of rounding in browsers, and a border

export const PAGE = {
  width: Math.floor(210 * MILLIMETRE - 2 * MARGIN),
  height: Math.floor(11 * INCH - 2 * MARGIN) - ROUNDED,
};
export const LARGEST = 1.3;
const SMALLEST = 0.2;
const STEP = 0.95; // factor between two tries

/**
 * Largest scale at which the content fits the page's height, but at least SMALLEST.
 * @param heightAt height of the content laid out in this width, in pixels before scaling
 */
export function scaleOf(heightAt: (width: number) => number) {
  let scale = LARGEST;
  while (scale > SMALLEST && heightAt(PAGE.width / scale) > PAGE.height / scale) scale *= STEP;
  return scale;
}
