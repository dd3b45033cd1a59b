"""The size of each lens' view, which is sent and may be saved with every widget."""

from __future__ import annotations

import gzip
from pathlib import Path

import torchloupe
from tests.bench.row import Row
from torchloupe.core.view import SCRIPT, STYLE

LIMIT_BYTES = 60_000
LIMITS_BYTES = {"autograd": 100_000, "training": 100_000, "memory": 100_000}


def measure(share: float) -> list[Row]:
    del share
    package = Path(torchloupe.__file__).parent
    views = sorted(package.glob(f"*/{SCRIPT}"))
    if not views:
        raise FileNotFoundError(f"{package} has no built view: run `make build`.")
    rows = []
    for view in views:
        room, script, style = view.parent.name, view.read_bytes(), view.with_name(STYLE).read_bytes()
        most = LIMITS_BYTES.get(room, LIMIT_BYTES)
        rows += [
            Row(f"{room}/{SCRIPT}", len(script), "B", most, note=_doubt(script)),
            Row(f"{room}/{STYLE}", len(style), "B"),
            Row(f"{room}, both gzipped", len(gzip.compress(script + style)), "B"),
        ]
    return rows


def _doubt(script: bytes) -> str:
    return "not minified, as `make dev` leaves it: run `make build`" if script.count(b"\n") > 200 else ""
