"""The gate a live backward waits at, node by node, until a person lets it through."""

from __future__ import annotations

import threading
from collections.abc import Callable

MOST_STEPS = 3
"""Presses of Step that are kept while a node still runs."""
_LISTEN_S = 1.0


class Stopping(BaseException):
    """Carries a Stop through the engine, past the person's `except Exception`."""


class Gate:
    """Handlers of messages only set what is here; the engine's thread reads it before each node.

    Args:
        waiting: called with a node when the engine comes to wait before it.
        passing: called when it goes on.
        running: called before each node that need not wait.
    """

    def __init__(
        self,
        waiting: Callable[[int], None],
        passing: Callable[[], None],
        running: Callable[[], None],
    ) -> None:
        self._waiting, self._passing, self._running = waiting, passing, running
        self._turn = threading.Condition()
        self._steps = 0
        self._goal: Callable[[int], bool] | None = None
        self._open = False
        self._stopped = False

    def step(self) -> None:
        """Let one node run."""
        with self._turn:
            self._steps = min(self._steps + 1, MOST_STEPS)
            self._turn.notify_all()

    def run_until(self, goal: Callable[[int], bool]) -> None:
        """Let nodes run until one is about to for which `goal` holds."""
        with self._turn:
            self._steps, self._goal = 1, goal
            self._turn.notify_all()

    def run(self) -> None:
        """Let all nodes run. Nothing closes the gate again."""
        with self._turn:
            self._open = True
            self._turn.notify_all()

    def stop(self) -> None:
        """Let no node run any more."""
        with self._turn:
            self._stopped = True
            self._turn.notify_all()

    @property
    def is_stopped(self) -> bool:
        """Whether someone pressed Stop."""
        return self._stopped

    def come(self, node: int) -> None:
        """Called by the engine's thread before `node` runs; returns when it may.

        Raises:
            Stopping: on Stop.
            KeyboardInterrupt: when the person interrupts the cell that waits here.
        """
        with self._turn:
            free = self._lets(node)
        if free:
            self._running()
            return
        self._waiting(node)
        with self._turn:
            # A wait with an end: on Windows an endless one hears no interrupt.
            while not self._lets(node):
                self._turn.wait(_LISTEN_S)
        self._passing()

    def _lets(self, node: int) -> bool:
        if self._stopped:
            raise Stopping
        if self._open:
            return True
        if self._steps:
            self._steps -= 1
            return True
        if self._goal is not None and not self._goal(node):
            return True
        self._goal = None
        return False
