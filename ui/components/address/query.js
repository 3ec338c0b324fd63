// @ts-check
// The address of what is shown, and whether it is a place of its own in the history.

/**
 * `order` counts what one session said.
 * @typedef {{ query: string, whole: boolean, path: string, paths: string[], place: string, name: string, page: string,
 *   others?: Record<string, string> | null, order: [series: string, number: number],
 *   done?: import("../actions.js").Answers, language?: string }} AddressData
 */

const KEPT = ["embed", "embed_options"]; // Streamlit's own parameters

/**
 * The query that the address gets.
 * @param {string} now the query that it has
 * @param {string} wanted what is shown, as the page writes it
 * @returns {string} "" or "?…"
 */
export function queryOf(now, wanted) {
  const own = [...new URLSearchParams(now)].filter(([key]) => KEPT.includes(key));
  const query = [new URLSearchParams(own).toString(), wanted].filter(Boolean).join("&");
  return query && `?${query}`;
}

/**
 * Whether an address is still that of the page which asks for another one.
 * @param {string} pathname of the address
 * @param {AddressData} data
 */
export function isHere(pathname, { paths, path }) {
  const name = pathname.split("/").pop() ?? "";
  return (paths.includes(name) ? name : "") === path;
}

/**
 * Whether Back has to lead to what was shown before: to another lesson, but not to another step.
 * @param {AddressData | null} shown
 * @param {AddressData} next
 */
export function isAnotherPlace(shown, next) {
  return shown?.path === next.path && shown.place !== next.place;
}
