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

interface Window {
  /** What all components of a tab share of their actions: see outbox.js. */
  bpeLabActions?: {
    tab: string;
    of: Map<string, import("./outbox.js").Outbox>;
    earlier: import("./outbox.js").Saved[];
    timer: number;
    idleSince: number;
  };
  /** Which of Streamlit's own widgets were touched, and the values noted since then, by id: see choices.js. */
  bpeLabChoices?: { path: string; touched: Set<string>; noted: Map<string, string> };
  /** The entry of the history that the tab shows: see entries.js. */
  bpeLabEntry?: import("./entries.js").Entry | null;
  /** The keys of a tab, and who takes them: see keys.js. */
  bpeLabKeys?: import("./keys.js").Keys;
  /** Which page the tab is leaving for: see navigation.js. */
  bpeLabLeaving?: { to: import("./navigation.js").Navigation | null };
  /** What the addresses of a tab share: see address.js. */
  bpeLabAddress?: {
    pace: import("./address/pace.js").Pace;
    timer: number;
    waiting: import("./address/query.js").AddressData | null;
    shown: import("./address/query.js").AddressData | null;
    popped: boolean;
    listens: boolean;
    resumed: boolean;
    known: WeakMap<HTMLElement, string>;
    order: [series: string, number: number];
  };
  /** What relays brought, and who draws it: see published.js. */
  bpeLabRelayed?: import("./published.js").Relayed;
  /** The step that the player shows, and who follows it: see current_step.js. */
  bpeLabFollowing?: import("./current_step.js").Following;
  /** The step that a view asked for while there was no player: see seek.js. */
  bpeLabGoTo?: number | undefined;
  /** The menu that the buttons of all views open: see pictures.js. */
  bpeLabPictures?: { menu: import("./pictures/menu.js").PictureMenu };
  /** plotly.js, once a chart has been in sight: see plot/library.js. */
  bpeLabPlotly?: Promise<import("./plot/library.js").Plotly> | undefined;
  /** The stage of a tab: see stage/show.js. */
  bpeLabStage?: import("./stage/show.js").Stage;
  /** Which characters no font has: see fonts.js. */
  bpeLabFonts?: import("./tokens/fonts.js").Fonts;
  /** Whether long_paste.js listens. */
  bpeLabLongPaste?: boolean;
}
