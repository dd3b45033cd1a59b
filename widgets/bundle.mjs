// Bundles each room's view.ts and view.css into view.js and view.min.css beside them. A room is any folder with a view.ts.
import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { context } from "esbuild";

const root = fileURLToPath(new URL("torchloupe", import.meta.url));
const watch = process.argv.includes("--watch");
const rooms = readdirSync(root).filter((name) => existsSync(join(root, name, "view.ts")));

function entries(source, output) {
  const found = rooms.filter((room) => existsSync(join(root, room, source)));
  return found.map((room) => ({ in: join(root, room, source), out: join(room, output) }));
}

const PREFIX = "view.";

/** Puts only a view's own words into its bundle, as `id: [en, zh-CN]` without the prefix; the kernel's come with its frames. */
const viewWords = {
  name: "view-words",
  setup(build) {
    build.onLoad({ filter: /words\.json$/ }, async ({ path }) => {
      const entries = Object.entries(JSON.parse(await readFile(path, "utf8")));
      const own = entries.filter(([id]) => id.startsWith(PREFIX));
      const pairs = own.map(([id, words]) => [id.slice(PREFIX.length), [words.en, words["zh-CN"]]]);
      return { contents: JSON.stringify(Object.fromEntries(pairs)), loader: "json" };
    });
  },
};

const bundling = await context({
  entryPoints: [...entries("view.ts", "view"), ...entries("view.css", "view.min")],
  outdir: root,
  bundle: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  minify: !watch,
  plugins: [viewWords],
  legalComments: "none",
  logLevel: "info",
});

if (watch) {
  await bundling.watch();
} else {
  await bundling.rebuild();
  await bundling.dispose();
}
