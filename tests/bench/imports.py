"""What `import torchloupe` adds to a notebook that has torch and ipywidgets."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys

from tests.bench.rounds import repeats
from tests.bench.row import Row

LIMIT_MS = 50
BASE = "import torch, ipywidgets"
OURS = "import torchloupe"
FIRST_USE = "from torchloupe.strides import StridesLens"

Times = list[tuple[float, float]]
"""Milliseconds of each statement: on the clock, and of the processor."""


def measure(share: float) -> list[Row]:
    pairs = [_pair(turn) for turn in range(repeats(11, share))]
    base = statistics.median(without[0][0] for without, _ in pairs)
    whole = [sum(cpu for _, cpu in times[:2]) - without[0][1] for without, times in pairs]
    return [
        Row.median(
            f"{OURS}, added",
            [times[1][0] for _, times in pairs],
            "ms",
            limit=LIMIT_MS,
            note=f"after `{BASE}` in the same fresh interpreter, which took {base:,.0f} ms",
        ),
        Row.median(
            f"{OURS}, processor time added",
            whole,
            "ms",
            limit=LIMIT_MS,
            note="differences of interleaved pairs of fresh interpreters, with and without",
        ),
        Row.median(
            "first use of the strides lens, its modules",
            [times[2][0] for _, times in pairs],
            "ms",
            note=f"`{FIRST_USE}` after both",
        ),
    ]


def _pair(turn: int) -> tuple[Times, Times]:
    """Without and with ours, in an order that turns."""
    if turn % 2:
        ours = _fresh(BASE, OURS, FIRST_USE)
        return _fresh(BASE), ours
    return _fresh(BASE), _fresh(BASE, OURS, FIRST_USE)


def _fresh(*statements: str) -> Times:
    """Times of statements in a fresh interpreter."""
    look = "times.append((perf_counter() * 1e3, process_time() * 1e3))"
    lines = ["from time import perf_counter, process_time", "times = []", look]
    for statement in statements:
        lines += [statement, look]
    lines.append(
        "import json; print(json.dumps([[b - a for a, b in zip(*two)] for two in zip(times, times[1:])]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True
    )
    return [(clock, processor) for clock, processor in json.loads(done.stdout)]
