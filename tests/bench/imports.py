"""What `import torchloupe` adds to a notebook that has torch and ipywidgets."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys

from tests.bench.rounds import repeats
from tests.bench.row import Row

LIMIT_MS = 50
WITHOUT = "import torch, ipywidgets"
WITH = "import torch, ipywidgets, torchloupe"
FIRST_USE = "from torchloupe.strides import StridesLens"


def measure(share: float) -> list[Row]:
    pairs = [_pair(turn) for turn in range(repeats(11, share))]
    added = [after - before for before, (after, _) in pairs]
    base = statistics.median(before for before, _ in pairs)
    return [
        Row.median(
            "import torchloupe, added",
            added,
            "ms",
            limit=LIMIT_MS,
            note=f"differences of interleaved pairs of fresh interpreters; `{WITHOUT}` alone: {base:,.0f} ms",
        ),
        Row.median(
            "first use of the strides lens, its modules",
            [first for _, (_, first) in pairs],
            "ms",
            note=f"`{FIRST_USE}` after `{WITH}`",
        ),
    ]


def _pair(turn: int) -> tuple[float, tuple[float, float]]:
    """Milliseconds without, and with: the import, then first use."""
    if turn % 2:
        after, first = _fresh(WITH, FIRST_USE)
        (before,) = _fresh(WITHOUT)
    else:
        (before,) = _fresh(WITHOUT)
        after, first = _fresh(WITH, FIRST_USE)
    return before, (after, first)


def _fresh(*statements: str) -> list[float]:
    """Milliseconds of each statement in a fresh interpreter."""
    lines = [f"{statement}\ntimes.append(now())" for statement in statements]
    program = "\n".join(
        [
            "import json\nfrom time import perf_counter as now\ntimes = [now()]",
            *lines,
            "print(json.dumps([(b - a) * 1e3 for a, b in zip(times, times[1:])]))",
        ]
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    times: list[float] = json.loads(done.stdout)
    return times
