"""`autograd.capture`: microseconds a node on a graph nobody has walked before, beside other tools."""

from __future__ import annotations

import contextlib
import gc
import io
import time
import warnings
from collections.abc import Callable
from importlib.util import find_spec

from torch import Tensor, nn

import torchloupe as loupe
from tests.bench.graph_models import MODELS
from tests.bench.rounds import repeats
from tests.bench.row import Row

LIMITS_US = {
    "GPT, 12 blocks": (1.0, None),
    "LSTM, 1,000 steps": (2.5, 4.0),
    "LSTM, 3,000 steps": (2.5, 4.0),
}
LIMIT_15K_MS = 50.0
LIMIT_OF_TORCHVIZ = 1 / 8
FIRST = "every graph is new: the first reading of a node from Python costs most"
SEPARATE = "reruns the forward pass, so its time holds one"

Make = Callable[[], tuple[nn.Module, tuple[Tensor, ...]]]


def measure(share: float) -> list[Row]:
    rows = []
    for name, make in MODELS.items():
        model, inputs = make()
        rounds = repeats(11, share)
        nodes = len(loupe.autograd.capture(model(*inputs), model).nodes)
        edges = _timed(
            model, inputs, lambda loss, m=model: loupe.autograd.capture(loss, m, saved=False), rounds
        )
        saved = _timed(model, inputs, lambda loss, m=model: loupe.autograd.capture(loss, m), rounds)
        quick, full = LIMITS_US.get(name, (None, None))
        scale = 1e6 / nodes
        rows += [
            Row.median(
                f"{name} ({nodes:,} nodes), a node", [s * scale for s in edges], "µs", limit=quick, note=FIRST
            ),
            Row.median(
                f"{name}, a node, with saved shapes", [s * scale for s in saved], "µs", limit=full, note=FIRST
            ),
        ]
        if nodes == 15_005:
            rows.append(Row.median(f"{name}, whole", [s * 1e3 for s in edges], "ms", limit=LIMIT_15K_MS))
        rows += _torchviz(name, model, inputs, nodes, edges, rounds)
    return [*rows, *_tracers()]


def _timed(
    model: nn.Module, inputs: tuple[Tensor, ...], look: Callable[[Tensor], object], rounds: int
) -> list[float]:
    """Seconds of each look at a new graph."""
    found = list[float]()
    for _ in range(rounds):
        loss = model(*inputs)
        gc.collect()
        start = time.perf_counter()
        look(loss)
        found.append(time.perf_counter() - start)
    return found


def _torchviz(
    name: str, model: nn.Module, inputs: tuple[Tensor, ...], nodes: int, ours: list[float], rounds: int
) -> list[Row]:
    from torchviz import make_dot

    named = dict(model.named_parameters())
    try:
        theirs = _timed(model, inputs, lambda loss: make_dot(loss, params=named), min(rounds, 5))
    except RecursionError:
        return [Row(f"{name}, a node", None, beside="torchviz: RecursionError")]
    scale = 1e6 / nodes
    return [
        Row.median(
            f"{name}, a node",
            [s * scale for s in ours],
            "µs",
            peer=min(theirs) * scale,
            beside="torchviz",
            limit=min(theirs) * scale * LIMIT_OF_TORCHVIZ,
            note="limit: an eighth of torchviz in the same run",
        )
    ]


def _tracers() -> list[Row]:
    """Tools that trace a forward pass of their own, once each."""
    rows = []
    for name, make in MODELS.items():
        if name == "LSTM, 3,000 steps":
            continue
        model, inputs = make()
        start = time.perf_counter()
        loss = model(*inputs)
        loupe.autograd.capture(loss, model)
        ours = (time.perf_counter() - start) * 1e3
        for tool, trace in _installed().items():
            rows.append(_once(f"{name}, forward and graph", ours, tool, trace, model, inputs))
    return rows


def _once(
    measure: str,
    ours: float,
    tool: str,
    trace: Callable[[nn.Module, tuple[Tensor, ...]], object] | None,
    model: nn.Module,
    inputs: tuple[Tensor, ...],
) -> Row:
    if trace is None:
        return Row(measure, None, beside=f"{tool}: not installed")
    start = time.perf_counter()
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            trace(model, inputs)
    except Exception as error:  # a peer that dies is a finding, not our failure
        return Row(measure, None, beside=f"{tool}: {type(error).__name__}")
    peer = (time.perf_counter() - start) * 1e3
    return Row(measure, ours, "ms", peer=peer, beside=tool, note=SEPARATE)


def _installed() -> dict[str, Callable[[nn.Module, tuple[Tensor, ...]], object] | None]:
    found: dict[str, Callable[[nn.Module, tuple[Tensor, ...]], object] | None] = dict.fromkeys(
        ("torchview", "torchlens", "torchvista")
    )
    if find_spec("torchview"):
        from torchview import draw_graph

        found["torchview"] = lambda model, inputs: draw_graph(model, input_data=inputs)
    if find_spec("torchlens"):
        import torchlens

        found["torchlens"] = lambda model, inputs: torchlens.trace(model, list(inputs))
    if find_spec("torchvista"):
        from torchvista import trace_model

        found["torchvista"] = lambda model, inputs: trace_model(model, inputs)
    return found
