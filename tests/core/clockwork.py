"""A clock that stands until it is moved, and the timers that go by it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import SimpleNamespace

LATE_S = 1e-6
"""How late a timer fires, as real ones do."""


class Clockwork:
    """Stands in for `threading` and `time.monotonic` of the module `flow`."""

    def __init__(self) -> None:
        self.now = 100.0
        self.made = 0
        self._armed: list[_Timer] = []
        self.threading = SimpleNamespace(Lock=threading.Lock, Timer=self._timer)

    def clock(self) -> float:
        return self.now

    @property
    def armed(self) -> int:
        return len(self._armed)

    def advance(self, seconds: float) -> None:
        until = self.now + seconds
        while due := [timer for timer in self._armed if timer.at <= until]:
            timer = min(due, key=lambda timer: timer.at)
            self._armed.remove(timer)
            self.now = max(self.now, timer.at)
            timer.fire()
        self.now = max(self.now, until)

    def _timer(self, wait: float, fire: Callable[[], None]) -> _Timer:
        assert wait > 0
        self.made += 1
        return _Timer(self, self.now + wait + LATE_S, fire)


class _Timer:
    daemon = False

    def __init__(self, clockwork: Clockwork, at: float, fire: Callable[[], None]) -> None:
        self.at = at
        self.fire = fire
        self._clockwork = clockwork

    def start(self) -> None:
        assert self.daemon, "a timer must not keep the interpreter alive"
        self._clockwork._armed.append(self)

    def cancel(self) -> None:
        if self in self._clockwork._armed:
            self._clockwork._armed.remove(self)
