"""The person's own lines behind a graph, for showing them beside it."""

from __future__ import annotations

import linecache
import re
from pathlib import Path
from textwrap import dedent

from .explain_lines import shell
from .record import GraphRecord
from .state import CodeLine

MOST_LINES = 6
"""More lines are no longer few."""
_CELL = re.compile(r"In\[(\d+)\]")


def few_lines(record: GraphRecord) -> list[CodeLine]:
    """The lines the nodes came from, when a trace recorded them and they are few and stand in one place."""
    if not record.lines or len(record.columns.type) > 10 * MOST_LINES**2:
        return []
    found = {(line.place, line.number) for line in record.remains.lines or () if line is not None}
    if not 0 < len(found) <= MOST_LINES or len({place for place, _ in found}) > 1:
        return []
    numbers = [(number, text) for place, number in sorted(found) if (text := line_text(place, number))]
    texts = dedent("\n".join(text for _, text in numbers)).splitlines()
    return [CodeLine(number=number, text=text) for (number, _), text in zip(numbers, texts, strict=True)]


def line_text(place: str, number: int) -> str:
    """A line by its place, `In[7]` or the name of a file; empty when its source is not known."""
    lines = _source(place)
    return lines[number - 1].rstrip("\r\n") if 0 < number <= len(lines) else ""


def _source(place: str) -> list[str]:
    cell = _CELL.fullmatch(place)
    running = shell()
    if cell is not None and running is not None:
        typed = running.user_ns.get("In", [])
        return str(typed[int(cell[1])]).splitlines() if int(cell[1]) < len(typed) else []
    names = [name for name in list(linecache.cache) if Path(name).name == place]
    return linecache.getlines(names[0]) if len(names) == 1 else []
