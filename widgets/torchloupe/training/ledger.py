"""What a run has logged: its branches in memory, and their way to disk.

It knows neither the model nor the loop, so the journal may hold it without keeping either alive.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from pathlib import Path
from time import time
from typing import Any

import torch

from ..core.safe import one_line
from ..core.words import Sentence, Words
from . import journal, run_json
from .branch import Branch, Flag, FlagKind, letter
from .pages import Pages
from .scalars import HIGHEST, check_names, scalar, step_number
from .series import Series
from .waiting import Waiting

MOST_BRANCHES = 256
"""More mean that a step is repeated by mistake, an epoch's number for each batch for example."""
_WORDS = Words(__package__)


class Ledger:
    """Branches, flags and the state of one run.

    Args:
        folder: of the run; made with the first thing written.
        content: what `run.json` holds beside state and branches.
        branches: those of earlier sessions, the newest last; they are on disk already.
    """

    def __init__(self, folder: Path, content: dict[str, Any], branches: list[Branch]) -> None:
        self.folder = folder
        self.content = {"state": "idle", **content}
        self.branches = branches or [Branch("a")]
        self.inside: int | None = None
        """The step a loop is at: what `log` without a step means. None outside of one."""
        self.outside = -1
        """The last step a loop has done; what is logged after the loop belongs there."""
        self.step_began = 0.0
        self.replaying_until = 0
        """Where a rewind goes: until then steps are repeated, and were logged before. 0 without one."""
        self.bad = set[Series]()
        """Curves whose newest value is NaN or infinite."""
        self.bad_seen = 0
        """How often a curve that was finite before became bad."""
        self.fault = ""
        """Why the newest writing failed, empty when it did not."""
        self.waiting = Waiting(self._seen)
        self._pages = Pages(folder)
        self._pages.skip(self.branches)
        self._writing = threading.RLock()
        self._changed = True
        self._owner = os.getpid()
        self._open = False

    @property
    def branch(self) -> Branch:
        """The newest branch: the one that is logged to."""
        return self.branches[-1]

    def note(self, scalars: Mapping[str, Any], step: int | None, group: str) -> None:
        """Append a value to each curve; see `Run.log`."""
        now = time()
        at = self.inside if step is None else step
        curves = self.branches[-1].series
        # What is plain goes by here in half a microsecond; all else takes its time below.
        unusual = self.bad or self.waiting.series or self.replaying_until or not self._open
        if not unusual and (at is None or (type(at) is int and at <= HIGHEST)):
            for name, value in scalars.items():
                series = curves.get((name, group))
                if series is None or type(value) is not float or value - value != 0.0:
                    break
                if at is not None and at <= series.last_step:
                    break
            else:
                for name, value in scalars.items():
                    series = curves[name, group]
                    series.append(max(self.outside, series.last_step + 1) if at is None else at, value, now)
                return
        self._note_with_care(scalars, step, group, now)

    def begin_branch(self, at: int) -> Branch:
        """Leave the active branch: what is logged from step `at` on belongs to a new one.

        Raises:
            RuntimeError: if there are 256 branches already.
        """
        if len(self.branches) >= MOST_BRANCHES:
            raise RuntimeError(_WORDS("error.branches", count=MOST_BRANCHES, step=at))
        left = self.branch
        left.ended = left.last_step
        branch = Branch(letter(len(self.branches)), left, at)
        self.branches.append(branch)
        self.changed()
        return branch

    def flag(self, step: int, kind: FlagKind, sentence: Sentence) -> None:
        """Mark a step of the active branch."""
        self.branch.flags.append(Flag(step, kind, sentence))
        self.changed()

    def changed(self) -> None:
        """`run.json` is to be written again."""
        self._changed = True
        if not self._open:
            self.open()

    def open(self) -> None:
        """Write from now on."""
        self._open = True
        if self.content["state"] == "idle":
            self.content["state"] = "running"
        journal.add(self)

    def write(self) -> None:
        """Write what is new to disk. A fault is kept in `fault`, and the same is tried again next time."""
        if os.getpid() != self._owner:
            return
        with self._writing:
            self.waiting.settle()
            try:
                # Before the events: a branch's parent is known before it has points.
                if self._changed:
                    self._changed = False
                    run_json.save(self.folder, self.content, self.branches)
                self._pages.write(self.branches)
                self.fault = ""
            except OSError as error:
                self._changed = True
                self.fault = one_line(error, 200)

    def close(self) -> None:
        """Write everything and let go of the files. What is logged later opens them again."""
        if os.getpid() != self._owner:
            return
        journal.remove(self)
        self._open = False
        self.waiting.settle(whole=True)
        self.write()
        self._pages.close()

    def _note_with_care(self, scalars: Mapping[str, Any], step: int | None, group: str, now: float) -> None:
        given = None if step is None else step_number(step)
        check_names(scalars, group)
        values = {name: scalar(name, value) for name, value in scalars.items()}
        at = self.inside if given is None else given
        if self.replaying_until:
            return
        known = [series for name in values if (series := self._reached(name, group)) is not None]
        repeated = [series for series in known if at is not None and at <= series.last_step]
        if repeated and at is not None:
            if given is None and any(self._just_logged(series, at) for series in repeated):
                curve = one_line(f"{repeated[0].name}/{group}")
                raise ValueError(_WORDS("error.twice", curve=curve, step=at))
            self.begin_branch(at)
        if not self._open:
            self.open()
        for name, value in values.items():
            series = self.branch.curve(name, group)
            place = max(self.outside, series.last_step + 1) if at is None else at
            if isinstance(value, torch.Tensor) or series in self.waiting.series:
                self.waiting.add(series, place, value, now)
            else:
                series.append(place, value, now)
                self._seen(series, place, value)

    def _reached(self, name: str, group: str) -> Series | None:
        """The curve, with the step it has reached in this branch or in those before."""
        if self.branch.parent is not None:
            return self.branch.curve(name, group)
        return self.branch.series.get((name, group))

    def _just_logged(self, series: Series, at: int) -> bool:
        """Whether the newest point of a curve was logged in the step a loop is at now."""
        if series.last_step != at:
            return False
        if series in self.waiting.series:
            return True
        _, _, walls = series.since(max(0, len(series) - 1))
        return bool(walls.size and walls[-1] >= self.step_began)

    def _seen(self, series: Series, step: int, value: float) -> None:
        if value - value == 0.0:
            self.bad.discard(series)
        elif series not in self.bad:
            self.bad.add(series)
            self.bad_seen += 1
            curve = one_line(f"{series.name}/{series.group}")
            self.flag(step, "nan", Sentence("flag.nan", {"curve": curve, "value": str(value), "step": step}))
