// What Streamlit hands to a script, and what scripts add to the page's elements. Types only: nothing of this file
// reaches the page.

/** The argument of a component's default function. */
interface Mount<Data = Uint8Array, Place = HTMLElement> {
  data: Data;
  parentElement: Place;
  setStateValue: Tell;
  setTriggerValue: Tell;
}

type Tell = (name: string, value: unknown) => void;

/** Elements remember what they draw. */
interface HTMLElement {
  /** A token's place among those that were sent. */
  token?: number;
  /** A row of a table, a lane of a group. */
  row?: number;
  /** What a token or a text is, for ../lights: `keyOf` in tokens/spans.ts. */
  key?: string;
  /** A node of a tree. */
  node?: number;
}

declare module "*.css" {
  const style: string;
  export default style;
}
