"""`trace` beside threads, compiled modules, long loops and garbage collection."""

from __future__ import annotations

import gc
import threading
import warnings
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from torch import Tensor, nn

from torchloupe.autograd import trace_log
from torchloupe.autograd.capture import capture
from torchloupe.autograd.tracing import trace

from .test_trace import hooks, scopes
from .traced_models import Block


def test_threads_that_count_alike_are_not_mixed_up() -> None:
    """Sequence numbers count per thread, so two threads give the same ones to different modules."""
    model = nn.ModuleDict({"a": nn.Linear(2, 2), "b": nn.Linear(2, 2), "c": nn.Tanh()})
    ready, made = threading.Barrier(2), dict[str, Tensor]()

    def work(name: str) -> list[tuple[str, str]]:
        ready.wait()
        made[name] = model["c"](model[name](torch.ones(1, 2)).sin())
        ready.wait()
        return scopes(made[name], model)

    with trace(model), ThreadPoolExecutor(2) as pool:
        own = list(pool.map(work, ["a", "b"]))
    assert [[scope for _, scope in each] for each in own] == [["c", "", "a", "a"], ["c", "", "b", "b"]]
    for _, scope in scopes(made["a"] + made["b"], model):
        assert scope in {"", "a", "b", "c"}

    def other() -> list[tuple[str, str]]:
        with trace(model):
            first = model["b"](torch.ones(1, 2))
        assert scopes(first, model)[0] == ("AddmmBackward0", "b")
        return scopes(made["a"], model)

    with ThreadPoolExecutor(1) as pool:
        assert not any(scope == "b" for _, scope in pool.submit(other).result())


def test_replicas_in_threads_as_data_parallel_makes_them() -> None:
    model = Block(8)
    x = torch.randn(2, 3, 8)

    def run(part: Tensor) -> tuple[Tensor, list[tuple[str, str]]]:
        replica = model._replicate_for_data_parallel()
        replica._modules = dict(model._modules)
        out = replica(part)
        return out, scopes(out, model)

    with trace(model):
        whole = scopes(model(x[:1]), model)
        with ThreadPoolExecutor(2) as pool:
            parts = list(pool.map(run, x.split(1)))
    assert all(each == whole for _, each in parts)
    joined = capture(torch.cat([out for out, _ in parts]), model)
    assert joined.scopes != "traced"


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace_log, "MOST_EVENTS", 100)
    model = nn.Sequential(nn.Linear(2, 2), nn.Tanh())
    with trace(model):
        for _ in range(500):
            y = model(torch.ones(1, 2))
            assert len(trace_log._logs[-1].mine.events) <= 101 + 4
        assert [scope for _, scope in scopes(y, model)] == ["1", "0", "0"]
    for _ in range(2 * trace_log.MOST_LOGS):
        with trace(model):
            pass
    assert len(trace_log._logs) == trace_log.MOST_LOGS


@pytest.mark.parametrize("source", [False, True])
@pytest.mark.parametrize("given", [False, True])
def test_nothing_is_kept_alive(given: bool, source: bool) -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.Tanh())
    with trace(model if given else None, source=source):
        y = model(torch.ones(1, 2))
    dead = [weakref.ref(model), weakref.ref(model[0]), weakref.ref(y), weakref.ref(model[0].weight)]
    del model, y
    gc.collect()
    assert [ref() for ref in dead] == [None] * 4


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_compiled_modules_keep_what_is_inside_to_themselves(backend: str) -> None:
    torch.compiler.reset()
    inner = nn.Sequential(nn.Linear(2, 2), nn.Tanh())
    model = nn.Sequential(nn.Linear(2, 2), torch.compile(inner, backend=backend), nn.ReLU())
    with warnings.catch_warnings(), trace(model):
        warnings.filterwarnings("error", message=".*hook.*")
        y = model(torch.ones(1, 2))
        expected = scopes(y, model)
    middle = expected[1:-2]
    assert expected[0] == ("ReluBackward0", "2") and expected[-2:] == [
        ("AddmmBackward0", "0"),
        ("TBackward0", "0"),
    ]
    assert middle and {scope for _, scope in middle} == {"1"}
    again = model(torch.ones(1, 2)).sum()
    again.backward()
    assert hooks(inner) == 0


def test_a_step_may_be_compiled_around_a_traced_model() -> None:
    torch.compiler.reset()
    model = nn.Sequential(nn.Linear(2, 2), nn.Tanh())
    with trace(model):
        step = torch.compile(lambda x: model(x).sum(), backend="eager", fullgraph=True)
        y = step(torch.ones(1, 2))
    expected = nn.functional.linear(torch.ones(1, 2), model[0].weight, model[0].bias).tanh().sum()
    assert torch.equal(y, expected)
    assert {scope for _, scope in scopes(y)} == {""}
