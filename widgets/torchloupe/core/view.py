"""Finds the built view of a lens: one JavaScript module and one style sheet beside its `lens.py`."""

from __future__ import annotations

import os
from pathlib import Path

SCRIPT = "view.js"
STYLE = "view.min.css"


def built(module_file: str, name: str) -> str | Path:
    """The built file `name` of the room that holds `module_file`.

    Its text, which is what a front end is sent. Under `ANYWIDGET_HMR=1` the path instead, so that anywidget
    watches it; not otherwise, because anywidget's file watcher keeps every widget ever made alive.

    Raises:
        FileNotFoundError: if the view was not built (`make build` builds it).
    """
    path = Path(module_file).with_name(name)
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing: run `make build` in the Torchloupe checkout.")
    return path if os.environ.get("ANYWIDGET_HMR") == "1" else path.read_text("utf-8")
