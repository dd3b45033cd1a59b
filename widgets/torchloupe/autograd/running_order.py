"""The order in which the engine will run the nodes.

The engine runs, among the nodes whose gradients have all arrived, the one with the highest sequence number:
the newest operation. `AccumulateGrad` counts as newest of all, so it runs as soon as it is ready.
Source: https://docs.pytorch.org/docs/stable/notes/extending.func.html and `torch/csrc/autograd/engine.cpp`,
`ReadyQueue`.
"""

from __future__ import annotations

import heapq

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]


def running_order(sequence: Ids, leaf: NDArray[np.bool_], source: Ids, target: Ids) -> Ids:
    """Node ids in the order the engine runs them, given every node's sequence number and all edges.

    Numbers of one thread grow with every operation, so sorting by them is enough. Numbers count per thread:
    when a graph was built by several, or a node was renumbered, sorting is not a topological order and the
    engine's own queue is played instead. The order among several leaves that become ready at once is that of
    their consumer's slots.

    Args:
        sequence: one per node; those of leaves are not read.
        leaf: which nodes are `AccumulateGrad`.
        source: node each edge leaves, ascending.
        target: node it arrives at.
    """
    order = _sorted(sequence, leaf, source, target)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    if (place[source] < place[target]).all():
        return order
    return _played(sequence, leaf, source, target)


def _sorted(sequence: Ids, leaf: NDArray[np.bool_], source: Ids, target: Ids) -> Ids:
    inner = np.flatnonzero(~leaf)
    inner = inner[np.argsort(-sequence[inner], kind="stable")]
    place = np.zeros(len(sequence), np.int64)
    place[inner] = np.arange(len(inner))
    to_leaf = np.flatnonzero(leaf[target])
    after = np.full(len(sequence), -1, np.int64)
    np.maximum.at(after, target[to_leaf], place[source[to_leaf]])
    # The first edge by which its last consumer reaches a leaf.
    last = to_leaf[place[source[to_leaf]] == after[target[to_leaf]]]
    edge = np.zeros(len(sequence), np.int64)
    edge[target[last][::-1]] = last[::-1]
    leaves = np.flatnonzero(leaf)
    leaves = leaves[np.lexsort((edge[leaves], after[leaves]))]
    return np.insert(inner, after[leaves] + 1, leaves)


def _played(sequence: Ids, leaf: NDArray[np.bool_], source: Ids, target: Ids) -> Ids:
    count = len(sequence)
    left = np.bincount(target, minlength=count).tolist()
    starts = np.searchsorted(source, np.arange(count + 1)).tolist()
    targets, newest = target.tolist(), np.where(leaf, np.iinfo(np.int64).max, sequence).tolist()
    ready = [(-newest[node], node) for node in range(count) if not left[node]]
    heapq.heapify(ready)
    order = []
    while ready:
        _, node = heapq.heappop(ready)
        order.append(node)
        for edge in range(starts[node], starts[node + 1]):
            left[targets[edge]] -= 1
            if not left[targets[edge]]:
                heapq.heappush(ready, (-newest[targets[edge]], targets[edge]))
    assert len(order) == count
    return np.array(order, np.int64)
