"""Flow control: at most ten messages a second to the browser, the latest wins, each acknowledged.

Comm messages are dropped without a word when a kernel floods the server, so a lens never has more than one
frame under way: the next goes out when a view has acknowledged the last one (or a second has passed), at
least 100 ms after it, and it is built only then, so frames nobody will see cost nothing.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

INTERVAL_S = 0.1
PATIENCE_S = 1.0


class Flow:
    """One lens' stream of frames.

    Args:
        send: builds and sends the latest frame; receives its number, which the view acknowledges.
        clock: monotonic seconds, for tests.
    """

    def __init__(self, send: Callable[[int], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._send = send
        self._clock = clock
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._armed_for = float("inf")
        self._number = 0
        self._acknowledged = 0
        self._sent_at = float("-inf")
        self._wanted = False
        self._closed = False

    def push(self) -> None:
        """Say that there is something newer to show; sends now or as soon as the flow allows."""
        with self._lock:
            self._wanted = True
        self._pump()

    def acknowledge(self, number: int) -> None:
        """A view has drawn frame `number`."""
        with self._lock:
            self._acknowledged = max(self._acknowledged, min(number, self._number))
        self._pump()

    def close(self) -> None:
        """Send nothing more and drop the timer."""
        with self._lock:
            self._closed = True
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    def _pump(self) -> None:
        with self._lock:
            if self._closed or not self._wanted:
                return
            under_way = self._acknowledged < self._number
            due = self._sent_at + (PATIENCE_S if under_way else INTERVAL_S)
            if due > self._clock():
                self._arm(due)
                return
            self._wanted = False
            self._number += 1
            self._sent_at = self._clock()
            number = self._number
        self._send(number)

    def _arm(self, due: float) -> None:
        if self._timer is not None:
            if self._armed_for <= due:
                return
            self._timer.cancel()
        self._armed_for = due
        self._timer = threading.Timer(due - self._clock(), self._fire)
        self._timer.daemon = True
        self._timer.start()

    def _fire(self) -> None:
        with self._lock:
            self._timer = None
        self._pump()
