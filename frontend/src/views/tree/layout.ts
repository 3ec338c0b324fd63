// Layout of a merge tree: positions of its nodes, and their relations.

/** A tree as lists, level by level from the token down; -1 for no child. */
interface Children {
  left: number[];
  right: number[];
}

export type Size = [width: number, height: number];

/** Positions in pixels, from the left and the top of the drawing. */
export interface Layout {
  centres: number[];
  tops: number[];
  width: number;
  bottom: number;
}

export const GAP = 10; // pixels between neighbours
export const NARROW_GAP = 4; // in a tree that would not fit otherwise
export const LEVEL = 34; // pixels between one level's labels and the chips of the next
const CORNER = 6;

/** Parent of each node, -1 for the root, and its level, from 1. */
export function parentsOf({ left, right }: Children) {
  const parents = left.map(() => -1);
  const levels = left.map(() => 1);
  left.forEach((_, at) => {
    for (const child of [left[at], right[at]].filter((node) => node >= 0)) {
      parents[child] = at;
      levels[child] = levels[at] + 1;
    }
  });
  return { parents, levels };
}

/**
 * Lay out a tree: a subtree is as wide as its children side by side, or as its own chip if that is wider; base symbols
 * are in one row at the bottom.
 * @param sizes of the nodes
 * @param gap between neighbours, in pixels
 */
export function layoutOf({ left, right }: Children, sizes: Size[], gap = GAP): Layout {
  const widths: number[] = [];
  const heights: number[] = [];
  for (let at = left.length - 1; at >= 0; at--) {
    // children follow their parents in the lists
    const [own] = sizes[at];
    const [a, b] = [left[at], right[at]];
    widths[at] = a < 0 ? own : Math.max(own, widths[a] + gap + widths[b]);
    heights[at] = a < 0 ? 0 : 1 + Math.max(heights[a], heights[b]);
  }
  const { tops, bottom } = levelTops(heights, sizes);
  const lefts = [0];
  left.forEach((a, at) => {
    if (a < 0) return;
    const b = right[at];
    const spare = widths[at] - widths[a] - gap - widths[b];
    lefts[a] = lefts[at] + spare / 2;
    lefts[b] = lefts[a] + widths[a] + gap;
  });
  const centres: number[] = [];
  for (let at = left.length - 1; at >= 0; at--) {
    const middle = left[at] < 0 ? lefts[at] + widths[at] / 2 : (centres[left[at]] + centres[right[at]]) / 2;
    // a chip much wider than its subtree stays within its own width
    const half = sizes[at][0] / 2;
    centres[at] = Math.min(Math.max(middle, lefts[at] + half), lefts[at] + widths[at] - half);
  }
  return { centres, tops: heights.map((height) => tops[height]), width: widths[0], bottom };
}

/** Mirror a layout for a token that is read right to left: its first half is on the right. */
export function mirrored(layout: Layout): Layout {
  return { ...layout, centres: layout.centres.map((centre) => layout.width - centre) };
}

/**
 * Top of each level, the level with the tallest subtrees first, and the bottom of the last.
 * @param heights of the nodes: number of levels below each
 */
function levelTops(heights: number[], sizes: Size[]) {
  const tallest: number[] = [];
  heights.forEach((height, at) => {
    tallest[height] = Math.max(tallest[height] ?? 0, sizes[at][1]);
  });
  const tops: number[] = [];
  let bottom = 0;
  for (let height = heights[0]; height >= 0; height--) {
    tops[height] = bottom;
    bottom += (tallest[height] ?? 0) + (height ? LEVEL : 0);
  }
  return { tops, bottom };
}

/**
 * Line from the bottom of a node to its child, with rounded corners.
 * @returns an SVG path
 */
export function edgePath(x0: number, y0: number, x1: number, y1: number): string {
  const bend = y0 + LEVEL / 2;
  const corner = Math.min(CORNER, Math.abs(x1 - x0) / 2);
  if (corner < 1) return `M${x0} ${y0}V${y1}`;
  const side = Math.sign(x1 - x0) * corner;
  return `M${x0} ${y0}V${bend - corner}q0 ${corner} ${side} ${corner}H${x1 - side}q${side} 0 ${side} ${corner}V${y1}`;
}

/** Reading order of a tree: the token, its left half, its right half. */
export function readingOrder({ left, right }: Children) {
  const order = [];
  const pending = [0];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    order.push(at);
    if (left[at] >= 0) pending.push(right[at], left[at]);
  }
  return order;
}

/** Nodes without children, from left to right. */
export function leavesOf({ left }: Children, centres: number[]) {
  return [...left.keys()].filter((at) => left[at] < 0).sort((a, b) => centres[a] - centres[b]);
}

const SMALLEST = 0.7; // leaves 9 pixels of a label of 13

/** Scale of a drawing in its available area: at most 1, and not below the legible minimum. */
export function scaleThatFits([width, height]: Size, [roomAcross, roomDown]: Size) {
  const fits = Math.min(1, roomAcross / width, roomDown / height);
  return fits >= 1 ? 1 : Math.max(Math.floor(fits * 100) / 100, SMALLEST);
}
