// @ts-check
// Query of the URL, and which changes get a history entry.

/**
 * `order` numbers the messages of one session.
 * @typedef {{ query: string, whole: boolean, path: string, paths: string[], place: string, name: string, page: string,
 *   others?: Record<string, string> | null, order: [series: string, number: number],
 *   done?: import("../../bridge/outbox.js").Answers, language?: string }} AddressData
 */

const KEPT = ["embed", "embed_options"]; // Streamlit's own parameters

/**
 * Query for the URL.
 * @param {string} now current query of the URL
 * @param {string} wanted query of the page's state
 * @returns {string} "" or "?…"
 */
export function queryOf(now, wanted) {
  const own = [...new URLSearchParams(now)].filter(([key]) => KEPT.includes(key));
  const query = [new URLSearchParams(own).toString(), wanted].filter(Boolean).join("&");
  return query && `?${query}`;
}

/**
 * Whether a URL still belongs to the page that sent this data.
 * @param {string} pathname of the URL
 * @param {AddressData} data
 */
export function isHere(pathname, { paths, path }) {
  const name = pathname.split("/").pop() ?? "";
  return (paths.includes(name) ? name : "") === path;
}

/**
 * Whether the change gets a history entry: a different lesson does, a different step does not.
 * @param {AddressData | null} shown
 * @param {AddressData} next
 */
export function isAnotherPlace(shown, next) {
  return shown?.path === next.path && shown.place !== next.place;
}
