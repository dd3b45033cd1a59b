"""Keepers let a deep graph that Python has looked at be freed without overflowing the C stack.

Once Python holds wrappers of nodes, PyTorch frees a chain of them by recursion: an LSTM unrolled 5,000 steps
ends the process. A keeper is an object in a node's `metadata` that holds the node's own `next_functions`. The
metadata goes after the node's edges, so the recursion stops there, and the keeper drops what it held one by
one from a queue. Keepers stand so that no path longer than `STRETCH` nodes is without one.

A keeper holds only what its node holds anyway, so it keeps nothing alive longer than the graph does.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

STRETCH = 500
"""At most this many nodes in a row are freed by recursion (about 200 bytes of stack each)."""
KEY = "torchloupe"
"""Where a keeper stands in `node.metadata`."""


class _Queue(threading.local):
    def __init__(self) -> None:
        self.held: list[Any] = []
        self.draining = False


class Keeper:
    """Holds the `next_functions` of one node and lets go of them without recursion."""

    __slots__ = ("held",)

    def __init__(self, held: Any) -> None:
        self.held = held

    def __del__(self, queue: _Queue = _Queue()) -> None:  # noqa: B008
        # One per process, and still there when a module's names are gone at exit.
        waiting = queue.held
        waiting.append(self.held)
        self.held = None
        if queue.draining:
            return
        queue.draining = True
        try:
            while waiting:
                waiting.pop()
        finally:
            queue.draining = False


def keep(node: Any, following: Any) -> None:
    """Give `node` a keeper of `following`, its `next_functions`; one that is there stays."""
    node.metadata.setdefault(KEY, Keeper(following))


def cut(
    nodes: Sequence[Any], following: Sequence[Any], source: NDArray[np.int32], target: NDArray[np.int32]
) -> None:
    """Stand keepers so that no path of `STRETCH` nodes is without one.

    Nodes are cut into blocks of `STRETCH` places in a topological order. A longer path crosses from one block
    to another somewhere, so the source of every edge that crosses gets a keeper. An edge to a node that has
    no further edges ends its path and needs none.

    Args:
        nodes: in topological order, roots first.
        following: `next_functions` of each node.
        source: place in `nodes` each edge leaves.
        target: place in `nodes` it arrives at.
    """
    if len(nodes) <= STRETCH:
        return
    inner = np.zeros(len(nodes), bool)
    inner[source] = True
    crossing = (source // STRETCH != target // STRETCH) & inner[target]
    for place in np.unique(source[crossing]).tolist():
        keep(nodes[place], following[place])
