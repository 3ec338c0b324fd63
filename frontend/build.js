// Bundles the scripts and styles of frontend/src into ui/static, and those of a page that plays without a server, with
// what connects it to a notebook, into bpe_core/page. Both are committed: the app itself needs no Node.
//
//     npm run build

import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { build, transform } from "esbuild";

const SOURCES = new URL("src/", import.meta.url).pathname;
const OUT = process.argv[2] ?? new URL("../ui/static", import.meta.url).pathname;
const OUT_OF_PAGE = process.argv[3] ?? new URL("../bpe_core/page", import.meta.url).pathname;

const styles = {
  name: "styles",
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, "utf8"), { loader: "css", minify: true });
      return { contents: code.trim(), loader: "text" };
    });
  },
};

const old = (await readdir(OUT)).filter((name) => name.endsWith(".js"));
await Promise.all(old.map((name) => rm(`${OUT}/${name}`)));

const options = {
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  charset: "ascii",
  legalComments: "none",
  plugins: [styles],
};

// What main.ts and the parts have in common becomes shared.js. If it were more than one file, the build would fail.
const parts = await readdir(`${SOURCES}parts`);
await build({
  ...options,
  entryPoints: [
    { in: `${SOURCES}main.ts`, out: "bpe-lab" },
    ...parts.map((name) => ({ in: `${SOURCES}parts/${name}`, out: name.replace(/\.ts$/, "") })),
  ],
  outdir: OUT,
  chunkNames: "shared",
  splitting: true,
});
await build({
  ...options,
  entryPoints: [
    { in: `${SOURCES}recorded/main.ts`, out: "page" },
    { in: `${SOURCES}recorded/widget.ts`, out: "widget" },
  ],
  outdir: OUT_OF_PAGE,
});
const style = await transform(await readFile(`${SOURCES}recorded/page.css`, "utf8"), { loader: "css", minify: true });
await writeFile(`${OUT_OF_PAGE}/page.css`, style.code);
