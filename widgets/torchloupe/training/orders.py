"""What a person asks of a running loop. Asking only sets flags; the loop obeys between steps or phases."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Literal

Kind = Literal["pause", "resume", "step_batch", "step_phase", "stop", "rewind"]
Answer = Literal["go", "stop", "rewind"]
_Mode = Literal["run", "pause", "batch", "paused", "stop", "rewind"]
_WAKE_S = 0.5


@dataclass(slots=True, eq=False)
class Order:
    """One thing asked, and what became of it. Times are seconds of `time.monotonic`."""

    kind: Kind
    received: float
    """When the kernel had it."""
    step: int | None = None
    """Where to go back to, for `rewind`."""
    effective_step: int | None = None
    """The step the loop was at when it obeyed; None before."""
    effective_after_s: float | None = None
    """Seconds from `received` till the loop obeyed."""


class Orders:
    """Orders to one loop, from any thread.

    Args:
        changed: called after each change, on the thread that made it.
        check: called with a knob's name and value; raises when it cannot have it.
    """

    def __init__(self, changed: Callable[[], None], check: Callable[[str, float], None]) -> None:
        self._changed, self._check = changed, check
        self._condition = threading.Condition()
        self._mode: _Mode = "run"
        self._place: tuple[int, str | None] = (-1, None)
        self._values = dict[str, float]()
        self.live = False
        """Whether a loop is there to obey."""
        self.pending: Order | None = None
        """Received and not yet in effect."""
        self.last: Order | None = None
        """The newest one that took effect."""
        self.paused_before: str | None = None
        """The phase in front of which the loop waits; None at the start of a step."""
        self.paused_s = 0.0
        """Seconds waited so far."""

    @property
    def back_to(self) -> int:
        """The step the newest order asked to go back to, -1 when it asked for something else."""
        return self.last.step if self.last is not None and self.last.step is not None else -1

    @property
    def is_paused(self) -> bool:
        """Whether the loop waits."""
        return self._mode == "paused"

    @property
    def is_stopping(self) -> bool:
        """Whether the loop is to end at the end of its step."""
        return self._mode == "stop"

    def pause(self) -> None:
        """Wait at the next boundary. Before a loop begins, it waits at its first step."""
        self._ask("pause", "pause")

    def resume(self) -> None:
        """Go on."""
        self._ask("resume", "run")

    def step_batch(self) -> None:
        """Go on to the same point of the next step, and wait there."""
        self._ask("step_batch", "batch")

    def step_phase(self) -> None:
        """Go on to the next phase, and wait before it."""
        self._ask("step_phase", "pause")

    def stop(self) -> None:
        """End the loop at the end of its step. Does nothing when no loop is there."""
        if self.live:
            self._ask("stop", "stop")

    def rewind(self, step: int) -> None:
        """Go back to the start of a step and begin a branch there. Does nothing when no loop is there."""
        if self.live:
            self._ask("rewind", "rewind", step)

    def cancel(self) -> None:
        """Take back what has not taken effect yet."""
        with self._condition:
            if self.pending is not None:
                self.pending = None
                if self._mode != "paused":
                    self._mode = "run"
        self._changed()

    def set_knob(self, name: str, value: float) -> None:
        """Give a knob a value, from the next step on.

        Raises:
            KeyError: if there is no such knob.
            TypeError: if the value is no real number.
            ValueError: if it is not finite, or not above 0 for a logarithmic knob.
        """
        self._check(name, value)
        with self._condition:
            self._values[name] = value
        self._changed()

    def knob_values(self) -> dict[str, float]:
        """The values that wait for the next step; they wait no more."""
        if not self._values:
            return {}
        with self._condition:
            values, self._values = self._values, {}
        return values

    def waiting_values(self) -> dict[str, float]:
        """The values that wait for the next step."""
        return dict(self._values)

    def begin(self) -> None:
        """A loop is there."""
        self.live = True

    def end(self) -> None:
        """The loop is gone; nothing waits for it."""
        with self._condition:
            self.live, self.pending, self._mode, self.paused_before = False, None, "run", None

    def at_boundary(self, step: int, phase: str | None, told: Callable[[bool], None]) -> Answer:
        """The loop is at the start of a step, or of a phase in it: obey.

        Args:
            step: the step being worked on.
            phase: its phase that is about to begin; None at the start of the step.
            told: called with True when the loop begins to wait, and False when it goes on.

        Returns:
            What to do now. `stop` and `rewind` come at the start of a step only.
        """
        if self._mode == "run":
            return "go"
        with self._condition:
            if self._mode == "pause" or (self._mode == "batch" and self._is_there(step, phase)):
                self._wait(step, phase, told)
            return self._answer(step) if phase is None else "go"

    def _answer(self, step: int) -> Answer:
        mode = self._mode
        if mode != "stop" and mode != "rewind":
            return "go"
        self._in_effect(step, mode)
        self._mode = "run"
        return mode

    def _is_there(self, step: int, phase: str | None) -> bool:
        began, place = self._place
        if began < 0:
            return phase is None
        return step > began + 1 or (step > began and phase == place)

    def _wait(self, step: int, phase: str | None, told: Callable[[bool], None]) -> None:
        self._mode, self._place, self.paused_before = "paused", (step, phase), phase
        began = monotonic()
        self._in_effect(step, "pause", "step_batch", "step_phase")
        told(True)
        try:
            while self.is_paused:
                # Not for ever: Windows delivers Ctrl+C only between waits.
                self._condition.wait(_WAKE_S)
        finally:
            self.paused_before = None
            self.paused_s += monotonic() - began
        self._in_effect(step, "resume")
        told(False)

    def _in_effect(self, step: int, *kinds: Kind) -> None:
        order = self.pending
        if order is not None and order.kind in kinds:
            order.effective_step, order.effective_after_s = step, monotonic() - order.received
            self.last, self.pending = order, None

    def _ask(self, kind: Kind, mode: _Mode, step: int | None = None) -> None:
        with self._condition:
            paused = self._mode == "paused"
            if not (paused and kind == "pause"):
                self.pending = Order(kind, monotonic(), step) if paused or kind != "resume" else None
                if mode == "batch" and not paused:
                    self._place = (-1, None)
                self._mode = mode
                self._condition.notify_all()
        self._changed()
