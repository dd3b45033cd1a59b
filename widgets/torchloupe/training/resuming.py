"""The ledger of a run: a new one, or one that goes on where its folder ends."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from time import time
from typing import Any

from . import archive, events, run_json
from .ledger import Ledger


def resumed(folder: Path, hyper: dict[str, Any]) -> Ledger:
    """The ledger of the run in a folder, with the curves of earlier sessions.

    Args:
        folder: of the run.
        hyper: hyperparameters of this session; the earlier ones stay where it has none of that name.
    """
    content: dict[str, Any] = {}
    branches = []
    if (folder / run_json.NAME).exists() or next(folder.glob(events.PATTERN), None):
        before = archive.open(folder)
        content, branches = before.content, before.branches
        hyper = {**before.hyper, **hyper}
    content = {"name": folder.name, "began": time(), **content}
    content |= {
        "state": "idle",
        "error": "",
        "hyper": hyper,
        "host": socket.gethostname(),
        "pid": os.getpid(),
    }
    return Ledger(folder, content, branches)
