"""What a run that is open and one that was read back have in common: branches, curves, a line of text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ..core.safe import one_line
from ..core.words import Words
from .branch import Branch
from .pyramid import Floats, Places

State = Literal["idle", "running", "paused", "stopping", "stopped", "finished", "failed"]
_WORDS = Words(__package__)
_MOST_SHOWN = 6


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A curve along one line of branches, as it was when it was read. All arrays have one length."""

    name: str
    group: str
    steps: Places
    """int64, strictly ascending."""
    values: Floats
    """float64; NaN and infinities as they were logged."""
    wall_time: Floats
    """float64, seconds since the epoch."""

    def __len__(self) -> int:
        return len(self.steps)


class Recorded:
    """A run: its branches with their curves.

    Attributes:
        name: of the run, its folder's last part.
        branches: all of them, the oldest first.
        total: how many steps it will have, when that is known.
        error: type and message of what ended it, else empty.
        hyper: the hyperparameters given to `Run`.
        precision: `"float64"` while the run lives, `"float32"` when it was read from event files.
    """

    name: str
    branches: list[Branch]
    total: int | None
    error: str
    hyper: dict[str, Any]
    precision: Literal["float32", "float64"]

    def series(self, name: str, group: str = "train", *, branch: str | None = None) -> Line:
        """A curve along the line that leads to a branch, from the first step.

        Where a branch leaves its parent, the parent's later points are not part of it.

        Args:
            name: `loss`.
            group: `train`.
            branch: name of a branch; the active one by default.

        Returns:
            `steps` (int64), `values` and `wall_time` (float64): NumPy arrays of one length, copies.

        Raises:
            KeyError: if there is no such curve or branch.

        Example:
            >>> import torchloupe as loupe
            >>> run = loupe.training.Run("short", logdir="runs")
            >>> for step in range(3):
            ...     run.log(loss=1 / (step + 1))
            >>> run.series("loss").steps.tolist()
            [0, 1, 2]
        """
        self.settle()
        at = self._branch(branch)
        key, parts = (name, group), list[tuple[Places, Floats, Floats]]()
        for stretch, end in at.line():
            series = stretch.series.get(key)
            if series is not None:
                steps, values, walls = series.since(0)
                stop = len(steps) if end is None else int(np.searchsorted(steps, end))
                parts.append((steps[:stop], values[:stop], walls[:stop]))
        if not parts:
            raise KeyError(_WORDS("error.no_curve", name=one_line(f"{name}/{group}"), known=self._known()))
        steps, values, walls = (np.concatenate(part) for part in zip(*parts, strict=True))
        return Line(name, group, steps, values, walls)

    @property
    def state(self) -> State:
        """What it is doing, or how it ended."""
        raise NotImplementedError

    @property
    def branch(self) -> Branch:
        """The newest branch: the one that is logged to."""
        return self.branches[-1]

    def settle(self) -> None:
        """Take up what still waits on a device."""

    @property
    def last_step(self) -> int:
        """The newest step of any curve on the active line, -1 when nothing was logged."""
        return max(self.branch.last_step, -1 if self.branch.at is None else self.branch.at - 1)

    def text(self) -> str:
        """The run in one line, worded in the language in force."""
        parts = [_WORDS(f"state.{self.state}"), self._step_text(), *self._values_text()]
        if self.branch.parent is not None:
            parts.append(_WORDS("text.branch", name=self.branch.name, step=f"{self.branch.at:,}"))
        if self.error:
            parts.append(self.error)
        rest = parts[-1]
        for part in reversed(parts[:-1]):
            rest = _WORDS("text.and", first=part, rest=rest)
        return _WORDS("text.line", name=self.name, rest=rest)

    def __repr__(self) -> str:
        return self.text()

    def _step_text(self) -> str:
        step = max(self.last_step, 0)
        if self.last_step < 0:
            return _WORDS("text.empty")
        if self.total is not None:
            return _WORDS("text.step_of", step=f"{step:,}", total=f"{self.total:,}")
        return _WORDS("text.step", step=f"{step:,}")

    def _values_text(self) -> list[str]:
        newest = dict[tuple[str, str], tuple[int, float]]()
        for stretch, end in self.branch.line():
            for key, series in list(stretch.series.items()):
                steps, values, _ = series.since(max(0, len(series) - 1) if end is None else 0)
                stop = len(steps) if end is None else int(np.searchsorted(steps, end))
                if stop:
                    newest[key] = int(steps[stop - 1]), float(values[stop - 1])
        shown, first = list[str](), next(iter(newest), ("", ""))[0]
        for (name, group), (step, value) in list(newest.items())[:_MOST_SHOWN]:
            label = group if name == first else f"{name} {group}"
            at = "" if step == self.last_step else f" ({step:,})"
            shown.append(f"{one_line(label, 40)} {value:.4g}{at}")
        return shown

    def _branch(self, name: str | None) -> Branch:
        if name is None:
            return self.branch
        for branch in self.branches:
            if branch.name == name:
                return branch
        known = ", ".join(branch.name for branch in self.branches)
        raise KeyError(_WORDS("error.no_branch", name=one_line(name), known=known))

    def _known(self) -> str:
        keys = {f"{name}/{group}": None for branch in self.branches for name, group in branch.series}
        return one_line(", ".join(keys), 200) or "–"
