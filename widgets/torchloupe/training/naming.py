"""The name of a run and its folder."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import Any

from ..core.safe import one_line
from ..core.words import Words

_WORDS = Words(__package__)
_LONGEST = 120


def folder_of(name: Any, logdir: Any) -> Path:
    """The folder of a run, made when it is not there.

    Args:
        name: of the run; None for a new one named after the time, with `-2`, `-3` … where that is taken.
        logdir: the folder of all runs.

    Raises:
        TypeError: if the name is no string or `logdir` no path.
        ValueError: if the name cannot be one folder.
        OSError: if the folder cannot be made.
    """
    if not isinstance(logdir, str | os.PathLike):
        raise TypeError(_WORDS("error.logdir", kind=one_line(type(logdir).__name__)))
    parent = Path(logdir).expanduser().absolute()
    if name is not None:
        folder = parent / _checked(name)
        folder.mkdir(parents=True, exist_ok=True)
        return folder
    parent.mkdir(parents=True, exist_ok=True)
    stem = f"run-{datetime.now().astimezone():%Y%m%d-%H%M%S}"
    count = 1
    while True:
        folder = parent / (stem if count == 1 else f"{stem}-{count}")
        try:
            folder.mkdir()
        except FileExistsError:
            count += 1
        else:
            return folder


def _checked(name: Any) -> str:
    if not isinstance(name, str):
        raise TypeError(_WORDS("error.run_name_kind", kind=one_line(type(name).__name__)))
    fits = name.strip() and len(name) <= _LONGEST and name.isprintable()
    if not fits or name in {".", ".."} or set(name) & set('/\\:*?"<>|'):
        raise ValueError(_WORDS("error.run_name", name=one_line(name)))
    return name
