// A page embedded in another one, of which a single card is shown: ?embed=1&card=merges, and with the theme that the URL
// names: &theme=dark. Streamlit's own ?embed=true is different: it hides less, and cannot select a card.

const asked = new URLSearchParams(globalThis.location?.search);

/** Whether this page is embedded. Its URL keeps the parameters: ../views/address/query.ts. */
export const isEmbedded = asked.get("embed") === "1";

/** Name of the card to show. */
export const cardAsked = asked.get("card") ?? "";

/** Parameters of embedding in a URL. */
export const OF_EMBEDDING = ["embed", "embed_options", "card", "theme"];

/** Have Streamlit take the theme of the URL. Call this before the app's own scripts run. */
export function takeTheme() {
  const theme = asked.get("theme") ?? "";
  if (!isEmbedded || !["light", "dark"].includes(theme)) return;
  const { pathname, href } = location;
  const { searchParams } = new URL(href);
  searchParams.delete("theme");
  searchParams.set("embed_options", `${theme}_theme`);
  history.replaceState(history.state, "", `${pathname}?${searchParams}`);
}
