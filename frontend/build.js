// Bundles the scripts and styles of frontend/src into ui/static, which is committed: the app itself needs no Node.
//
//     npm run build

import { readFile } from "node:fs/promises";
import { build, transform } from "esbuild";

const OUT = process.argv[2] ?? new URL("../ui/static", import.meta.url).pathname;

const styles = {
  name: "styles",
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, "utf8"), { loader: "css", minify: true });
      return { contents: code.trim(), loader: "text" };
    });
  },
};

await build({
  entryPoints: [new URL("src/main.ts", import.meta.url).pathname],
  outfile: `${OUT}/bpe-lab.js`,
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  charset: "ascii",
  legalComments: "none",
  plugins: [styles],
});
