"""`trace`: which module call, and which line, made a node."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from torchloupe.autograd.capture import capture
from torchloupe.autograd.tracing import trace
from torchloupe.autograd.walk import find

from .traced_models import Gpt, Shared, Unrolled


def scopes(output: Any, model: nn.Module | None = None) -> list[tuple[str, str]]:
    record = capture(output, model)
    return [(node.type, node.scope) for node in record.nodes if node.kind != "leaf"]


def hooks(model: nn.Module) -> int:
    every = nn.modules.module
    return (
        sum(len(m._forward_hooks) + len(m._forward_pre_hooks) for m in model.modules())
        + len(every._global_forward_hooks)
        + len(every._global_forward_pre_hooks)
        + sum(len(m._forward_hooks_always_called) for m in model.modules())
    )


class Oracle:
    """Which nodes a call made, from the graph itself: reachable from its output and not from its inputs."""

    def __init__(self, model: nn.Module) -> None:
        self.made: list[tuple[str, set[Any]]] = []
        for path, module in model.named_modules():
            before: list[set[Any]] = []
            module.register_forward_pre_hook(lambda _, args, before=before: before.append(reached(args)))
            module.register_forward_hook(self._after(path, before))

    def _after(self, path: str, before: list[set[Any]]) -> Callable[..., None]:
        def after(module: nn.Module, args: Any, output: Any) -> None:
            self.made.append((path, reached(output) - before.pop()))

        return after

    def scope(self, node: Any) -> str:
        """The smallest call that made it: calls end from the innermost outwards."""
        return next((path for path, nodes in self.made if node in nodes), "")


def reached(value: Any) -> set[Any]:
    tensors = value if isinstance(value, tuple | list) else (value,)
    left = [t.grad_fn for t in tensors if isinstance(t, Tensor) and t.grad_fn is not None]
    left += [n for t in tensors if isinstance(t, tuple) for n in reached(t)]
    seen = set(left)
    while left:
        for node, _ in left.pop().next_functions:
            if node is not None and node not in seen:
                seen.add(node)
                left.append(node)
    return seen


class Heads(nn.Module):
    """Parallel heads, work between them, and a module within a module within a module."""

    def __init__(self) -> None:
        super().__init__()
        self.heads = nn.ModuleList(nn.Sequential(nn.Linear(4, 4), nn.Tanh()) for _ in range(3))
        self.out = nn.Sequential(nn.Sequential(nn.Linear(12, 2), nn.ReLU()), nn.LayerNorm(2))

    def forward(self, x: Tensor) -> Tensor:
        return self.out(torch.cat([head(x).sin() * 2 for head in self.heads], -1)).exp()


MODELS: dict[str, Callable[[], tuple[nn.Module, Tensor]]] = {
    "gpt": lambda: (Gpt(3), torch.randint(50, (2, 6))),
    "lstm": lambda: (Unrolled(7), torch.randn(2, 4)),
    "heads": lambda: (Heads(), torch.randn(2, 4)),
    "transformer": lambda: (
        nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2),
        torch.randn(2, 3, 8),
    ),
    "convolutions": lambda: (
        nn.Sequential(nn.Conv2d(1, 3, 3), nn.BatchNorm2d(3), nn.ReLU(inplace=True), nn.Flatten()),
        torch.randn(2, 1, 5, 5),
    ),
    "gru": lambda: (Unrolled(4, nn.GRUCell(4, 8)), torch.randn(2, 4)),
}


@pytest.mark.parametrize("name", MODELS)
def test_every_node_has_the_module_that_made_it(name: str) -> None:
    model, x = MODELS[name]()
    oracle = Oracle(model)
    with trace(model):
        y = model(x)
    total = y.sum()
    record = capture(total, model)
    nodes = find(record)
    assert nodes is not None and record.scopes == "traced"
    wrong = [
        (node.type, node.scope, oracle.scope(real))
        for node, real in zip(record.nodes, nodes, strict=True)
        if node.kind != "leaf" and node.scope != oracle.scope(real)
    ]
    assert wrong == []
    assert any(node.scope for node in record.nodes)


def test_nothing_stays_behind() -> None:
    model = Gpt(1)
    with trace(model):
        assert hooks(model) >= 2 * len(list(model.modules()))
        model(torch.randint(50, (1, 3)))
    assert hooks(model) == 0
    with trace():
        assert hooks(model) >= 2
    assert hooks(model) == 0


def test_an_error_leaves_nothing_behind_and_the_next_trace_is_right() -> None:
    model = nn.Sequential(nn.Linear(2, 3), nn.Linear(4, 1))
    with pytest.raises(RuntimeError, match="shapes"), trace(model):
        model(torch.ones(1, 2))
    assert hooks(model) == 0
    model[1] = nn.Linear(3, 1)
    with trace(model):
        y = model(torch.ones(1, 2))
    assert scopes(y, model) == [
        ("AddmmBackward0", "1"),
        ("TBackward0", "1"),
        ("AddmmBackward0", "0"),
        ("TBackward0", "0"),
    ]


class Retries(nn.Module):
    """Catches an error of its part, works on, and calls it again."""

    def __init__(self, error: type[BaseException]) -> None:
        super().__init__()
        self.part = Fails(error)

    def forward(self, x: Tensor) -> Tensor:
        try:
            x = self.part(x)
        except BaseException:
            self.part.error = None
        return self.part(x.sin()).cos()


class Fails(nn.Module):
    def __init__(self, error: type[BaseException] | None) -> None:
        super().__init__()
        self.error = error

    def forward(self, x: Tensor) -> Tensor:
        y = x.exp()
        if self.error is not None:
            raise self.error
        return y


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_what_follows_an_error_that_was_caught_belongs_to_who_caught_it(error: type[BaseException]) -> None:
    model = nn.Sequential(Retries(error))
    with trace(model):
        y = model(torch.ones(2, requires_grad=True))
    assert scopes(y, model) == [("CosBackward0", "0"), ("ExpBackward0", "0.part"), ("SinBackward0", "0")]


class Recursive(nn.Module):
    """Calls itself."""

    def __init__(self) -> None:
        super().__init__()
        self.last = nn.Linear(2, 2)

    def forward(self, x: Tensor, depth: int = 0) -> Tensor:
        return self.last(x) if depth == 3 else self(x.sin(), depth + 1).cos()


def test_a_module_may_call_itself() -> None:
    model = nn.ModuleDict({"again": Recursive()})
    with trace(model):
        y = model["again"](torch.ones(2))
    found = [scope for _, scope in scopes(y, model)]
    assert found[:3] == ["again"] * 3 and len(found) > 4 and set(found[3:]) == {"again.last"}


def test_a_shared_module_has_the_name_it_is_called_by() -> None:
    model = Shared()
    with trace(model):
        y = model(torch.ones(1, 2))
    found = [scope for type_, scope in scopes(y, model) if type_ == "AddmmBackward0"]
    assert found == ["decoder.inner.0", "encoder.inner.0"]


def test_nested_traces_agree() -> None:
    model = Gpt(2)
    x = torch.randint(50, (1, 4))
    with trace(model):
        y = model(x)
    with trace(model), trace(model.h[1]), trace(), trace(model.h):
        z = model(x)
    assert scopes(z.sum(), model) == scopes(y.sum(), model)
    assert len(capture(z.sum(), model).spans) == len(capture(y.sum(), model).spans)


def test_a_trace_of_a_part_is_named_from_the_whole() -> None:
    model = Gpt(2)
    with trace(model.h[1]):
        y = model(torch.randint(50, (1, 4)))
    found = {scope for _, scope in scopes(y, model)}
    assert {"h.1.mlp.c_fc", "h.1.attn"} <= found
    assert not any(scope.startswith(("h.0", "ln_f")) for scope in found)


def test_models_traced_one_after_the_other_keep_apart() -> None:
    encoder, decoder = nn.Sequential(nn.Linear(2, 2)), nn.Sequential(nn.Tanh(), nn.Linear(2, 2))
    with trace(encoder):
        code = encoder(torch.ones(1, 2))
    with trace(decoder):
        y = decoder(code)
    both = nn.ModuleDict({"encoder": encoder, "decoder": decoder})
    assert [s for t, s in scopes(y, both) if t != "TBackward0"] == ["decoder.1", "decoder.0", "encoder.0"]
    alone = [s for t, s in scopes(y) if t != "TBackward0"]
    assert alone == ["Sequential_2.1", "Sequential_2.0", "Sequential.0"]


def test_without_a_model_names_start_at_the_outermost_call() -> None:
    model = Gpt(2)
    x = torch.randint(50, (1, 4))
    with trace(model):
        known = scopes(model(x), model)
    with trace():
        y = model(x)
    assert scopes(y) == known


def test_it_decorates_a_step() -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.ReLU())

    @trace(model)
    def step(x: Tensor, depth: int = 1) -> Tensor:
        return model(x) if depth == 0 else step(x, depth - 1)

    y = step(torch.ones(1, 2))
    assert hooks(model) == 0
    assert [scope for _, scope in scopes(y)] == ["1", "0", "0"]


def test_a_graph_can_be_captured_while_its_forward_runs() -> None:
    found = []

    class Looks(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            y = x.sin()
            found.append(scopes(y, model))
            return y

    model = nn.Sequential(nn.Sequential(Looks()))
    with trace(model):
        model(torch.ones(2, requires_grad=True))
    assert found == [[("SinBackward0", "0.0")]]


@pytest.mark.parametrize("bad", [[], torch.ones(2), "model", nn.Linear])
def test_it_takes_a_module(bad: Any) -> None:
    with pytest.raises(TypeError, match=r"nn\.Module"):
        trace(bad)


def test_gradients_are_those_without_a_trace() -> None:
    torch.manual_seed(0)
    model, x = Gpt(2), torch.randint(50, (1, 5))
    plain = torch.autograd.grad(model(x), list(model.parameters()))
    with trace(model, source=True):
        loss = model(x)
    traced = torch.autograd.grad(loss, list(model.parameters()))
    assert all(torch.equal(a, b) for a, b in zip(plain, traced, strict=True))


def test_the_public_way_to_read_the_number_agrees() -> None:
    from torchloupe.autograd.sequence_number import next_number, probed

    made = torch.ones(1, requires_grad=True).sin()
    assert made.grad_fn is not None
    before = made.grad_fn._sequence_nr()  # type: ignore[attr-defined]
    assert next_number() == before + 1
    assert probed() == before + 2 == next_number()
    with torch.inference_mode():
        assert probed() == next_number()


def test_capturing_does_not_load_jupyter() -> None:
    program = """
import sys, torchloupe.autograd.tracing
print([name for name in ("IPython", "ipywidgets") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
