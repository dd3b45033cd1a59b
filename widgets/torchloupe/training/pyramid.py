"""Minimum and maximum of any stretch of a growing series, in time that does not depend on its length.

Level k of the pyramid holds the minimum, the maximum and the number of non-finite values of each block of
16ᵏ points. A stretch is made of at most 30 blocks of each level, so a thousand pixel columns over ten million
points read some hundred thousand numbers. The pyramid takes 1.3 bytes a point beside the series itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FACTOR = 16
_GROWTH = 1.25

Floats = NDArray[np.float64]
Places = NDArray[np.int64]


class Growing:
    """A NumPy array that is appended to in place; a quarter of it at most is room to grow."""

    def __init__(self, dtype: type[np.generic]) -> None:
        self._room: NDArray[np.generic] = np.empty(64, dtype)
        self._length = 0

    def __len__(self) -> int:
        return self._length

    @property
    def nbytes(self) -> int:
        """Bytes held, room to grow included."""
        return self._room.nbytes

    @property
    def array(self) -> NDArray[np.generic]:
        """What was written, without a copy. Let go of it before the next `write`."""
        return self._room[: self._length]

    def write(self, start: int, values: NDArray[np.generic]) -> None:
        """Put `values` at `start`, over what stands there and beyond the end."""
        end = start + len(values)
        if end > len(self._room):
            # In place: the system moves large blocks by their pages, without copying them.
            self._room.resize(max(end, int(len(self._room) * _GROWTH)), refcheck=False)
        self._room[start:end] = values
        self._length = max(self._length, end)


@dataclass(frozen=True, slots=True)
class _Level:
    low: Growing
    high: Growing
    bad: Growing


@dataclass(frozen=True, slots=True)
class Stretches:
    """What the points of each stretch amount to; one entry a stretch."""

    low: Floats
    """The least finite value; NaN where there is none."""
    high: Floats
    """The greatest finite value; NaN where there is none."""
    bad: Places
    """How many values are NaN or infinite."""


class Pyramid:
    """The series' values and the pyramid over them.

    Example:
        >>> import numpy as np
        >>> pyramid = Pyramid()
        >>> pyramid.extend(np.array([3.0, 1.0, 2.0]))
        >>> pyramid.reduce(np.array([0, 1]), np.array([3, 1])).low.tolist()
        [1.0, nan]
    """

    def __init__(self) -> None:
        self._values = Growing(np.float64)
        self._levels = list[_Level]()

    def __len__(self) -> int:
        return len(self._values)

    @property
    def nbytes(self) -> int:
        """Bytes held by values and levels."""
        parts = [part for level in self._levels for part in (level.low, level.high, level.bad)]
        return self._values.nbytes + sum(part.nbytes for part in parts)

    @property
    def values(self) -> Floats:
        """All values, without a copy. Let go of it before the next `extend`."""
        return self._values.array  # type: ignore[return-value]

    def extend(self, values: Floats) -> None:
        """Append values; only the blocks they touch are reckoned again.

        Args:
            values: float64, shape (n,).
        """
        old = len(self)
        self._values.write(old, values)
        touched = old
        for depth in range(1, 64):
            length = self._length(depth - 1)
            if length <= 1 and depth > len(self._levels):
                return
            if depth > len(self._levels):
                self._levels.append(_Level(Growing(np.float64), Growing(np.float64), Growing(np.int32)))
                touched = 0
            touched //= FACTOR
            self._renew(depth, touched)

    def reduce(self, starts: Places, ends: Places) -> Stretches:
        """Minimum, maximum and bad count of the points `starts[i] … ends[i] - 1` of each stretch.

        Args:
            starts: int64, shape (n,), not below 0.
            ends: int64, shape (n,), not above the length; not above its start, a stretch is empty.
        """
        low = np.full(len(starts), np.inf)
        high = np.full(len(starts), -np.inf)
        bad = np.zeros(len(starts), np.int64)
        start, end = starts.astype(np.int64), np.maximum(ends, starts).astype(np.int64)
        for depth in range(len(self._levels) + 1):
            first, last = -(-start // FACTOR), end // FACTOR
            inside = (first <= last) if depth < len(self._levels) else np.zeros(len(start), np.bool_)
            for begin, stop in (
                (start, np.where(inside, first * FACTOR, end)),
                (np.where(inside, last * FACTOR, end), end),
            ):
                self._gather(depth, begin, stop, low, high, bad)
            start, end = np.where(inside, first, 0), np.where(inside, last, 0)
        none = low > high
        low[none] = high[none] = np.nan
        return Stretches(low, high, bad)

    def _length(self, depth: int) -> int:
        return len(self._values) if depth == 0 else len(self._levels[depth - 1].low)

    def _renew(self, depth: int, first: int) -> None:
        """Reckon the blocks of level `depth` from `first` on."""
        low, high, bad = self._below(depth - 1, first * FACTOR)
        padding = -len(low) % FACTOR
        blocks = (-1, FACTOR)
        level = self._levels[depth - 1]
        level.low.write(first, np.pad(low, (0, padding), constant_values=np.inf).reshape(blocks).min(1))
        level.high.write(first, np.pad(high, (0, padding), constant_values=-np.inf).reshape(blocks).max(1))
        level.bad.write(first, np.pad(bad, (0, padding)).reshape(blocks).sum(1, dtype=np.int32))

    def _below(self, depth: int, start: int) -> tuple[Floats, Floats, Places]:
        """Minimum, maximum and bad count of each block of level `depth` from `start` on."""
        if depth == 0:
            return _seen(self.values[start:])
        level = self._levels[depth - 1]
        return tuple(part.array[start:] for part in (level.low, level.high, level.bad))  # type: ignore[return-value]

    def _gather(self, depth: int, start: Places, end: Places, low: Floats, high: Floats, bad: Places) -> None:
        """Take blocks `start … end - 1` of a level into each stretch."""
        width = int((end - start).max(initial=0))
        if width == 0:
            return
        places = start[:, None] + np.arange(width)
        there = places < end[:, None]
        places[~there] = 0
        if depth == 0:
            least, most, faults = _seen(self.values[places])
        else:
            level = self._levels[depth - 1]
            least, most = level.low.array[places], level.high.array[places]
            faults = level.bad.array[places]
        np.minimum(low, np.where(there, least, np.inf).min(1), out=low)
        np.maximum(high, np.where(there, most, -np.inf).max(1), out=high)
        bad += np.where(there, faults, 0).sum(1)


def _seen(values: Floats) -> tuple[Floats, Floats, Places]:
    """Values as blocks of one: what is not finite counts as bad and is neither least nor greatest."""
    finite = np.isfinite(values)
    return np.where(finite, values, np.inf), np.where(finite, values, -np.inf), (~finite).astype(np.int64)
