// Times our layout and, in turn with it, those peers that are installed; prints one JSON object.
//   node tests/bench/graph_layout.mjs ROUNDS [FOLDER]     FOLDER/node_modules may hold the peers
//   node tests/bench/graph_layout.mjs crossings [FOLDER]  writes tests/autograd/reference_crossings.json from dagre
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const graphs = JSON.parse(readFileSync(join(repository, "tests/autograd/reference_graphs.json"), "utf8"));
const [, , asked = "5", folder = repository] = process.argv;
const BOX = { width: 172, height: 48 };

async function ours() {
  const outfile = join(repository, "build/bench/layout.mjs");
  const contents = `export { layered } from "./widgets/torchloupe/autograd/layout";
export { recurrent } from "./tests/autograd/layout_graphs";`;
  const stdin = { contents, resolveDir: repository, loader: "ts" };
  await build({ stdin, outfile, bundle: true, platform: "node", format: "esm", logLevel: "warning" });
  return import(outfile);
}

const { layered, recurrent } = await ours();
const peers = {};
const load = createRequire(join(folder, "package.json"));

function install(name, make) {
  try {
    peers[name] = make(load(name));
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") throw error;
  }
}

function dagreGraph({ graphlib }, graph) {
  const found = new graphlib.Graph({ multigraph: true }).setGraph({}).setDefaultEdgeLabel(() => ({}));
  for (let node = 0; node < graph.nodes; node++) found.setNode(String(node), { ...BOX });
  graph.source.forEach((from, edge) => {
    found.setEdge(String(from), String(graph.target[edge]), {}, String(edge));
  });
  return found;
}

install("@dagrejs/dagre", (dagre) => (graph) => {
  const found = dagreGraph(dagre, graph);
  dagre.layout(found);
  return found;
});
install("elkjs", (Elk) => {
  const elk = new Elk();
  return (graph) =>
    elk.layout({
      id: "root",
      layoutOptions: { "elk.algorithm": "layered", "elk.direction": "DOWN" },
      children: Array.from({ length: graph.nodes }, (_, node) => ({ id: String(node), ...BOX })),
      edges: graph.source.map((from, edge) => ({
        id: `e${edge}`,
        sources: [String(from)],
        targets: [String(graph.target[edge])],
      })),
    });
});
try {
  const viz = await (await import(load.resolve("@viz-js/viz"))).instance();
  peers["@viz-js/viz"] = (graph) => {
    const edges = graph.source.map((from, edge) => `${from} -> ${graph.target[edge]}`).join(";");
    return viz.renderString(`digraph { node [shape=box width=2.4 height=.67 fixedsize=true] ${edges} }`, {
      format: "json",
    });
  };
} catch (error) {
  if (error.code !== "MODULE_NOT_FOUND") throw error;
}

/** Proper crossings of the lines of different edges. */
function crossings(routes) {
  const pieces = routes.flatMap((route, edge) =>
    Array.from({ length: Math.max(route.length / 2 - 1, 0) }, (_, at) => [edge, ...route.slice(2 * at, 2 * at + 4)]),
  );
  pieces.sort((a, b) => Math.min(a[2], a[4]) - Math.min(b[2], b[4]));
  const side = ([, ax, ay, bx, by], x, y) => Math.sign(Math.round(((bx - ax) * (y - ay) - (by - ay) * (x - ax)) * 1e3));
  const apart = (one, [, ax, ay, bx, by]) => side(one, ax, ay) * side(one, bx, by) < 0;
  let count = 0;
  pieces.forEach((one, at) => {
    const bottom = Math.max(one[2], one[4]);
    for (let next = at + 1; next < pieces.length; next++) {
      const other = pieces[next];
      if (Math.min(other[2], other[4]) >= bottom) break;
      if (one[0] !== other[0] && apart(one, other) && apart(other, one)) count++;
    }
  });
  return count;
}

const sized = (graph) => Array.from({ length: graph.nodes }, () => ({ w: BOX.width, h: BOX.height }));
const typed = ({ nodes, source, target }) => ({
  nodes,
  source: Int32Array.from(source),
  target: Int32Array.from(target),
});

async function timed(way) {
  const start = performance.now();
  await way();
  return performance.now() - start;
}

if (asked === "crossings") {
  const lay = peers["@dagrejs/dagre"];
  if (lay === undefined) throw new Error(`@dagrejs/dagre is not installed in ${folder}`);
  const found = {};
  for (const [name, graph] of Object.entries(graphs)) {
    const placed = lay(graph);
    const points = graph.source.map(
      (from, edge) => placed.edge(String(from), String(graph.target[edge]), String(edge)).points,
    );
    found[name] = crossings(points.map((line) => line.flatMap(({ x, y }) => [x, y])));
  }
  const { version } = load("@dagrejs/dagre/package.json");
  const made = `@dagrejs/dagre ${version} as it comes, boxes of ${BOX.width} × ${BOX.height}, parameters inlined; crossings of its edges' points: node tests/bench/graph_layout.mjs crossings`;
  const stored = JSON.stringify({ made, crossings: found }, null, 2);
  writeFileSync(join(repository, "tests/autograd/reference_crossings.json"), `${stored}\n`);
} else {
  const rounds = Number(asked);
  const found = { graphs: [], peers: Object.keys(peers) };
  const given = { ...graphs, "1,001 nodes": recurrent(77), "100,101 nodes": recurrent(7700) };
  for (const [name, graph] of Object.entries(given)) {
    const [boxes, own] = [sized(graph), typed(graph)];
    const once = () => layered(boxes, own.source, own.target);
    for (let warm = 0; warm < 5; warm++) once();
    const times = { ours: [] };
    for (let round = 0; round < rounds; round++) {
      times.ours.push(await timed(once));
      if (graph.nodes > 2000 || round >= 3) continue;
      for (const [peer, lay] of Object.entries(peers)) {
        times[peer] = [...(times[peer] ?? []), await timed(() => lay(graph))];
      }
    }
    const placed = once();
    found.graphs.push({
      name,
      nodes: graph.nodes,
      times,
      crossings: placed.crossings,
      lines: crossings(placed.routes),
    });
  }
  process.stdout.write(JSON.stringify(found));
}
