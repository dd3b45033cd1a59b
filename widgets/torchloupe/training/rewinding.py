"""Going back: a checkpoint is put in place, steps are repeated, and a branch begins at the wanted one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..core.words import Sentence
from .place import Place

if TYPE_CHECKING:
    from .run import Run


class Rewinding:
    """The way back of one run, and what has to happen again on it."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._turns = list[tuple[int, str, float]]()
        self.target: int | None = None
        """The step being gone back to while the steps before it are repeated, else None."""

    @property
    def refusal(self) -> Sentence | None:
        """Why nobody can go back now, None when one can."""
        run = self._run
        if not run.orders.live:
            return Sentence("rewind.idle")
        if run.stepping.by_hand:
            return Sentence("rewind.by_hand")
        return run.checkpoints.refusal

    def begin(self, place: Place[Any] | None) -> None:
        """A loop begins.

        Args:
            place: of the loop; None when the person's own code drives the steps.
        """
        run = self._run
        self._turns.clear()
        self.target = None
        refusal = Sentence("rewind.by_hand") if place is None else place.refusal
        if run.model is None and not run.checkpoints.kept_objects:
            refusal = refusal or Sentence("rewind.no_model")
        run.checkpoints.begin(refusal)

    def end(self) -> None:
        """The loop is over."""
        self.target, self._run.ledger.replaying_until = None, 0

    def turned(self, name: str, value: float) -> None:
        """A knob was turned at the step being worked on: it is, too, when that step is repeated."""
        self._turns.append((self._run.at, name, value))

    def go_back(self, place: Place[Any], step: int) -> None:
        """Stand at the nearest checkpoint before `step`, to repeat the steps in between."""
        run = self._run
        start = run.checkpoints.nearest(step)
        last = run.at if self.target is None else self.target
        if start is None or step > last:
            run.flag("note", Sentence("flag.no_checkpoint", {"step": step}))
            return
        if self.target is None:
            run.flag("rewind", Sentence("flag.rewind", {"old": last, "new": step}))
        run.settle()
        checkpoint = run.checkpoints.restore(run, start)
        place.go_back(checkpoint.position)
        checkpoint.random.restore()
        self._turns = [turn for turn in self._turns if turn[0] < step]
        self.target = run.ledger.replaying_until = step
        run.at, run.epoch = start, place.epoch

    def arrive(self) -> None:
        """A step is about to begin: turn what was turned there, and branch where it was gone back to."""
        run = self._run
        if self.target is None:
            return
        if run.at < self.target:
            for step, name, value in self._turns:
                if step == run.at and name in run.knobs:
                    run.knobs[name].write(value)
            return
        self.end()
        run.ledger.bad.clear()
        for knob in run.knobs.values():
            knob.note(run.at)
        run.begin_branch(run.at)
