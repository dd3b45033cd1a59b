"""Watches PyTorch's own engine: hooks on every node read the gradients that come and go."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch

from .gate import Gate
from .gradients import BAD, summarise
from .ledger import Ledger
from .record import Columns
from .restoring import Restoring
from .walk import paused_gc

Gradients = tuple[torch.Tensor | None, ...]


class Engine:
    """Hooks for the time of one backward. They change no gradient and keep none.

    A hook on a node must not hold the node: PyTorch would never free it. So hooks know nodes by number.

    Args:
        columns: the graph.
        ledger: where to write what happens.
        gate: where to wait before each node, or None to run through.
        restoring: where to remember `.grad`, or None.
        needed: per node whether it has to run, or None when all have.
    """

    def __init__(
        self,
        columns: Columns,
        ledger: Ledger,
        gate: Gate | None,
        restoring: Restoring | None,
        needed: Sequence[bool] | None,
    ) -> None:
        self._ledger, self._gate, self._restoring, self._needed = ledger, gate, restoring, needed
        self._target, self._input = columns.target.tolist(), columns.input.tolist()
        self._slot = columns.slot.tolist()
        self._starts = np.searchsorted(columns.source, np.arange(len(columns.type) + 1)).tolist()
        self._handles: list[Any] = []
        self._leaves: dict[int, torch.Tensor] = {}
        self._beside: list[Any] = []
        self._lock = threading.RLock()
        self._sent: dict[tuple[int, int], tuple[Callable[[], object], int, int]] = {}
        self._running: dict[int, tuple[int, list[tuple[int, int]]]] = {}

    @property
    def entered(self) -> list[int]:
        """Nodes that have begun to run and not come to their end, the last one last."""
        return list(self._running)

    def watch(self, nodes: Sequence[Any], leaves: Sequence[int], beside: Sequence[torch.Tensor]) -> None:
        """Register hooks.

        Args:
            nodes: PyTorch's nodes by id.
            leaves: ids of those that add to a leaf.
            beside: leaves outside the graph that a backward inside a backward may reach: a checkpoint's.
        """
        with paused_gc():
            self._register(nodes, leaves, beside)

    def _register(self, nodes: Sequence[Any], leaves: Sequence[int], beside: Sequence[torch.Tensor]) -> None:
        keep = self._handles.append
        if self._restoring is not None:
            self._leaves = {leaf: nodes[leaf].variable for leaf in leaves}
            for leaf in beside:
                node = torch.autograd.graph.get_gradient_edge(leaf).node
                self._beside.append(node)  # only the tensor knows it, and weakly
                keep(node.register_prehook(partial(self._remember, leaf)))
        for id, node in enumerate(nodes):
            keep(node.register_prehook(partial(self._before, id)))
            keep(node.register_hook(partial(self._after, id)))

    def _remember(self, leaf: torch.Tensor, _gradients: Gradients) -> None:
        if self._restoring is not None:
            self._restoring.remember(leaf)

    def leave(self) -> None:
        """Remove every hook and let everything go."""
        for handle in self._handles:
            handle.remove()
        self._handles.clear()
        self._leaves.clear()
        self._beside.clear()
        self._sent.clear()

    def _before(self, node: int, gradients: Gradients) -> None:
        with self._lock:
            ledger = self._ledger
            step = ledger.begin(node)
            places = [
                (self._arriving(node, input, gradient), -1 if gradient is None else gradient._version)  # noqa: SLF001
                for input, gradient in enumerate(gradients)
            ]
            if self._gate is not None:
                self._gate.come(node)
            if node in self._leaves and self._restoring is not None:
                self._restoring.remember(self._leaves[node])
            self._running[node] = step, places

    def _arriving(self, node: int, input: int, gradient: torch.Tensor | None) -> int:
        sent = self._sent.pop((node, input), None)
        known = sent is not None and gradient is not None and sent[0]() is gradient
        if sent is not None and known and gradient is not None and gradient._version == sent[1]:  # noqa: SLF001
            place = sent[2]
        else:
            place = self._ledger.summaries.add(summarise(gradient))
        self._ledger.arrive(node, input, place)
        return place

    def _after(self, node: int, sent: Gradients, arrived: Gradients) -> None:
        with self._lock:
            step, places = self._running.pop(node, (0, []))
            ledger = self._ledger
            known = {
                id(gradient): place
                for gradient, (place, version) in zip(arrived, places, strict=False)
                if gradient is not None and gradient._version == version  # noqa: SLF001
            }
            bad = False
            for edge in range(self._starts[node], self._starts[node + 1]):
                slot, target = self._slot[edge], self._target[edge]
                gradient = sent[slot] if slot < len(sent) else None
                if gradient is None and self._needed is not None and not self._needed[target]:
                    continue
                place = known.get(id(gradient)) if gradient is not None else None
                if place is None:
                    summary = summarise(gradient)
                    place = ledger.summaries.add(summary)
                    bad = bad or summary.look == BAD
                if gradient is not None:
                    known[id(gradient)] = place
                    mark = weakref.ref(gradient), gradient._version, place  # noqa: SLF001
                    self._sent[target, self._input[edge]] = mark
                ledger.flow(step, edge, place)
            if bad and ledger.first_bad < 0 and all(part.look != BAD for part in ledger.into(node)):
                ledger.first_bad = node
            ledger.end(node)


def needed(columns: Columns, ends: Sequence[int]) -> list[bool]:
    """Per node: whether a gradient has to pass it to reach one of `ends`."""
    needs = [False] * len(columns.type)
    for end in ends:
        needs[end] = True
    sources, targets = columns.source.tolist(), columns.target.tolist()
    for edge in range(len(sources) - 1, -1, -1):
        if needs[targets[edge]]:
            needs[sources[edge]] = True
    return needs
