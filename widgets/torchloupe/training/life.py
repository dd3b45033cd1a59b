"""The life of a run: running, paused, and the ways it can end."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from ..core.safe import one_line
from ..core.words import Sentence, Words
from . import ending
from .branch import Flag, FlagKind
from .recorded import Recorded, State

_WORDS = Words(__package__)

if TYPE_CHECKING:
    from .checkpoints import Checkpoints
    from .knobs import Knob
    from .ledger import Ledger
    from .orders import Orders
    from .phases import Phases
    from .rewinding import Rewinding
    from .stepping import Stepping


class Life(Recorded):
    """A run that lives: what it does now, and what ended it."""

    ledger: Ledger
    orders: Orders
    phases: Phases
    stepping: Stepping
    rewinding: Rewinding
    checkpoints: Checkpoints
    knobs: dict[str, Knob]
    listeners: list[Callable[[], None]]
    at: int
    epoch: int | None
    """The epoch it is in, from 0; None outside of `loop`."""
    epochs: int | None
    why: Sentence | None
    """How it ended, in words."""
    thread: int
    """The ident of the thread its loop runs on."""

    def begin_life(self) -> None:
        """Nothing has happened yet."""
        self.total = self.epoch = self.epochs = self.why = None
        self.error = ""
        self.thread = threading.get_ident()
        self._left: ending.Left | None = None
        self._mark: Flag | None = None

    @property
    def state(self) -> State:
        """What it is doing, or how it ended."""
        if self.orders.live and self.orders.is_stopping:
            return "stopping"
        return cast("State", self.ledger.content["state"])

    def set_state(self, state: State, why: Sentence | None = None) -> None:
        """What it does now."""
        self.why = why
        self.ledger.content |= {"state": state, "error": self.error, "total": self.total}
        self.ledger.changed()
        self.changed()

    def flag(self, kind: FlagKind, sentence: Sentence) -> None:
        """Mark the step being worked on."""
        self.ledger.flag(self.at, kind, sentence)
        self.changed()

    def check_knob(self, name: str, value: float) -> None:
        """Refuse a value that a knob cannot have.

        Raises:
            KeyError: if there is no such knob.
            TypeError: if the value is no real number.
            ValueError: if it is not finite, or not above 0 for a logarithmic knob.
        """
        if name not in self.knobs:
            raise KeyError(_WORDS("error.no_knob", name=one_line(name)))
        self.knobs[name].check(value)

    def keep_knobs(self) -> None:
        """Keep the knobs with the run."""
        self.ledger.content["knobs"] = {
            knob.name: {"low": knob.low, "high": knob.high, "log": knob.log, "history": list(knob.history)}
            for knob in self.knobs.values()
        }
        self.ledger.changed()

    def changed(self) -> None:
        """Tell whoever listens."""
        for listener in list(self.listeners):
            listener()

    def end(self, state: State, why: Sentence | None = None, kind: FlagKind = "stop") -> None:
        """The loop is over: nothing waits any more, and everything is on disk."""
        self.ledger.inside = None
        self.rewinding.end()
        self.checkpoints.end()
        self.phases.detach()
        self.orders.end()
        if why is not None:
            self.flag(kind, why)
        if self.branch.last_step == self.at:  # a step that was not whole is not done again
            self.at += 1
        self.set_state(state, why)
        self.ledger.close()

    def leave(self, left: ending.Left) -> None:
        """The loop was left before its end; by what is heard later."""
        self._left = left
        self.end("stopped", Sentence("ended.left", {"step": self.at}))
        self._mark = self.branch.flags[-1]

    def fail(self, error: BaseException) -> None:
        """The loop ended with an exception, of which only the text is kept: it holds every variable."""
        self._unmark()
        kind = one_line(type(error).__name__)
        if isinstance(error, KeyboardInterrupt):
            self.error = kind
            self.end("stopped", Sentence("ended.interrupted", {"step": self.at}))
        elif isinstance(error, ending.Stopped):
            self.end("stopped", Sentence("ended.stopped", {"step": self.at}))
        elif isinstance(error, SystemExit):
            self.end("stopped", Sentence("ended.left", {"step": self.at}))
        else:
            message = one_line(error, 300)
            self.error = f"{kind}: {message}" if message else kind
            why = Sentence("ended.failed", {"error": self.error, "step": self.at})
            self.end("failed", why, "error")

    def heard(self, error: BaseException | None, *, dies: bool = False) -> None:
        """The cell, script or thread of the loop has ended, with an exception or without.

        Args:
            error: what it ended with.
            dies: whether the process ends with it.
        """
        left, self._left = self._left, None
        if error is None:
            if self.orders.live and self.stepping.by_hand:
                self.end("finished")
        elif (
            self.orders.live
            or (dies and self.state == "running")
            or (left is not None and ending.left_by(error, left))
        ):
            self.fail(error)
        self._mark = None

    def exit(self) -> None:
        """The process ends."""
        if self.orders.live and not self.stepping.by_hand:
            self.end("stopped")
        elif self.state == "running":
            self.end("finished")
        else:
            self.ledger.close()

    def _unmark(self) -> None:
        """What ended the loop is known now: the mark that it was left goes."""
        if self._mark in self.branch.flags:
            self.branch.flags.remove(self._mark)
        self._mark = None
