/** Orders of a graph in linear time: edges by their ends, children by their group, nodes as they are read. */

/** Edges sorted by one of their ends, as starts per node and edge ids; equal ends keep their order. */
export function bySource(end: Int32Array, nodes: number): [Int32Array, Int32Array] {
  const start = new Int32Array(nodes + 1);
  for (let edge = 0; edge < end.length; edge++) {
    const after = (end[edge] ?? 0) + 1;
    start[after] = (start[after] ?? 0) + 1;
  }
  for (let node = 0; node < nodes; node++) start[node + 1] = (start[node + 1] ?? 0) + (start[node] ?? 0);
  const next = start.slice();
  const sorted = new Int32Array(end.length);
  for (let edge = 0; edge < end.length; edge++) {
    const node = end[edge] ?? 0;
    const place = next[node] ?? 0;
    sorted[place] = edge;
    next[node] = place + 1;
  }
  return [start, sorted];
}

/** Children of every group by their first node: nodes as ids, groups as `~g`. Nodes with `skip` are nobody's child. */
export function grouped(group: Int32Array, parent: Int32Array, skip: Uint8Array): [Int32Array, Int32Array] {
  const groups = Math.max(parent.length, 1);
  const items = new Int32Array(group.length + groups);
  const owners = new Int32Array(group.length + groups);
  const met = new Uint8Array(groups);
  let length = 0;
  const add = (owner: number, item: number): void => {
    owners[length] = owner;
    items[length++] = item;
  };
  met[0] = 1;
  for (let node = 0; node < group.length; node++) {
    if (skip[node] === 1) continue;
    const own = Math.max(group[node] ?? 0, 0);
    for (let inner = own; met[inner] === 0; inner = Math.max(parent[inner] ?? 0, 0)) {
      met[inner] = 1;
      add(Math.max(parent[inner] ?? 0, 0), ~inner);
    }
    add(own, node);
  }
  const [start, sorted] = bySource(owners.subarray(0, length), groups);
  return [start, sorted.map((place) => items[place] ?? 0)];
}

export interface Reading {
  readonly order: Int32Array;
  readonly position: Int32Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/** Walks the groups depth first, so that the nodes of each stand together. */
export function readingOrder(childStart: Int32Array, children: Int32Array, nodes: number): Reading {
  const groups = childStart.length - 1;
  const from = new Int32Array(groups);
  const to = new Int32Array(groups);
  const order = new Int32Array(nodes);
  const position = new Int32Array(nodes).fill(-1);
  const path = [0];
  const next = childStart.slice(0, groups);
  let length = 0;
  while (path.length > 0) {
    const group = path.at(-1) ?? 0;
    const place = next[group] ?? 0;
    if (place === childStart[group + 1]) {
      to[group] = length;
      path.pop();
      continue;
    }
    next[group] = place + 1;
    const item = children[place] ?? 0;
    if (item < 0) {
      from[~item] = length;
      path.push(~item);
    } else {
      position[item] = length;
      order[length++] = item;
    }
  }
  return { order: order.subarray(0, length), position, from, to };
}
