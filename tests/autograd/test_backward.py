"""`backward` against plain PyTorch: the same bits in `.grad`, and every gradient that is shown."""

from __future__ import annotations

import gc
import math
import subprocess
import sys
import weakref
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from torch.autograd.graph import GradientEdge
from torch.utils.checkpoint import checkpoint

import torchloupe as loupe
from tests.autograd import random_graphs, traced_models
from tests.core.conftest import _own_language, wires  # noqa: F401
from torchloupe.autograd import AutogradLens, CaptureError
from torchloupe.autograd.gradients import BAD, NONE, NOT_RUN, VALUE, ZERO, summarise
from torchloupe.autograd.walk import find

pytestmark = pytest.mark.usefixtures("wires")


def same_bits(one: torch.Tensor | None, other: torch.Tensor | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.dtype == other.dtype and one.stride() == other.stride() and torch.equal(
        one.detach().contiguous().view(torch.uint8), other.detach().contiguous().view(torch.uint8)
    )  # fmt: skip


def notes(lens: AutogradLens) -> dict[str, dict[str, Any]]:
    return {note["id"]: note["args"] for note in lens._as_json(lens._latest, 0)["notes"]}


# The same bits


@pytest.mark.parametrize("mode", ["replay", "live"])
@pytest.mark.parametrize("steps", [1, 2])
def test_parameters_get_the_bits_of_a_plain_backward(mode: Any, steps: int) -> None:
    grads = []
    for watched in (False, True):
        torch.manual_seed(0)
        model = traced_models.Block(16)
        x = torch.randn(2, 5, 16)
        for _ in range(steps):
            loss = model(x).square().mean()
            if watched:
                loupe.autograd.backward(loss, model, mode=mode)
            else:
                loss.backward()
        grads.append([parameter.grad for parameter in model.parameters()])
    assert all(same_bits(one, other) for one, other in zip(*grads, strict=True))


@settings(max_examples=40, deadline=None)
@given(random_graphs.programs(), st.integers(1, 3))
def test_random_graphs_get_the_same_bits(program: list[tuple[str, int, int]], roots: int) -> None:
    leaves, values = random_graphs.run(program)
    outputs = random_graphs.outputs_of(values, roots)
    if not outputs:
        return
    torch.autograd.backward([output.sum() for output in outputs])
    watched, again = random_graphs.run(program)
    ends = [output.sum() for output in random_graphs.outputs_of(again, roots)]
    loupe.autograd.backward(ends).close()
    assert all(same_bits(one.grad, other.grad) for one, other in zip(leaves, watched, strict=True))


@settings(max_examples=25, deadline=None)
@given(random_graphs.programs())
def test_every_gradient_shown_is_what_autograd_grad_says(program: list[tuple[str, int, int]]) -> None:
    _, values = random_graphs.run(program)
    outputs = random_graphs.outputs_of(values, 1)
    if not outputs:
        return
    root = outputs[0].square().sum()
    lens = loupe.autograd.backward(root, retain_graph=True)
    record, ledger = lens.record, lens.ledger
    nodes = find(record)
    assert nodes is not None and ledger is not None
    assert sorted(ledger.order) == list(range(len(nodes)))
    for node, inputs in zip(nodes, [one.inputs for one in record.nodes], strict=True):
        id = nodes.index(node)
        edges = [GradientEdge(node, input) for input in range(inputs)]
        wanted = torch.autograd.grad(root, edges, retain_graph=True, allow_unused=True)
        shown = ledger.into(id)
        assert len(shown) == len(wanted)
        for one, gradient in zip(shown, wanted, strict=True):
            told = summarise(gradient)
            assert (one.look, one.shape) == (told.look, told.shape)
            assert one.zeros == pytest.approx(told.zeros, nan_ok=True)
            assert one.norm == pytest.approx(told.norm, rel=1e-5, nan_ok=True)
    for edge in record.edges:
        sharing = [
            other for other in record.edges if (other.target, other.input) == (edge.target, edge.input)
        ]
        if len(sharing) == 1:
            went, came = ledger.along(edge.index), ledger.into(edge.target)[edge.input]
            assert went is not None and (went.look, went.shape) == (came.look, came.shape)
            assert went.norm == pytest.approx(came.norm, rel=1e-6, nan_ok=True)
    lens.close()


def test_hooks_that_change_a_gradient_are_seen_after_them() -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 3
    y.register_hook(lambda gradient: gradient * 10)
    lens = loupe.autograd.backward(y.sum())
    assert x.grad is not None and x.grad.tolist() == [30, 30]
    assert [part.text for part in lens.ledger.into(1)] == ["[10, 10]"]
    assert lens.ledger.along(0).text == "[1, 1]"
    assert "note.hooks" in notes(lens)


def test_a_hook_that_writes_in_place_is_not_told_from_memory() -> None:
    x = torch.ones(8, requires_grad=True)
    y = x * 3

    def double(gradient: torch.Tensor) -> None:
        gradient.mul_(2)

    y.register_hook(double)
    lens = loupe.autograd.backward((y * 1).sum())
    assert lens.ledger.along(1).norm == pytest.approx(math.sqrt(8))
    assert lens.ledger.into(2)[0].norm == pytest.approx(2 * math.sqrt(8))


# Order, looks, values


def test_the_order_is_the_engine_s() -> None:
    x = torch.tensor(2.0, requires_grad=True)
    lens = loupe.autograd.backward(x**2 + 3 * x + 1)
    types = [lens.record.nodes[node].type for node in lens.ledger.order]
    assert types == ["AddBackward0", "AddBackward0", "MulBackward0", "PowBackward0", "AccumulateGrad"]
    assert lens.ledger.into(lens.record.leaves[0].node)[0].text == "7"
    assert {lens.ledger.along(edge.index).text for edge in lens.record.edges if edge.target == 4} == {
        "3",
        "4",
    }


def test_four_looks_and_not_a_number() -> None:
    a = torch.tensor([-1.0, -1.0], requires_grad=True)
    first, second, _ = torch.stack([a, a, a]).unbind()
    lens = loupe.autograd.backward((3 * first + second.relu()).sum())
    (unbind,) = [node.index for node in lens.record.nodes if node.type == "UnbindBackward0"]
    assert [part.look for part in lens.ledger.into(unbind)] == [VALUE, ZERO, NONE]
    b = torch.tensor([0.0, 1.0], requires_grad=True)
    lens = loupe.autograd.backward((b * 0).sqrt().sum())
    (root,) = [node.index for node in lens.record.nodes if node.type == "SqrtBackward0"]
    assert lens.ledger.first_bad == root
    assert lens.ledger.along(int(lens.record.edges[root].index)).look == BAD


def test_what_does_not_run_is_not_run() -> None:
    x, w = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
    lens = loupe.autograd.backward((x.exp() * w.sin()).sum(), inputs=[x])
    assert x.grad is not None and w.grad is None
    (sin,) = [node.index for node in lens.record.nodes if node.type == "SinBackward0"]
    (edge,) = [edge.index for edge in lens.record.edges if edge.target == sin]
    assert lens.ledger.into(sin) == () and lens.ledger.along(edge) is None
    assert lens.ledger.step_of(sin) == 0
    assert notes(lens)["note.inputs"] == {"n": 4, "of": 6}
    assert NOT_RUN == 0


# Arguments


def test_several_roots_nested_and_with_gradients() -> None:
    def outputs() -> tuple[torch.Tensor, dict[str, Any]]:
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        return x, {"a": x * 2, "rest": [(x**3).sum(), 7]}

    x, out = outputs()
    torch.autograd.backward([out["a"], out["rest"][0]], [torch.tensor([1.0, 10.0]), None])
    for gradient in (
        [torch.tensor([1.0, 10.0]), None],
        {"a": torch.tensor([1.0, 10.0])},
    ):
        other, out = outputs()
        lens = loupe.autograd.backward(out, gradient=gradient)
        assert same_bits(x.grad, other.grad)
        assert notes(lens)["note.roots"] == {"n": 2}
        assert lens.frame["others"] == ["rest.1 = 7"]


def test_a_gradient_that_fits_no_root_is_refused_before_anything_runs() -> None:
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(ValueError, match="gradient does not fit"):
        loupe.autograd.backward({"a": x * 2}, gradient={"b": torch.ones(2)})
    with pytest.raises(ValueError, match='"replay" or "live"'):
        loupe.autograd.backward((x * 2).sum(), mode="slow")  # type: ignore[arg-type]
    assert x.grad is None


def test_a_gradient_for_one_root() -> None:
    x = torch.ones(3, requires_grad=True)
    loupe.autograd.backward(x * 2, gradient=torch.tensor([1.0, 2.0, 3.0]))
    assert x.grad is not None and x.grad.tolist() == [2, 4, 6]


def test_it_adds_to_what_was_there_and_says_so() -> None:
    x = torch.tensor(2.0, requires_grad=True)
    x.grad = torch.tensor(5.0)
    lens = loupe.autograd.backward(x**2 + 3 * x + 1)
    assert x.grad.item() == 12
    assert notes(lens)["note.added_one"] == {"name": "x", "before": "5", "sum": "7", "after": "12"}


def test_a_second_backward_raises_what_pytorch_raises_and_explains() -> None:
    x = torch.tensor(2.0, requires_grad=True)
    y = (x**2).exp()
    loupe.autograd.backward(y)
    with pytest.raises(RuntimeError, match="second time"):
        loupe.autograd.backward(y)
    assert x.grad is not None


def test_retain_graph_keeps_it() -> None:
    x = torch.tensor(2.0, requires_grad=True)
    y = x.exp()
    lens = loupe.autograd.backward(y, retain_graph=True)
    assert "note.kept" in notes(lens) and lens.record.state == "live"
    loupe.autograd.backward(y)
    assert x.grad is not None and x.grad.item() == pytest.approx(2 * math.exp(2))
    assert lens.record.state == "freed"


def test_create_graph_gives_gradients_that_can_be_differentiated() -> None:
    x = torch.tensor(3.0, requires_grad=True)
    lens = loupe.autograd.backward(x**3, create_graph=True)
    assert x.grad is not None and x.grad.requires_grad
    (second,) = torch.autograd.grad(x.grad, x)
    assert second.item() == 18
    assert "note.grown" in notes(lens)
    x.grad = None


def test_outputs_without_a_graph_raise_what_pytorch_raises() -> None:
    with pytest.raises(RuntimeError, match="does not require grad"):
        loupe.autograd.backward(torch.ones(()))
    with pytest.raises(CaptureError):
        loupe.autograd.backward(3)
    with pytest.raises(RuntimeError, match="scalar outputs"):
        loupe.autograd.backward(torch.ones(3, requires_grad=True) * 2)


def test_a_leaf_alone_gets_its_gradient() -> None:
    x = torch.tensor(2.0, requires_grad=True)
    lens = loupe.autograd.backward(x)
    assert x.grad is not None and x.grad.item() == 1
    assert lens.frame["phase"] == "empty"


@pytest.mark.parametrize("reentrant", [True, False])
@pytest.mark.filterwarnings("ignore")
def test_checkpoints(reentrant: bool) -> None:
    def run(watched: bool) -> list[torch.Tensor | None]:
        torch.manual_seed(0)
        layer = nn.Linear(3, 3)
        x = torch.ones(2, 3, requires_grad=True)
        y = checkpoint(lambda t: layer(t).sin(), x, use_reentrant=reentrant).sum()
        loupe.autograd.backward(y, layer, mode="live") if watched else y.backward()
        return [x.grad, *(p.grad for p in layer.parameters())]

    assert all(same_bits(one, other) for one, other in zip(run(True), run(False), strict=True))


def test_in_place_relu_does_not_disturb_it() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(inplace=True), nn.Linear(3, 1))
    x = torch.tensor([[1.0, -2.0]])
    lens = loupe.autograd.backward(model(x).sum(), model)
    hidden = model[0](x).detach().requires_grad_()
    model[2](torch.relu(hidden)).sum().backward()
    relu = next(node.index for node in lens.record.nodes if node.type == "ReluBackward0")
    (edge,) = [edge.index for edge in lens.record.edges if edge.source == relu]
    assert lens.ledger.along(edge).norm == pytest.approx(float(hidden.grad.norm()))


def test_what_was_changed_behind_autograd_is_warned_of() -> None:
    x = torch.tensor([0.0, 2.0], requires_grad=True)
    with pytest.warns(loupe.autograd.ChangedBehindAutogradWarning):
        _spoilt(x)
    assert x.grad is not None and x.grad.tolist() == [0, 0], "as PyTorch computes it"


def _spoilt(x: torch.Tensor) -> None:
    with loupe.autograd.explain():
        y = x.sigmoid()
        y.data.zero_()
        loupe.autograd.backward(y.sum())


def test_inside_a_transform_it_refuses_as_pytorch_does() -> None:
    def inner(x: torch.Tensor) -> torch.Tensor:
        loupe.autograd.backward((x * 2).sum())
        return x.sum()

    with pytest.raises(RuntimeError):
        torch.func.vmap(torch.func.grad(inner))(torch.ones(2, 3))


# Nothing stays


def test_neither_the_lens_nor_a_hook_keeps_anything() -> None:
    x = torch.randn(50, requires_grad=True)
    middle = x * 2
    seen: list[weakref.ref[torch.Tensor]] = []
    middle.register_hook(lambda gradient: seen.append(weakref.ref(gradient)))
    loss = middle.exp().sum()
    lens = loupe.autograd.backward(loss)
    mark = lens.record.token()
    assert mark is not None
    alive = weakref.ref(mark)
    node = loss.grad_fn
    assert node is not None
    fresh = (middle.detach() * 1).requires_grad_()
    assert fresh is not None
    gone = weakref.ref(middle)
    del mark, node, middle, loss
    gc.collect()
    assert gone() is None and alive() is None and seen[0]() is None
    assert lens.record.state == "freed"


def test_hooks_are_gone_afterwards_also_after_an_error() -> None:
    x = torch.tensor(2.0, requires_grad=True)
    y = x.exp()
    loupe.autograd.backward(y, retain_graph=True)
    lens = loupe.autograd.backward(y, retain_graph=True)
    ran = lens.ledger.ran
    y.backward(retain_graph=True)
    assert lens.ledger.ran == ran and len(lens.ledger.started) == ran

    def refuse(gradient: torch.Tensor) -> torch.Tensor:
        raise ValueError("no")

    handle = x.register_hook(refuse)
    with pytest.raises(ValueError, match="no"):
        loupe.autograd.backward(y, retain_graph=True)
    handle.remove()
    before = len(lens.ledger.started)
    y.backward()
    assert len(lens.ledger.started) == before


def test_a_person_s_random_numbers_and_modes_stay() -> None:
    state = torch.random.get_rng_state()
    x = torch.ones(6, requires_grad=True)
    loupe.autograd.backward((x * 2).sum())
    assert torch.equal(state, torch.random.get_rng_state())
    with torch.no_grad():
        y = x
    assert torch.is_grad_enabled() and y is x


def test_a_deep_graph_is_run_and_freed_without_a_crash() -> None:
    program = (
        "import torch, torchloupe as loupe, gc\n"
        "x = torch.ones((), requires_grad=True); y = x\n"
        "for _ in range(60_000): y = y.sin()\n"
        "lens = loupe.autograd.backward(y)\n"
        "del y; gc.collect(); print(len(lens.ledger.order), x.grad is not None)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split()) == (0, ["60001", "True"]), done.stderr
