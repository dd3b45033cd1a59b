"""The event files of a run, one folder a branch: what of each curve is written already."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from .branch import Branch
from .events import EventFile, Scalar
from .series import Series

_BLOCK = 4096


class Pages:
    """Writes the new points of all branches. One thread at a time.

    Args:
        folder: of the run.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files = dict[Branch, EventFile]()
        self._written = dict[Series, int]()

    def write(self, branches: list[Branch]) -> None:
        """Append what is new to the file of each branch.

        Raises:
            OSError: if it cannot be written. The same points are written to new files next time.
        """
        for branch in list(branches):
            for series in list(branch.series.values()):
                for block in self._new(series):
                    self._append(branch, block)
                    self._written[series] += len(block)

    def skip(self, branches: list[Branch]) -> None:
        """Take all points of these branches as written: they were read from the folder."""
        for branch in branches:
            self._written.update({series: len(series) for series in branch.series.values()})

    def close(self) -> None:
        """Close the files; later points go to new ones."""
        for file in self._files.values():
            file.close()
        self._files.clear()

    def _new(self, series: Series) -> Iterator[list[Scalar]]:
        steps, values, walls = series.since(self._written.setdefault(series, 0))
        tag = f"{series.name}/{series.group}"
        for start in range(0, len(steps), _BLOCK):
            block = slice(start, start + _BLOCK)
            points = zip(steps[block].tolist(), values[block].tolist(), walls[block].tolist(), strict=True)
            yield [Scalar(tag, step, value, wall) for step, value, wall in points]

    def _append(self, branch: Branch, scalars: list[Scalar]) -> None:
        try:
            if branch not in self._files or not self._files[branch].path.exists():
                self._files[branch] = EventFile(self._folder / branch.folder)
            self._files[branch].write(scalars)
        except OSError:
            # The end may be torn now, and nothing after a torn record is read: go on in a new file.
            if file := self._files.pop(branch, None):
                file.close()
            raise
