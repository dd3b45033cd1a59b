"""`autograd.trace`: what a forward pass pays for it, and that it pays nothing without."""

from __future__ import annotations

import statistics
from collections.abc import Callable

import torch
from torch import Tensor, nn

import torchloupe as loupe
from tests.bench.graph_models import MODELS
from tests.bench.rounds import interleaved, ratio, repeats
from tests.bench.row import Row

LIMIT_US = 3.0
ENTERED = "without entering and leaving, which registers and removes a hook pair on each module"
NAMES = ("MLP", "GPT, 12 blocks", "LSTM, 1,000 steps")


def measure(share: float) -> list[Row]:
    torch.set_num_threads(1)
    rows = []
    for name in NAMES:
        model, inputs = MODELS[name]()
        calls = _module_calls(model, inputs)
        with loupe.autograd.trace(model):  # so that "off" is what a person has who traced before
            model(*inputs)
        ways = _ways(model, inputs)
        seconds = interleaved(ways, repeats(31, share, 5), 1 if name.startswith("LSTM") else 3)
        around = statistics.median(seconds["empty"])
        per_call = [
            (on - around - plain) / calls * 1e6
            for on, plain in zip(seconds["traced"], seconds["plain"], strict=True)
        ]
        rows += [
            Row.median(
                f"{name}, {calls:,} module calls: a call", per_call, "µs", limit=LIMIT_US, note=ENTERED
            ),
            Row.median(f"{name}, entering and leaving", [s * 1e6 for s in seconds["empty"]], "µs"),
            Row(f"{name}, traced", ratio(seconds["traced"], seconds["plain"]), "×", beside="plain forward"),
            Row(
                f"{name}, with source lines",
                ratio(seconds["lines"], seconds["plain"]),
                "×",
                beside="plain forward",
            ),
            Row(
                f"{name}, off after a trace",
                ratio(seconds["off"], seconds["plain"]),
                "×",
                beside="plain forward",
                note="two ways to run the same code: what differs from 1 is noise",
            ),
        ]
        assert statistics.median(seconds["plain"]) > 0
    return rows


def _module_calls(model: nn.Module, inputs: tuple[Tensor, ...]) -> int:
    counted = list[None]()
    handles = [m.register_forward_hook(lambda *_: counted.append(None)) for m in model.modules()]
    model(*inputs)
    for handle in handles:
        handle.remove()
    return len(counted)


def _ways(model: nn.Module, inputs: tuple[Tensor, ...]) -> dict[str, Callable[[], object]]:
    def traced() -> None:
        with loupe.autograd.trace(model):
            model(*inputs)

    def empty() -> None:
        with loupe.autograd.trace(model):
            pass

    def lines() -> None:
        with loupe.autograd.trace(model, source=True):
            model(*inputs)

    return {
        "plain": lambda: model(*inputs),
        "off": lambda: model(*inputs),
        "traced": traced,
        "empty": empty,
        "lines": lines,
    }
