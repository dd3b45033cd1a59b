"""What a record keeps of nodes beyond its columns, and how it knows that the graph is gone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import saved
from .slots import has_held, is_released, slots_of
from .walk import Walk, root_node

if TYPE_CHECKING:
    from .record import GraphRecord, Token
    from .source_lines import Line

FARTHEST = 64
"""Edges a probe may lie from its root."""
MOST_LOOKED_AT = 100
MOST_PROBES = 8

Probe = tuple[int, tuple[int, ...], str]
"""A way to a node that saved a tensor: place of the root, slots to follow, name of the slot to look at."""


@dataclass(frozen=True, slots=True)
class Remains:
    """The part of a record that is read through its methods."""

    saved: saved.SavedTensors
    classes: list[Any]
    """Node classes; their slots have names."""
    type: NDArray[np.int32]
    """Per node: place in `classes`."""
    owners: dict[int, str]
    """Names of storages that belong to a named tensor."""
    contexts: dict[int, tuple[str, ...]]
    """Per custom Function's node: what its `ctx` holds, as text."""
    lines: list[Line | None] | None
    """Per node: the line of code that made it, when a trace recorded lines."""
    tokens: tuple[Callable[[], Token | None], ...]
    """One for each root."""
    probes: tuple[Probe, ...]

    def readable(self, record: GraphRecord) -> bool:
        """Whether the nodes can still be reached and still have what they saved."""
        roots = [root_node(record, place) for place, root in enumerate(record.roots) if root.node >= 0]
        if None in roots:
            return False
        return not any(_released(record, *probe) for probe in self.probes)


def _released(record: GraphRecord, root: int, slots: tuple[int, ...], name: str) -> bool:
    node = root_node(record, root)
    for slot in slots:
        if node is None:
            return True
        node = node.next_functions[slot][0]
    return node is None or is_released(node, name)


def probes(walk: Walk, roots: list[tuple[int, int]]) -> tuple[Probe, ...]:
    """For each root a near node that saved a tensor, when there is one within `FARTHEST` edges.

    Args:
        walk: the graph.
        roots: place among the record's roots, and node.
    """
    able = np.array([bool(slots_of(cls).tensors) for cls in walk.classes], bool)
    ways = []
    for place, root in roots[:MOST_PROBES]:
        for node, way in _near(walk, root):
            if able[walk.type[node]]:
                slots = slots_of(walk.classes[walk.type[node]]).tensors
                held = next((slot for slot in slots if has_held(walk.nodes[node], slot)), None)
                if held is not None:
                    ways.append((place, way, held))
                    break
    return tuple(ways)


def _near(walk: Walk, root: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Nodes from `root` on, breadth-first, with the slots that lead to each."""
    met = {root}
    waiting: list[tuple[int, tuple[int, ...]]] = [(root, ())]
    for node, slots in waiting:
        yield node, slots
        if len(slots) == FARTHEST or len(met) > MOST_LOOKED_AT:
            return
        start, end = walk.source.searchsorted(np.array([node, node + 1], np.int32)).tolist()
        for edge in range(start, end):
            target = int(walk.target[edge])
            if target not in met:
                met.add(target)
                waiting.append((target, (*slots, int(walk.slot[edge]))))
