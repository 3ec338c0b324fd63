// Bundles the scripts and styles of frontend/src into ui/static, which is committed: the app itself needs no Node.
//
//     npm run build
//
// Beside the bundle, words.json lists its texts, for the catalogues: [text] or [text, plural].

import { readFile, writeFile } from "node:fs/promises";
import { build, transform } from "esbuild";
import ts from "typescript";

const OUT = process.argv[2] ?? new URL("../ui/static", import.meta.url).pathname;
const TRANSLATES = { t: 1, partsOf: 1, tn: 2 }; // number of texts among the arguments

const styles = {
  name: "styles",
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, "utf8"), { loader: "css", minify: true });
      return { contents: code.trim(), loader: "text" };
    });
  },
};

const result = await build({
  entryPoints: [new URL("src/main.js", import.meta.url).pathname],
  outfile: `${OUT}/bpe-lab.js`,
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  charset: "ascii",
  legalComments: "none",
  metafile: true,
  plugins: [styles],
});

const found = new Map();
for (const path of Object.keys(result.metafile.inputs).filter((input) => input.endsWith(".js")).sort()) {
  for (const words of textsIn(await readFile(path, "utf8"))) found.set(words[0], words);
}
await writeFile(`${OUT}/words.json`, JSON.stringify([...found.values()], null, 1) + "\n");

/** Texts that a script translates: the literal arguments of t, tn and partsOf. */
function textsIn(source) {
  const texts = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const words = node.arguments.slice(0, TRANSLATES[node.expression.text] ?? 0);
      if (words.length && words.every(ts.isStringLiteral)) texts.push(words.map(({ text }) => text));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("script.js", source, ts.ScriptTarget.Latest));
  return texts;
}
