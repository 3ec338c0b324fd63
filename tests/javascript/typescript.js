// Lets Node, which need not know TypeScript before version 22.18, import the scripts of frontend/src:
//
//     node --import ./tests/javascript/typescript.js --test tests/javascript/*.test.js

import { readFile } from "node:fs/promises";
import { register } from "node:module";
import { isMainThread } from "node:worker_threads";
import { transform } from "esbuild";

const tsconfigRaw = await readFile(new URL("../../tsconfig.json", import.meta.url), "utf8");

if (isMainThread) register(import.meta.url); // Node loads this file once more, in the thread of the hooks

export async function load(url, context, nextLoad) {
  if (!new URL(url, "file:").pathname.endsWith(".ts")) return nextLoad(url, context);
  const text = await readFile(new URL(url), "utf8");
  const { code } = await transform(text, { loader: "ts", sourcefile: url, sourcemap: "inline", tsconfigRaw });
  return { format: "module", source: code, shortCircuit: true };
}
