"""`run.json`: what event files cannot hold. Put in place whole, so it is never half a file."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

from ..core.safe import one_line
from ..core.words import Sentence, Words
from .branch import Branch, Flag, FlagKind

NAME = "run.json"
_WORDS = Words(__package__)
_DEEPEST = 8


def save(folder: Path, content: Mapping[str, Any], branches: list[Branch]) -> None:
    """Write `run.json`, branches with parents, steps and flags included.

    Raises:
        OSError: if the folder cannot be written.
    """
    whole = {**content, "branches": [_branch(branch) for branch in branches]}
    folder.mkdir(parents=True, exist_ok=True)
    draft = folder / f".{NAME}.{os.getpid()}"
    draft.write_text(json.dumps(whole, ensure_ascii=False, indent=1, allow_nan=False) + "\n", "utf-8")
    draft.replace(folder / NAME)


def load(folder: Path) -> tuple[dict[str, Any], list[Branch]]:
    """What was saved: its content, and its branches without curves.

    The file may come from anywhere, so whatever is not as `save` writes it is left out.

    Raises:
        FileNotFoundError: if there is none.
        ValueError: if it is not a JSON object.
    """
    content = json.loads((folder / NAME).read_text("utf-8"))
    if not isinstance(content, dict):
        raise ValueError(_WORDS("error.run_json", folder=str(folder)))  # noqa: TRY004
    listed = content.pop("branches", None)
    branches = list[Branch]()
    for entry in listed if isinstance(listed, list) else []:
        if isinstance(entry, dict) and isinstance(entry.get("name"), str):
            branches.append(_as_branch(entry, branches))
    return content, branches or [Branch("a")]


def plain(value: Any, depth: int = 0) -> Any:
    """A value as JSON can hold it: what has no such form is its one-line text."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if depth < _DEEPEST and isinstance(value, Mapping):
        return {one_line(key): plain(item, depth + 1) for key, item in value.items()}
    if depth < _DEEPEST and isinstance(value, list | tuple):
        return [plain(item, depth + 1) for item in value]
    return one_line(value)


def _branch(branch: Branch) -> dict[str, Any]:
    return {
        "name": branch.name,
        "parent": branch.parent.name if branch.parent else None,
        "at": branch.at,
        "ended": branch.ended,
        "flags": [plain(asdict(flag)) for flag in list(branch.flags)],
    }


def _as_branch(entry: dict[str, Any], before: list[Branch]) -> Branch:
    parent = next((branch for branch in before if branch.name == entry.get("parent")), None)
    at, ended = entry.get("at"), entry.get("ended")
    if before and parent is None:
        parent = before[-1]
    if parent is not None and (not isinstance(at, int) or at < 0):
        at = 0
    flags = entry.get("flags")
    read = [_as_flag(flag) for flag in flags] if isinstance(flags, list) else []
    return Branch(
        one_line(entry["name"]),
        parent,
        at if parent else None,
        ended if isinstance(ended, int) else None,
        flags=[flag for flag in read if flag],
    )


def _as_flag(entry: Any) -> Flag | None:
    try:
        step, kind, sentence = entry["step"], entry["kind"], entry["sentence"]
        args = {str(name): value for name, value in sentence["args"].items()}
        said = Sentence(str(sentence["id"]), args)
        _WORDS.say(said)
    except (KeyError, TypeError, AttributeError):
        return None
    good = isinstance(step, int) and kind in get_args(FlagKind)
    return Flag(step, kind, said) if good else None
