"""How far a person is in a saved chapter: what has run, and which exercises are passed.

Progress lives in the notebook itself: an exercise is a code cell with `torchloupe.exercise` in its metadata,
and it is passed when its output says so. The browser reads the same from an open notebook (`outline.ts`).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..core.language import LANGUAGES, parse

CHECK_MIME = "application/vnd.torchloupe.check+json"
_EMPHASIS = re.compile(r"[`*]")


@dataclass(frozen=True, slots=True)
class Exercise:
    """An exercise of a section and whether its last check passed."""

    id: str
    passed: bool


@dataclass(slots=True)
class Section:
    """The cells from one second-level heading to the next."""

    title: dict[str, str]
    """By language; a heading without a language stands for all."""
    cells: dict[str, str]
    """Ids of the heading's cells, by language."""
    code: int = 0
    """How many code cells it has."""
    run: int = 0
    """How many of them have run."""
    exercises: list[Exercise] = field(default_factory=list)


def sections(notebook: Path) -> list[Section]:
    """Read the sections of a saved notebook.

    Args:
        notebook: a `.ipynb` file of format 4.

    Raises:
        OSError: if it cannot be read.
        ValueError: if it is no notebook.
    """
    content = json.loads(notebook.read_text("utf-8"))
    try:
        return _sections(content["cells"])
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"{notebook} is not a notebook") from error


def _sections(cells: list[dict[str, Any]]) -> list[Section]:
    found: list[Section] = []
    pairs: dict[str, Section] = {}
    for cell in cells:
        ours = _ours(cell)
        if cell["cell_type"] == "markdown":
            _read_heading(cell, ours, found, pairs)
        elif cell["cell_type"] == "code" and found:
            _read_code(cell, ours, found[-1])
    return found


def _read_heading(
    cell: dict[str, Any], ours: dict[str, Any], found: list[Section], pairs: dict[str, Section]
) -> None:
    source = _text(cell["source"]).lstrip()
    if not source.startswith("## "):
        return
    title = _EMPHASIS.sub("", source.split("\n", 1)[0].removeprefix("## ")).strip()
    pair, id = ours.get("id"), str(cell.get("id", ""))
    if isinstance(pair, str) and pair in pairs:
        language = parse(str(ours.get("lang", ""))) or "en"
        pairs[pair].title[language] = title
        pairs[pair].cells[language] = id
        return
    found.append(Section(dict.fromkeys(LANGUAGES, title), dict.fromkeys(LANGUAGES, id)))
    if isinstance(pair, str):
        pairs[pair] = found[-1]


def _read_code(cell: dict[str, Any], ours: dict[str, Any], section: Section) -> None:
    section.code += 1
    section.run += cell.get("execution_count") is not None
    exercise = ours.get("exercise")
    if isinstance(exercise, str):
        verdicts = [output.get("data", {}).get(CHECK_MIME) for output in cell.get("outputs", [])]
        section.exercises.append(Exercise(exercise, any(_passes(verdict, exercise) for verdict in verdicts)))


def _passes(verdict: object, exercise: str) -> bool:
    return isinstance(verdict, dict) and verdict.get("passed") is True and verdict.get("exercise") == exercise


def _ours(cell: dict[str, Any]) -> dict[str, Any]:
    ours = cell.get("metadata", {}).get("torchloupe")
    return ours if isinstance(ours, dict) else {}


def _text(source: str | list[str]) -> str:
    return source if isinstance(source, str) else "".join(source)
