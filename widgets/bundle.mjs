// Bundles each room's view.ts and view.css into view.js and view.min.css beside them. A room is any folder with a view.ts.
import { existsSync, readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
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

/**
 * A module that unpacks itself. Each widget keeps a copy of its script, and a saved notebook may too, so the script is
 * kept small: the browser unpacks it (DecompressionStream) and imports it as anywidget imports every script, from a blob.
 */
function packed(script) {
  const text = gzipSync(script, { level: 9 }).toString("base64");
  return `const bytes = Uint8Array.from(atob("${text}"), (letter) => letter.charCodeAt(0));
const script = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
const url = URL.createObjectURL(new Blob([await new Response(script).text()], { type: "text/javascript" }));
const { default: view } = await import(url);
URL.revokeObjectURL(url);
export default view;
`;
}

/** Packs each script once it is bundled; a watched one stays readable. */
const packing = {
  name: "packing",
  setup(build) {
    build.onEnd(async ({ outputFiles = [] }) => {
      for (const { path, contents } of outputFiles) {
        await writeFile(path, path.endsWith(".js") ? packed(contents) : contents);
      }
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
  write: watch,
  plugins: watch ? [viewWords] : [viewWords, packing],
  legalComments: "none",
  logLevel: "info",
});

if (watch) {
  await bundling.watch();
} else {
  await bundling.rebuild();
  await bundling.dispose();
}
