"""Lays the course out in a person's folder, and never over what the person changed.

A file of the course is theirs as soon as it differs from what was laid out, so the digest of each is
remembered in `.torchloupe/laid-out.json`. Each file appears whole or not at all: it is written beside
and renamed, so an interruption at any point leaves a folder that works and that the next run completes.
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Literal, cast

from .chapters import Chapter, chapters

PRIVATE = ".torchloupe"
_RECORD = "laid-out.json"

Standing = Literal["missing", "shipped", "outdated", "edited"]
"""How a file stands: not there, as shipped now, as shipped earlier, or changed by the person."""


def lay_out(course: Path, shipped: Path | None = None) -> list[Path]:
    """Bring every chapter the person has not changed to the shipped version.

    Args:
        course: the person's folder; made if it is not there.
        shipped: where the chapters come from; those of the package by default.

    Returns:
        The files written, in order. A changed file is left as it is and is not among them.

    Raises:
        OSError: if `course` cannot be written; what was written until then is whole.
    """
    (course / PRIVATE).mkdir(parents=True, exist_ok=True)
    written = []
    for chapter in chapters(shipped):
        for source in _files(chapter):
            target = _target(course, chapter, source)
            content = source.read_bytes()
            found = _standing(course, target, content)
            if found in ("missing", "outdated"):
                _write(course, target, content)
                written.append(target)
            if found != "edited":
                _remember(course, target, content)
    return written


def standing(course: Path, chapter: Chapter) -> Standing:
    """How the person's copy of a chapter stands: `edited` if any of its files is, else the notebook's."""
    found = [_standing(course, _target(course, chapter, file), file.read_bytes()) for file in _files(chapter)]
    for worst in cast("tuple[Standing, ...]", ("edited", "missing", "outdated")):
        if worst in found:
            return worst
    return "shipped"


def reset(course: Path, id: str, shipped: Path | None = None) -> Path | None:
    """Lay one chapter out as shipped, and keep what the person changed aside.

    Args:
        course: the person's folder.
        id: the chapter, such as `"01-strides"`.
        shipped: where the chapters come from; those of the package by default.

    Returns:
        The person's notebook under its new name, `chapter (yours 2026-12-01 1430).ipynb`, or None when it had
        no change to keep.

    Raises:
        LookupError: if no such chapter is shipped.
    """
    chapter = next((chapter for chapter in chapters(shipped) if chapter.id == id), None)
    if chapter is None:
        raise LookupError(f"no chapter {id!r} is shipped")
    (course / PRIVATE).mkdir(parents=True, exist_ok=True)
    kept = None
    for source in _files(chapter):
        target = _target(course, chapter, source)
        content = source.read_bytes()
        if _standing(course, target, content) == "edited":
            aside = _keep_aside(target)
            kept = aside if target.suffix == ".ipynb" else kept
        _write(course, target, content)
        _remember(course, target, content)
    return kept


def _files(chapter: Chapter) -> Iterator[Path]:
    for path in sorted(chapter.folder.rglob("*")):
        inside = path.relative_to(chapter.folder).parts
        if path.is_file() and not any(part.startswith((".", "__pycache__")) for part in inside):
            yield path


def _target(course: Path, chapter: Chapter, source: Path) -> Path:
    return course / chapter.id / source.relative_to(chapter.folder)


def _standing(course: Path, target: Path, content: bytes) -> Standing:
    if target.is_symlink() or (target.exists() and not target.is_file()):
        return "edited"
    try:
        theirs = target.read_bytes()
    except FileNotFoundError:
        return "missing"
    if theirs == content:
        return "shipped"
    return "outdated" if _record(course).get(_key(course, target)) == _digest(theirs) else "edited"


def _keep_aside(target: Path) -> Path:
    stamp = datetime.now().astimezone().strftime("%Y-%m-%d %H%M")
    content = target.read_bytes()
    for ordinal in range(1, 1000):
        more = f" {ordinal}" if ordinal > 1 else ""
        aside = target.with_name(f"{target.stem} (yours {stamp}{more}){target.suffix}")
        try:
            with aside.open("xb") as file:
                file.write(content)
        except FileExistsError:
            continue
        return aside
    raise FileExistsError(f"there are too many copies beside {target}")


def _write(course: Path, target: Path, content: bytes) -> None:
    """Replace `target` in one step; the part-written file stands in the private folder."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = course / PRIVATE / f"{uuid.uuid4().hex}.part"
    try:
        with part.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _remember(course: Path, target: Path, content: bytes) -> None:
    record, key, digest = _record(course), _key(course, target), _digest(content)
    if record.get(key) != digest:
        text = json.dumps(record | {key: digest}, indent=1, sort_keys=True)
        _write(course, course / PRIVATE / _RECORD, text.encode())


def _record(course: Path) -> dict[str, str]:
    """What was laid out, by path; empty when it cannot be read, and then all that differs is the person's."""
    try:
        record = json.loads((course / PRIVATE / _RECORD).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def _key(course: Path, target: Path) -> str:
    return target.relative_to(course).as_posix()


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()
