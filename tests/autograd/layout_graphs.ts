/** Graphs for the tests of the layout, from a generator of its own so that they are the same everywhere. */

export interface Graph {
  readonly nodes: number;
  readonly source: readonly number[];
  readonly target: readonly number[];
}

/** Numbers in [0, 1): a linear congruential generator ("minimal standard", Park and Miller, 1988). */
export function chance(seed: number): () => number {
  let state = seed * 7919 + 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/** A graph of up to `most` boxes: chains with branches, skips, some edges twice, at times a circle. */
export function randomGraph(seed: number, most: number): Graph {
  const draw = chance(seed);
  const nodes = 1 + Math.floor(draw() * most);
  const [source, target]: [number[], number[]] = [[], []];
  const join = (from: number, to: number): void => {
    source.push(from);
    target.push(to);
  };
  const reach = 1 + Math.floor(draw() * 6);
  for (let node = 1; node < nodes; node++) {
    if (draw() < 0.95) join(Math.max(0, node - 1 - Math.floor(draw() * reach)), node);
    if (draw() < 0.25) join(Math.max(0, node - 1 - Math.floor(draw() * 20)), node);
    if (draw() < 0.03) join(source.at(-1) ?? 0, target.at(-1) ?? 0);
  }
  if (seed % 5 === 0 && nodes > 3) join(nodes - 1, Math.floor(draw() * (nodes - 1)));
  if (seed % 7 === 0) join(0, 0);
  return { nodes, source, target };
}

/** An unrolled recurrent network: two states that cross many layers between steps. */
export function recurrent(steps: number): Graph {
  const [source, target]: [number[], number[]] = [[], []];
  let [hidden, cell, nodes] = [0, -1, 1];
  const join = (from: number, to: number): void => {
    source.push(from);
    target.push(to);
  };
  for (let step = 0; step < steps; step++) {
    const own = (place: number): number => nodes + place;
    join(hidden, own(0));
    for (const [from, to] of [
      [0, 1],
      [0, 2],
      [2, 3],
      [3, 4],
      [3, 5],
      [4, 6],
      [5, 7],
      [5, 8],
    ] as const) {
      join(own(from), own(to));
    }
    if (cell >= 0) join(cell, own(3));
    for (const gate of [1, 6, 7, 8]) join(own(gate), own(9));
    for (const [from, to] of [
      [9, 10],
      [10, 11],
      [11, 12],
    ] as const)
      join(own(from), own(to));
    [hidden, cell, nodes] = [own(12), own(4), nodes + 13];
  }
  return { nodes, source, target };
}
