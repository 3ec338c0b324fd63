// Reads texts in base symbols and steps, one JSON object per line, and writes their tokens at these steps: for the test
// that compares them with the core's.

import { createInterface } from "node:readline";
import "./typescript.js";

const { Replay } = await import("../../frontend/src/tokens/replay.ts");

for await (const line of createInterface({ input: process.stdin })) {
  const { symbols, steps } = JSON.parse(line);
  const replay = new Replay(symbols);
  const tokens = steps.map((step) => {
    const { body, fresh } = replay.at(step);
    return { body, fresh };
  });
  process.stdout.write(JSON.stringify(tokens) + "\n");
}
