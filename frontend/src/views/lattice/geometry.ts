// Layout of a lattice's nodes and edges, and the labels of its edges.

import { shownNumber } from "../../page/numbers.ts";
import { chipReading, type ChipWire } from "../../tokens/spans.ts";
import { t } from "../../i18n/words.ts";

/**
 * An edge between two nodes: its score, the best total up to its end, whether it is on the best path to its end,
 * whether it is on the best path of the whole word, and whether it represents a character that no piece covers.
 */
type EdgeWire = [
  start: number,
  end: number,
  score: number,
  total: number,
  best: number,
  chosen: number,
  unknown?: number,
];

export interface LatticeBody {
  length: number;
  edges: EdgeWire[];
  chips: ChipWire[];
  lanes: number[];
  totals: (number | null)[];
}

export type Size = [width: number, height: number];

const LEAST = 52; // pixels between two nodes
const MOST = 150;
const LANE = 38; // pixels between two lanes
const FIRST = 50; // pixels between the line and the first lane, for the scores of single characters
const PAD = 18;
const CORNER = 8;
const CHIP = 24; // the height of a chip
const ABOVE = 34; // space for the label of the topmost lane
const BELOW = 42; // space for the totals below the line

/** Positions in a lattice, in pixels; the nodes are on one line, and every lane above it has a fixed height. */
export class LatticeGeometry {
  private readonly edges: EdgeWire[];
  private readonly lanes: number[];
  private readonly sizes: Size[];
  readonly slot: number;
  readonly base: number;
  readonly width: number;
  readonly height: number;

  /** @param sizes of the edge labels */
  constructor({ length, edges, lanes }: LatticeBody, sizes: Size[]) {
    this.edges = edges;
    this.lanes = lanes;
    this.sizes = sizes;
    const widest = edges.reduce((most, [start, end], at) => {
      const air = lanes[at] ? 32 : 14;
      return Math.max(most, (sizes[at][0] + air) / (end - start));
    }, LEAST);
    this.slot = Math.min(MOST, widest);
    this.base = Math.max(...[0, ...lanes].map(laneHeight)) + ABOVE;
    this.width = 2 * PAD + length * this.slot;
    this.height = this.base + BELOW;
  }

  /** Horizontal position of a node. */
  x(node: number) {
    return PAD + node * this.slot;
  }

  /** Top left corner of an edge's label. */
  label(at: number) {
    const [start, end] = this.edges[at];
    const [width, height] = this.sizes[at];
    const lane = this.lanes[at];
    return {
      left: (this.x(start) + this.x(end) - width) / 2,
      top: lane ? this.base - laneHeight(lane) - height / 2 : this.base - height + CHIP / 2,
    };
  }

  /** Line of an edge, as an SVG path. */
  path(at: number) {
    const { base } = this;
    const [from, to] = [this.x(this.edges[at][0]), this.x(this.edges[at][1])];
    if (!this.lanes[at]) return `M${from} ${base}H${to}`;
    const y = base - laneHeight(this.lanes[at]);
    const up = `M${from} ${base}V${y + CORNER}q0 ${-CORNER} ${CORNER} ${-CORNER}`;
    return `${up}H${to - CORNER}q${CORNER} 0 ${CORNER} ${CORNER}V${base}`;
  }
}

/** @param lane 0: the line itself */
function laneHeight(lane: number) {
  return lane ? FIRST + (lane - 1) * LANE : 0;
}

/** Edges in drawing order: the best path last, on top. */
export function drawingOrder(edges: EdgeWire[]) {
  const weight = ([, , , , best, chosen]: EdgeWire) => 2 * chosen + best;
  return [...edges.keys()].sort((a, b) => weight(edges[a]) - weight(edges[b]));
}

/** Nodes on the best path. */
export function passedNodes(edges: EdgeWire[]) {
  return new Set([0, ...edges.filter((edge) => edge[5]).map((edge) => edge[1])]);
}

export function shownScore(score: number) {
  return shownNumber(score, 2);
}

/** Accessible name of an edge. */
export function spokenEdge([start, end, score, total, best, chosen, unknown]: EdgeWire, chip: ChipWire) {
  const fate = chosen
    ? t("on the best path")
    : best
      ? t("the best path to its end, but not on the best path of the word")
      : t("not the best path to its end");
  const place =
    end - start === 1
      ? t("character {number}", { number: end })
      : t("characters {first} to {last}", { first: start + 1, last: end });
  const values = { piece: chipReading(chip), score: shownScore(score), place, total: shownScore(total), fate };
  return unknown
    ? t("{piece} {score}, the score of {place}, not a piece, {total} up to its end, {fate}", values)
    : t("{piece} {score}, the score of {place}, {total} up to its end, {fate}", values); // begins with the visible text
}
