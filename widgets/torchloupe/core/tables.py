"""Tables a view pulls: typed columns of any length, in pieces the comm can carry.

A frame says how many rows a table has; a view asks for the ones it lacks, `{"type": "pull", "table": …,
"from": …}`, and gets at most 256 kB at a time as binary columns. It asks for the next piece when it has
this one, so nothing is ever flooded, nothing is lost, and a late or second view needs no history.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_BYTES = 256 * 1024
_WIRE = {"i": "<i4", "u": "u1", "f": "<f4"}
"""Kinds of column: 32-bit integer, byte, 32-bit float."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows with one value in each column.

    Args:
        columns: arrays of one length by name; integers travel as int32, `uint8` as bytes, floats as float32.
        strings: instead of columns, a table of strings.
    """

    columns: Mapping[str, NDArray[Any]] | None = None
    strings: Sequence[str] | None = None

    def __len__(self) -> int:
        if self.strings is not None:
            return len(self.strings)
        assert self.columns is not None
        return min((len(column) for column in self.columns.values()), default=0)

    def piece(self, start: int) -> tuple[dict[str, Any], list[bytes]]:
        """The rows from `start` on that fit one message: what to say of them, and one buffer a column."""
        return self._strings(start) if self.strings is not None else self._columns(start)

    def _strings(self, start: int) -> tuple[dict[str, Any], list[bytes]]:
        assert self.strings is not None
        taken, size = list[str](), 0
        for string in self.strings[start : start + MOST_BYTES // 4]:
            size += len(string.encode("utf-8", "replace")) + 3
            if taken and size > MOST_BYTES:
                break
            taken.append(string)
        return {"from": start, "count": len(taken), "strings": taken}, []

    def _columns(self, start: int) -> tuple[dict[str, Any], list[bytes]]:
        assert self.columns is not None
        kinds = {name: _kind(column) for name, column in self.columns.items()}
        width = sum(np.dtype(_WIRE[kind]).itemsize for kind in kinds.values())
        count = max(0, min(len(self) - start, MOST_BYTES // width))
        buffers = [
            np.ascontiguousarray(column[start : start + count], _WIRE[kinds[name]]).tobytes()
            for name, column in self.columns.items()
        ]
        return {"from": start, "count": count, "columns": [[n, k] for n, k in kinds.items()]}, buffers


def _kind(column: NDArray[Any]) -> str:
    if column.dtype == np.uint8:
        return "u"
    return "f" if column.dtype.kind == "f" else "i"
