"""A branch of a run: the curves and flags between one rewind and the next."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ..core.words import Sentence
from .series import Series

FlagKind = Literal["knob", "pause", "rewind", "nan", "error", "stop", "epoch", "note"]


@dataclass(frozen=True, slots=True)
class Flag:
    """Something that happened at a step, drawn above the curve."""

    step: int
    kind: FlagKind
    sentence: Sentence


@dataclass(slots=True, eq=False)
class Branch:
    """Curves of one uninterrupted stretch of training.

    A step that was there already begins a new branch, so a curve never runs backwards; the old branch stays.
    """

    name: str
    """`a` for the first, then `b`, `c` …"""
    parent: Branch | None = None
    at: int | None = None
    """The step at which it left its parent: its own first step."""
    ended: int | None = None
    """The last step before it was left, None while it is the newest."""
    series: dict[tuple[str, str], Series] = field(default_factory=dict)
    """By name and group: `("loss", "train")`."""
    flags: list[Flag] = field(default_factory=list)

    @property
    def folder(self) -> str:
        """Its folder below that of the run; the first branch is in the run's own."""
        return "." if self.parent is None else f"{self.name}-from-{self.at}"

    @property
    def last_step(self) -> int:
        """The newest step of any of its own curves, -1 when nothing was logged."""
        return max((series.last_step for series in list(self.series.values())), default=-1)

    def curve(self, name: str, group: str) -> Series:
        """The curve of that name and group, made when it is not there yet."""
        key = (name, group)
        found = self.series.get(key)
        if found is None:
            found = self.series[key] = Series(name, group, self._last_before(key))
        return found

    def line(self) -> list[tuple[Branch, int | None]]:
        """The stretches that lead here from the first branch, each with the step where it is left."""
        stretches: list[tuple[Branch, int | None]] = [(self, None)]
        branch, end = self, None
        while branch.parent is not None and branch.at is not None:
            end = branch.at if end is None else min(end, branch.at)
            branch = branch.parent
            stretches.append((branch, end))
        return stretches[::-1]

    def _last_before(self, key: tuple[str, str]) -> int:
        """The newest step of a curve in the branches that lead here, as far as they lead here."""
        for branch, end in reversed(self.line()[:-1]):
            series = branch.series.get(key)
            if series is not None and end is not None:
                before = series.steps[: series.steps.searchsorted(end)]
                if before.size:
                    return int(before[-1])
        return -1


def letter(count: int) -> str:
    """The name of the branch after `count` others: a … z, aa, ab …"""
    name = ""
    count += 1
    while count:
        count, place = divmod(count - 1, 26)
        name = chr(ord("a") + place) + name
    return name
