"""What happens between two steps, whoever drives them: `run.loop` or `with run.step()`."""

from __future__ import annotations

import threading
from time import monotonic, perf_counter, time
from types import TracebackType
from typing import TYPE_CHECKING, Any

import torch

from ..core.words import Sentence, Words
from .ending import Stopped
from .orders import Answer
from .place import Place

if TYPE_CHECKING:
    from .run import Run

TELL_EVERY_S = 0.1
_WORDS = Words(__package__)


class Stepping:
    """The steps of one run: its counter, and what is done at their boundaries."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._told = 0.0
        self._bad_seen = 0
        self.began: float | None = None
        """`time.perf_counter()` at which the loop began, None before the first."""
        self.began_at = 0
        """The step it began with."""
        self.batch_size: int | None = None
        """Samples in the newest batch, where its first tensor says so."""
        self.by_hand = False
        self.place: Place[Any] | None = None
        """Whether `run.step()` drives the steps."""

    def begin(self, place: Place[Any] | None = None) -> None:
        """A loop begins on this thread.

        Args:
            place: in its loader; None when the person's own code drives the steps.
        """
        run = self._run
        run.thread, run.error = threading.get_ident(), ""
        run.epochs = run.total = run.epoch = None
        if place is not None:
            run.epochs = place.epochs
            run.total = None if place.total is None else run.at + place.total
        self.place = place
        self.by_hand, self.began, self.began_at = place is None, perf_counter(), run.at
        self._bad_seen = run.ledger.bad_seen

        run.phases.attach(run.model, run.optimizer)
        run.rewinding.begin(place)
        run.orders.begin()
        run.set_state("running")

    def boundary(self) -> Answer:
        """The start of a step: turn the knobs, wait if asked to."""
        run = self._run
        if run.ledger.bad_seen != self._bad_seen:
            self._bad_seen = run.ledger.bad_seen
            if run.on_nan == "pause" and run.front:
                run.orders.pause()
        answer = run.orders.at_boundary(run.at, None, self.waits)
        if answer == "go" and run.rewinding.target is None:
            for name, value in run.orders.knob_values().items():
                run.turn(name, value)
        return answer

    def phase_boundary(self, name: str) -> None:
        """The start of a phase."""
        run = self._run
        if run.orders.live and threading.get_ident() == run.thread:
            run.orders.at_boundary(run.at, name, self.waits)

    def before_update(self) -> None:
        """The optimizer is about to step: the gradients are whole."""
        run = self._run
        again = run.rewinding.target is not None
        if run.health is not None and run.orders.live and not again and run.at % run.gradients_every == 0:
            run.health.measure(run, run.at)

    def waits(self, begins: bool) -> None:
        """The loop begins to wait, or goes on."""
        run = self._run
        last = run.orders.last
        if begins and last is not None and last.kind == "pause" and last.effective_step == run.at:
            run.flag("pause", Sentence("flag.pause", {"step": run.at}))
        run.set_state("paused" if begins else "running")

    def enter_epoch(self, epoch: int) -> None:
        """A step of this epoch begins."""
        run = self._run
        if epoch != run.epoch:
            run.epoch = epoch
            if epoch and run.rewinding.target is None:
                run.flag("epoch", Sentence("flag.epoch", {"epoch": epoch + 1}))

    def step_begins(self, batch: Any = None) -> None:
        """What is logged from here on belongs to this step."""
        ledger = self._run.ledger
        ledger.inside, ledger.step_began = self._run.at, time()
        if batch is not None:
            self.batch_size = _samples(batch)

    def step_ends(self) -> None:
        """The step is done."""
        run = self._run
        run.phases.end()
        run.ledger.outside = run.at
        run.at += 1
        now = monotonic()
        if now - self._told > TELL_EVERY_S:
            self._told = now
            run.changed()


class Step:
    """`with run.step():` around the code of one step."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def __enter__(self) -> None:
        run = self._run
        if not (run.orders.live and run.stepping.by_hand and run.thread == threading.get_ident()):
            run.stepping.begin()
        try:
            if run.stepping.boundary() == "stop":
                self._stop()
        except KeyboardInterrupt as error:
            run.fail(error)
            raise
        run.stepping.step_begins()

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        run = self._run
        if error is not None:
            run.fail(error)
            return
        run.stepping.step_ends()
        if run.orders.is_stopping:
            self._stop()

    def _stop(self) -> None:
        run = self._run
        sentence = Sentence("ended.stopped", {"step": run.at})
        run.orders.at_boundary(run.at, None, run.stepping.waits)
        run.end("stopped", sentence)
        raise Stopped(f"{run.name}: {_WORDS.say(sentence)}")


def _samples(batch: Any) -> int | None:
    """The first dimension of the first tensor in a batch."""
    for _ in range(4):
        if isinstance(batch, torch.Tensor):
            return batch.shape[0] if batch.dim() else None
        if isinstance(batch, dict):
            batch = next(iter(batch.values()), None)
        elif isinstance(batch, list | tuple):
            batch = batch[0] if batch else None
    return None
