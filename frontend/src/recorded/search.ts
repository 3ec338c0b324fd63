// Search in a table of tokens: the rows whose token contains a text, or its bytes in hex.

import type { Frame } from "./recording.ts";

interface Column {
  title: string;
  name?: string;
  cells: unknown[];
  tones: string[];
}

interface Body {
  rows: number;
  columns: Column[];
}

/**
 * The rows of a table's frame that a text is found in, as a frame; the frame itself for an empty text.
 * @param of title in English of the column with the tokens
 */
export function foundIn(frame: Frame, wanted: string, of: string): Frame {
  if (!wanted) return frame;
  const [head, body] = frame as [Frame[0], Body];
  const column = (title: string) => body.columns.find(({ title: shown, name = shown }) => name === title)?.cells ?? [];
  const [tokens, bytes] = [column(of), column("Bytes")];
  const hex = wanted.replace(/\s+/g, "").toUpperCase();
  const rows = tokens.flatMap((token, row) => {
    const holds = textOf(token).includes(wanted) || holdsBytes(String(bytes[row]), hex);
    return holds ? [row] : [];
  });
  const columns = body.columns.map((each) => ({
    ...each,
    cells: rows.map((row) => each.cells[row]),
    tones: each.tones.length ? rows.map((row) => each.tones[row]) : [],
  }));
  return [{ ...head, rev: `${head.rev} ${wanted}` }, { rows: rows.length, columns }];
}

/** Text of a token as it is sent: a text, [id, text], or [id, pieces of text or hex, …]. */
function textOf(token: unknown): string {
  if (!Array.isArray(token)) return String(token);
  const [, shown] = token;
  return Array.isArray(shown) ? shown.map(([text, isHex]) => (isHex ? "" : text)).join("") : String(shown);
}

/** Whether bytes in hex, "6C 6F", contain others, which begin with a whole byte. */
function holdsBytes(bytes: string, hex: string): boolean {
  if (!/^([0-9A-F]{2})+$/.test(hex)) return false;
  return ` ${bytes}`.includes(` ${hex.replace(/..(?=.)/g, "$& ")}`);
}
