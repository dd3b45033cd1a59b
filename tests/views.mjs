// Bundles every tests/**/*.test.ts for Node and runs them with Node's own test runner.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const tests = fileURLToPath(new URL(".", import.meta.url));
const outdir = join(tests, "../build/tests");
const names = readdirSync(tests, { recursive: true }).filter((name) => name.endsWith(".test.ts"));
if (names.length === 0) {
  throw new Error(`no *.test.ts under ${tests}`);
}

rmSync(outdir, { recursive: true, force: true });
await build({
  entryPoints: names.map((name) => join(tests, name)),
  outdir,
  outbase: tests,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  sourcemap: "inline",
  logLevel: "warning",
});
const bundles = names.map((name) => join(outdir, name.replace(/\.ts$/, ".mjs")));
const run = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...bundles], { stdio: "inherit" });
process.exitCode = run.status ?? 1;
