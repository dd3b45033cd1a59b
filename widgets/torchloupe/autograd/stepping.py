"""A backward as the lens sees it: how far it is, what it waits for, how it ended."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from torch import Tensor

from ..core.words import Sentence
from .engine import Engine, needed
from .gate import Gate
from .ledger import Ledger
from .record import GraphRecord
from .restoring import Restoring
from .state import Explanation, Failure, Mode, Phase

PROGRESS_S = 0.2
"""While it runs without waiting, how often a person is told how far it is."""


class BackwardStopped(RuntimeError):  # noqa: N818
    """Somebody pressed Stop in the lens. `str(error)` says what was put back and what was not."""


class Stepping:
    """One backward. The engine's thread writes here, messages of the view may come on another.

    Args:
        record: the graph.
        live: whether a person steps and `.grad` is put back when it does not come to its end.
        create_graph: as for `torch.autograd.backward`.
    """

    def __init__(self, record: GraphRecord, *, live: bool, create_graph: bool) -> None:
        self.record = record
        self.ledger = Ledger()
        self.mode: Mode = "live" if live else "replay"
        self.phase: Phase = "ready"
        self.next = -1
        """The node the engine waits before, or -1."""
        self.run_ahead = -1
        """The node a run was asked to stop at, or -1."""
        self.notes: list[Sentence] = []
        self.failure: Failure | None = None
        self.explanation: Explanation | None = None
        self.changed: Callable[[], None] = _nobody
        """Called by the engine's thread after each change a person should see at once."""
        self.restoring = Restoring(in_place=not create_graph) if live else None
        self.gate: Gate | None = None
        self.engine: Engine | None = None
        self._told_at = 0.0

    def wait_for_person(self) -> None:
        """Stop before each node from now on."""
        self.gate = Gate(self._waiting, self._passing, self._running)

    def run(
        self, nodes: list[Any], ends: list[int] | None, beside: Sequence[Tensor], call: Callable[[], None]
    ) -> None:
        """Run `call`, a backward of this graph, under watch.

        Args:
            nodes: PyTorch's nodes by id; the list is emptied, so that the graph is not held while it runs.
            ends: ids of the only nodes that gradients have to reach, or None for all leaves.
            beside: leaves outside the graph that it may reach all the same.
            call: the backward.
        """
        columns = self.record.columns
        wanted = None if ends is None else needed(columns, ends)
        self.engine = Engine(columns, self.ledger, self.gate, self.restoring, wanted)
        try:
            self.engine.watch(nodes, [leaf.node for leaf in self.record.leaves], beside)
            nodes.clear()
            self.phase = "running"
            call()
            self.end("done")
        finally:
            self.engine.leave()

    def end(self, phase: Phase) -> None:
        """The backward is over."""
        self.phase = phase
        self.next = self.run_ahead = -1

    # What a person asks for

    def step(self) -> None:
        """Let the next node run."""
        if self.gate is not None:
            self.gate.step()

    def step_out(self) -> None:
        """Run until a node outside the module of the next one is about to run."""
        scope = self.scope_of(self.next)
        if self.gate is not None and scope:
            self.gate.run_until(lambda node: not self._inside(node, scope))

    def run_to(self, node: int) -> None:
        """Run until `node` is about to run; to the end if it has run or never does."""
        if self.gate is not None and 0 <= node < len(self.record.columns.type) and node != self.next:
            self.run_ahead = node
            self.gate.run_until(lambda here: here == node)

    def run_on(self) -> None:
        """Run to the end."""
        if self.gate is not None:
            self.gate.run()

    def stop(self) -> None:
        """Raise `BackwardStopped` in the cell."""
        if self.gate is not None:
            self.gate.stop()

    def scope_of(self, node: int) -> str:
        """Path of the module a node belongs to; empty outside any."""
        columns = self.record.columns
        place = int(columns.scope[node]) if node >= 0 else -1
        return "" if place < 0 else columns.strings[place]

    def _inside(self, node: int, scope: str) -> bool:
        """Leaves stand in no module: they run in passing."""
        here = self.scope_of(node)
        leaf = self.record.columns.kind[node] == 1
        return bool(leaf) or here == scope or here.startswith(f"{scope}.")

    def _waiting(self, node: int) -> None:
        self.next, self.run_ahead, self.phase = node, -1, "waiting"
        self.changed()

    def _passing(self) -> None:
        self.next, self.phase, self._told_at = -1, "running", time.monotonic()
        timer = threading.Timer(PROGRESS_S, self._running)  # for one node that takes long
        timer.daemon = True
        timer.start()

    def _running(self) -> None:
        """Say how far it is, now and then: a frame for each node would delay the one that counts."""
        now = time.monotonic()
        if self.phase == "running" and now - self._told_at >= PROGRESS_S:
            self._told_at = now
            self.changed()


def _nobody() -> None:
    pass
