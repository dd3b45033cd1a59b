"""Light checkpoints of a running loop, as many as two per cent of its time and a budget of bytes allow."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

import torch

from ..core.words import Sentence
from .place import Position
from .rng import Randomness
from .snapshots import Model, Optimizer, Other, Stateful

if TYPE_CHECKING:
    from .run import Run

SHARE = 0.02
"""Of the loop's time, for checkpoints whose distance is not given."""


@dataclass(frozen=True)
class Checkpoint:
    """Everything that decides how a loop goes on from the start of a step."""

    step: int
    position: Position
    random: Randomness
    parts: list[tuple[Any, Any]]
    """Snapshots, each with what it is a snapshot of."""
    knobs: dict[str, float]
    nbytes: int


class Checkpoints:
    """The checkpoints of one run. Those that stay are spread evenly, the first and the newest among them.

    Args:
        every: steps between two; None for as many as take 2 % of the time; 0 for none at all.
        budget: bytes of all together.
    """

    def __init__(self, every: int | None, budget: int) -> None:
        self._every, self.budget = every, budget
        self._kept = list[Checkpoint]()
        self._next_step, self._next_time = 0, 0.0
        self.kept_objects = list[Stateful]()
        """The person's own, given to `run.keep`."""
        self.refusal: Sentence | None = None
        """Why there are none, None when there may be."""

    @property
    def steps(self) -> list[int]:
        """The steps there is a checkpoint of, ascending."""
        return [checkpoint.step for checkpoint in self._kept]

    @property
    def nbytes(self) -> int:
        """Bytes of all."""
        return sum(checkpoint.nbytes for checkpoint in self._kept)

    def nearest(self, step: int) -> int | None:
        """The newest step at or before `step` that has a checkpoint."""
        return max((kept for kept in self.steps if kept <= step), default=None)

    def begin(self, refusal: Sentence | None) -> None:
        """A loop begins: what was kept of another one is of no use to it.

        Args:
            refusal: why its steps cannot be repeated, None when they can.
        """
        self._kept.clear()
        self._next_step, self._next_time = 0, 0.0
        self.refusal = Sentence("rewind.off") if self._every == 0 else refusal

    def end(self) -> None:
        """The loop is over: its memory is free."""
        self._kept.clear()

    def offer(self, run: Run, position: Position) -> None:
        """The loop is at the start of a step: take a checkpoint if it is time."""
        if self.refusal is None and run.at >= self._next_step and perf_counter() >= self._next_time:
            self.take(run, position)

    def take(self, run: Run, position: Position) -> None:
        """Take a checkpoint of the start of the step that is worked on."""
        began = perf_counter()
        try:
            parts = self._snapshots(run)
        except torch.OutOfMemoryError:
            self._kept.clear()
            self.refusal = Sentence("rewind.memory")
            return
        size = sum(snapshot.nbytes for _, snapshot in parts)
        if size > self.budget:
            self._kept.clear()
            args: dict[str, str | int | float] = {"size": f"{size:,}", "budget": f"{self.budget:,}"}
            self.refusal = Sentence("rewind.budget", args)
            return
        knobs = {name: knob.value for name, knob in run.knobs.items()}
        random = Randomness.now(position.generators)
        self._kept.append(Checkpoint(run.at, position, random, parts, knobs, size))
        while self.nbytes > self.budget:
            del self._kept[self._densest()]
        ended = perf_counter()
        self._next_step = run.at + (self._every or 1)
        self._next_time = 0.0 if self._every else ended + (ended - began) / SHARE

    def restore(self, run: Run, step: int) -> Checkpoint:
        """Put everything back as it was at a checkpoint; those after it are dropped.

        The loader's iterator and the random numbers are left to the caller, in that order.

        Raises:
            KeyError: if there is no checkpoint of that step.
        """
        found = next((kept for kept in self._kept if kept.step == step), None)
        if found is None:
            raise KeyError(step)
        del self._kept[self._kept.index(found) + 1 :]
        for part, snapshot in found.parts:
            snapshot.restore(part)
        for name, value in found.knobs.items():
            if name in run.knobs:
                run.knobs[name].put_back(value)
        self._next_step = step + (self._every or 1)
        return found

    def _snapshots(self, run: Run) -> list[tuple[Any, Any]]:
        parts = list[tuple[Any, Any]]()
        if run.model is not None:
            parts.append((run.model, Model(run.model)))
        if run.optimizer is not None:
            parts.append((run.optimizer, Optimizer(run.optimizer)))
        others = [run.scheduler, run.scaler, *self.kept_objects]
        return parts + [(part, Other(part)) for part in others if part is not None]

    def _densest(self) -> int:
        """Which of those between the first and the newest has the nearest neighbours."""
        steps = self.steps
        if len(steps) < 3:
            return 0
        return min(range(1, len(steps) - 1), key=lambda place: steps[place + 1] - steps[place - 1])
