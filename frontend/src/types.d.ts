// What Python sends, and what Streamlit hands to a script. Types only: nothing of this file reaches the page.

/** The argument of a component's default function. */
interface Mount<Data = Uint8Array> {
  data: Data;
  parentElement: HTMLElement;
  setStateValue: Tell;
  setTriggerValue: Tell;
}

type Tell = (name: string, value: unknown) => void;

/** [char, first, last, of, hex]: the bytes first … last, from 1, of a character that has `of` of them. */
type CharacterPart = [char: string, first: number, last: number, of: number, hex: string];

/** [shown, is hex] */
type Piece = [shown: string, isHex: number | boolean];

/** A token by itself; a text alone, or pieces. */
type ChipWire = [id: number, pieces: string | Piece[], above?: string, special?: number];

/** `TokenSpans.payload()` */
interface TokensBody {
  first: number;
  total: number;
  ids: number[];
  texts: string[];
  char: number;
  steps: number[];
  heads: Record<number, number>;
  tails: Record<number, number>;
  parts: CharacterPart[];
  gaps: Record<number, string>;
  labels: Record<number, string>;
  notes: Record<number, string>;
  special: number[];
  words: number[]; // tokens that begin a word of the split
}

interface CaptionsHead {
  title: string;
  rest: string;
  caption: string;
}

/** Elements remember what they draw. */
interface HTMLElement {
  /** A token's place among those that were sent. */
  token?: number;
  /** A row of a table, a lane of a group. */
  row?: number;
  /** A node of a tree. */
  node?: number;
}

/** The app's script: main.js. */
declare var bpeLab: {
  draw: (
    component: Mount<any> & { parentElement: ShadowRoot },
    script: string,
  ) => (() => void) | Promise<() => void> | undefined;
  actions: () => import("./bridge/outbox.js").Actions;
  choices: typeof import("./bridge/choices.js").choicesInTab;
  following: import("./bridge/current_step.js").Following;
  fonts: import("./tokens/fonts.js").Fonts;
};

declare module "*.css" {
  const style: string;
  export default style;
}
