// Query of the URL, and which changes get a history entry.

import type { Answers } from "../../bridge/outbox.ts";

/** `order` numbers the messages of one session; `undone`: what the server had accepted when it last opened a URL. */
export interface AddressData {
  query: string;
  whole: boolean;
  path: string;
  paths: string[];
  place: string;
  name: string;
  page: string;
  others?: Record<string, string> | null;
  order: [series: string, number: number];
  done?: Answers;
  undone?: Answers;
  language?: string;
}

const KEPT = ["embed", "embed_options"]; // Streamlit's own parameters
const KEPT_EMBEDDED = [...KEPT, "card"];

/**
 * Query for the URL.
 * @param now current query of the URL
 * @param wanted query of the page's state
 * @returns "" or "?…"
 */
export function queryOf(now: string, wanted: string): string {
  const params = new URLSearchParams(now);
  const kept = params.get("embed") === "1" ? KEPT_EMBEDDED : KEPT;
  const own = [...params].filter(([key]) => kept.includes(key));
  const query = [new URLSearchParams(own).toString(), wanted].filter(Boolean).join("&");
  return query && `?${query}`;
}

/**
 * Whether a URL still belongs to the page that sent this data.
 * @param pathname of the URL
 */
export function isHere(pathname: string, { paths, path }: AddressData) {
  const name = pathname.split("/").pop() ?? "";
  return (paths.includes(name) ? name : "") === path;
}

/** Whether the change gets a history entry: a different lesson does, a different step does not. */
export function isAnotherPlace(shown: AddressData | null, next: AddressData) {
  return shown?.path === next.path && shown.place !== next.place;
}
