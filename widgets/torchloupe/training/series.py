"""One curve: what a loop appended to it, and its columns for any window of steps.

The loop appends to three plain arrays and nothing else happens on its thread. Whoever reads the curve first
settles what came into NumPy arrays and the pyramid, so a loop never waits for a reader for longer than
it takes to copy the new points.
"""

from __future__ import annotations

import threading
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from .pyramid import Floats, Growing, Places, Pyramid


@dataclass(frozen=True, slots=True)
class Columns:
    """A curve as one entry a pixel column, those without points left out. All arrays have one length."""

    column: Places
    """Which column, from 0."""
    first: Floats
    """The first value in the column, in order of steps."""
    low: Floats
    """The least finite value, NaN when there is none."""
    high: Floats
    """The greatest finite value, NaN when there is none."""
    last: Floats
    """The last value."""
    points: Places
    """How many points the column holds."""
    bad: Places
    """How many of them are NaN or infinite."""


class Series:
    """The points of one curve, in ascending steps.

    One thread appends; any thread may read.

    Args:
        name: `loss`.
        group: `train`.
        last_step: the newest step before its first point: that of the branch it goes on from, or -1.

    Example:
        >>> from torchloupe.training.series import Series
        >>> series = Series("loss", "train")
        >>> for step in range(3):
        ...     series.append(step, 1 / (step + 1), 0.0)
        >>> series.values.tolist()
        [1.0, 0.5, 0.3333333333333333]
    """

    def __init__(self, name: str, group: str, last_step: int = -1) -> None:
        self.name = name
        self.group = group
        self.last_step = last_step
        """The newest step, a value that is still on a device included; the next one is above it."""
        self._new_steps, self._new_values, self._new_walls = array("q"), array("d"), array("d")
        self._steps, self._walls, self._pyramid = Growing(np.int64), Growing(np.float64), Pyramid()
        self._lock = threading.Lock()

    def append(self, step: int, value: float, wall_time: float) -> None:
        """Add a point. Its step is above `last_step`: whoever repeats a step begins a branch."""
        self.arrive(step, value, wall_time)
        self.last_step = step

    def arrive(self, step: int, value: float, wall_time: float) -> None:
        """Add a point whose step was counted before: its value comes late, from a device."""
        # The wall time comes last: a reader takes only points whose three parts are all there.
        self._new_steps.append(step)
        self._new_values.append(value)
        self._new_walls.append(wall_time)

    def extend(self, steps: Iterable[int], values: Iterable[float], wall_times: Iterable[float]) -> None:
        """Add many points in ascending steps."""
        for point in zip(steps, values, wall_times, strict=True):
            self.append(*point)

    def __len__(self) -> int:
        with self._lock:
            return self._settled()

    @property
    def steps(self) -> Places:
        """int64, shape (n,), strictly ascending: a copy."""
        with self._lock:
            self._settled()
            return cast("Places", self._steps.array.copy())

    @property
    def values(self) -> Floats:
        """float64, shape (n,): a copy."""
        with self._lock:
            self._settled()
            return self._pyramid.values.copy()

    @property
    def wall_time(self) -> Floats:
        """float64, shape (n,), seconds since the epoch: a copy."""
        with self._lock:
            self._settled()
            return cast("Floats", self._walls.array.copy())

    @property
    def nbytes(self) -> int:
        """Bytes held, the pyramid and room to grow included."""
        with self._lock:
            self._settled()
            return self._steps.nbytes + self._walls.nbytes + self._pyramid.nbytes

    def since(self, place: int) -> tuple[Places, Floats, Floats]:
        """Steps, values and wall times from the point at `place` on: copies."""
        with self._lock:
            self._settled()
            parts = (self._steps.array, self._pyramid.values, self._walls.array)
            steps, values, walls = (part[place:].copy() for part in parts)
            return cast("Places", steps), cast("Floats", values), cast("Floats", walls)

    def columns(self, left: float, right: float, count: int) -> Columns:
        """The curve between two steps as pixel columns (M4: first, low, high and last of each).

        The polyline through the four values of each column covers the same pixels as the curve itself
        (Jugel et al., "M4: A Visualization-Oriented Time Series Data Aggregation", VLDB 2014).

        Args:
            left: the step at the left edge of the first column.
            right: the step at the right edge of the last column, above `left`.
            count: how many columns.
        """
        with self._lock:
            self._settled()
            edges = left + (right - left) * (np.arange(count + 1) / count)
            ends = np.searchsorted(self._steps.array, edges, side="left")
            # The last column is closed at the right, so that the newest point is drawn.
            ends[-1] = np.searchsorted(self._steps.array, right, side="right")
            column = np.flatnonzero(ends[1:] > ends[:-1])
            starts, stops = ends[column], ends[column + 1]
            found = self._pyramid.reduce(starts, stops)
            values = self._pyramid.values
            return Columns(
                column,
                values[starts],
                found.low,
                found.high,
                values[stops - 1],
                stops - starts,
                found.bad,
            )

    def _settled(self) -> int:
        """Move what was appended into the arrays; the number of points there are then."""
        count = len(self._new_walls)
        if count:
            start = len(self._steps)
            self._steps.write(start, _taken(self._new_steps, count, np.int64))
            self._walls.write(start, _taken(self._new_walls, count, np.float64))
            self._pyramid.extend(cast("Floats", _taken(self._new_values, count, np.float64)))
        return len(self._steps)


def _taken(inbox: array[int] | array[float], count: int, dtype: type[np.generic]) -> NDArray[np.generic]:
    """The first `count` entries, removed from the inbox.

    Slicing and deleting are single steps for the interpreter, so the loop may append in between. A buffer
    over the inbox itself would make its next append raise.
    """
    taken = np.frombuffer(inbox[:count], dtype)
    del inbox[:count]
    return taken
