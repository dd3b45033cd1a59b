"""One line of the table: what was measured, against what, and whether it is within its limit."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal
from unicodedata import east_asian_width

HEADINGS = ("measure", "ours", "fastest", "middle half", "peer or limit", "ratio", "verdict")

Verdict = Literal["within", "over", "reported", "peer missing"]


@dataclass(frozen=True)
class Row:
    """A measured value.

    Args:
        measure: what was measured.
        ours: the value, in `unit`.
        unit: such as "ms", or "×" for a ratio.
        limit: the most it should be, in the same unit.
        peer: what the other way gave in the same run, in the same unit.
        beside: the name of the other way.
        values: what `ours` is the median (or mean) of.
        low, high: where the middle half of the samples lies, or an interval that `note` names.
        best: the least of the samples, nearest to what a quiet machine would give.
        note: what a reader must know to read the value right.
    """

    measure: str
    ours: float | None
    unit: str = ""
    limit: float | None = None
    peer: float | None = None
    beside: str = ""
    values: tuple[float, ...] = ()
    low: float | None = None
    high: float | None = None
    best: float | None = None
    note: str = ""

    @classmethod
    def median(cls, measure: str, values: Sequence[float], unit: str, **rest: Any) -> Row:
        """The median of `values`, with the quartiles."""
        ends: dict[str, Any] = {}
        if len(values) > 1:
            first, _, third = statistics.quantiles(values, n=4, method="inclusive")
            ends = {"low": first, "high": third}
        sample = {"values": tuple(values), "best": min(values)}
        return cls(measure, statistics.median(values), unit, **sample, **ends, **rest)

    @property
    def ratio(self) -> float | None:
        """Ours over the peer's, or over the limit where there is no peer."""
        other = self.peer if self.peer is not None else self.limit
        return None if self.ours is None or not other else self.ours / other

    @property
    def verdict(self) -> Verdict:
        if self.ours is None:
            return "peer missing"
        if self.limit is None:
            return "reported"
        return "over" if self.ours > self.limit else "within"

    def stored(self) -> dict[str, Any]:
        """The row as JSON, with what follows from it."""
        return {**asdict(self), "ratio": self.ratio, "verdict": self.verdict}

    def cells(self) -> tuple[str, ...]:
        """The row as texts, one for each of `HEADINGS`."""
        against = []
        if self.peer is not None:
            against.append(f"{self.beside} {_amount(self.peer, self.unit)}")
        elif self.beside:
            against.append(self.beside)
        if self.limit is not None:
            against.append(f"≤ {_amount(self.limit, self.unit)}")
        spread = (
            "" if self.low is None or self.high is None else f"{_number(self.low)} … {_number(self.high)}"
        )
        ratio = "" if self.ratio is None else f"{self.ratio:.3g}×"
        ours = "" if self.ours is None else _amount(self.ours, self.unit)
        best = "" if self.best is None else _number(self.best)
        return self.measure, ours, best, spread, ", ".join(against), ratio, self.verdict


def table(rows: Sequence[Row]) -> str:
    """Rows under their headings, in aligned columns; notes below, by number."""
    notes = list(dict.fromkeys(row.note for row in rows if row.note))
    lines = [HEADINGS]
    for row in rows:
        first, *others = row.cells()
        lines.append((f"{first} [{notes.index(row.note) + 1}]" if row.note else first, *others))
    widths = [max(_width(line[place]) for line in lines) for place in range(len(HEADINGS))]
    lines.insert(1, tuple("─" * width for width in widths))
    aligned = [
        "  ".join(_padded(text, width) for text, width in zip(line, widths, strict=True)) for line in lines
    ]
    return "\n".join(
        [*(line.rstrip() for line in aligned), *(f"[{n}] {note}" for n, note in enumerate(notes, 1))]
    )


def _amount(value: float, unit: str) -> str:
    return f"{_number(value)} {unit}".rstrip()


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:.3g}"


def _width(text: str) -> int:
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _width(text))
