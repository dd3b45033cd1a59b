"""Other ways to look at a tensor of 1e6 elements, timed in turn with ours."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from importlib.util import find_spec

import torch

import torchloupe as loupe
from tests.bench.rounds import interleaved, repeats
from tests.bench.row import Row

LOVELY = "lovely_tensors"
NOTE = (
    "torch prints values and lovely_tensors statistics of them; ours tells of memory and samples few values"
)


def _shown(x: torch.Tensor) -> None:
    lens = loupe.strides.show(x, names=["x"])
    lens._repr_mimebundle_()
    lens.close()


def _peers(x: torch.Tensor) -> dict[str, Callable[[], object]]:
    found: dict[str, Callable[[], object]] = {"torch's repr": lambda: repr(x)}
    if find_spec(LOVELY):
        import lovely_tensors

        found[LOVELY] = lambda: repr(lovely_tensors.lovely(x))
    return found


def measure(share: float) -> list[Row]:
    x = torch.randn(1000, 1000)
    ours: dict[str, Callable[[], object]] = {
        "capture": lambda: loupe.strides.capture(x),
        "capture as text": lambda: str(loupe.strides.capture(x)),
        "show and bundle": lambda: _shown(x),
    }
    peers = _peers(x)
    ms = {
        name: [value * 1e3 for value in values]
        for name, values in interleaved({**ours, **peers}, repeats(21, share), 5).items()
    }
    rows = [
        Row.median(
            f"{name}, 1e6 elements", ms[name], "ms", peer=statistics.median(ms[peer]), beside=peer, note=NOTE
        )
        for peer in peers
        for name in ours
    ]
    if LOVELY not in peers:
        rows.append(Row("1e6 elements", None, beside=f"{LOVELY}: not installed"))
    return rows
