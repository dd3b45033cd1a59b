"""Numbers that stand for structures: equal ones for equal structures, others almost surely not (64 bits)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
_ODD = np.uint64(0x9E3779B97F4A7C15)
_TURN = np.uint64(29)


def mix(*columns: Any) -> Hashes:
    """One number a row, from integer columns (or single integers) in this order."""
    with np.errstate(over="ignore"):
        mixed = np.full(1, len(columns), np.uint64)
        for column in columns:
            mixed = (mixed ^ np.asarray(column).astype(np.uint64)) * _ODD
            mixed = (mixed ^ (mixed >> _TURN)) * np.uint64(0xBF58476D1CE4E5B9)
            mixed ^= mixed >> np.uint64(32)
    return mixed


def summed(hashes: Hashes, bins: NDArray[Any], count: int) -> Hashes:
    """Per bin: the sum of its hashes modulo 2⁶⁴, so that their order does not matter."""
    out = np.zeros(count, np.uint64)
    np.add.at(out, bins, hashes)
    return out


def of(*values: int) -> int:
    """`mix` of single integers."""
    return int(mix(*[np.array([value % 2**64], np.uint64) for value in values])[0])
