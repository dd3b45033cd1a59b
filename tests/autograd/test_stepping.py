"""Live stepping with PyTorch's own engine: what waits, what runs on, what Stop, errors and closing leave."""

from __future__ import annotations

import weakref
from typing import Any

import pytest
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

import torchloupe as loupe
from tests.autograd.person import before_a_person
from tests.autograd.traced_models import Block
from tests.core.conftest import _own_language, wires  # noqa: F401
from tests.core.tiny import wire
from torchloupe.autograd import AutogradLens, BackwardStopped

pytestmark = pytest.mark.usefixtures("wires")
STEP, OUT, RUN, STOP = ({"type": kind} for kind in ("step", "step_out", "run", "stop"))


def small() -> tuple[torch.Tensor, torch.Tensor]:
    x = torch.tensor(2.0, requires_grad=True)
    return x, x**2 + 3 * x + 1


# What waits


def test_it_waits_before_each_node_with_its_gradient_and_runs_nothing_ahead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    x, y = small()
    seen: list[Any] = []

    def look(lens: AutogradLens) -> None:
        ledger = lens.ledger
        assert ledger is not None
        arrived = ledger.into(lens._latest.next)
        seen.append(([part.text for part in arrived], len(ledger.order), x.grad))
        lens.on_message(STEP)

    with before_a_person(monkeypatch, *[look] * 5) as person:
        lens = loupe.autograd.backward(y, mode="live")
    assert seen == [(["1"], 0, None), (["1"], 1, None), (["1"], 2, None), (["1"], 3, None), (["7"], 4, None)]
    assert x.grad is not None and x.grad.item() == 7
    assert person.nodes == list(lens.ledger.order) == [0, 1, 2, 3, 4]
    assert [frame.rows.steps for frame in person.frames] == [1, 2, 3, 4, 5]
    assert (lens._latest.mode, lens._latest.phase, lens._latest.next) == ("live", "done", -1)


def test_run_goes_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = small()
    with before_a_person(monkeypatch, STEP, RUN) as person:
        loupe.autograd.backward(y, mode="live")
    assert person.nodes == [0, 1] and x.grad is not None


def test_run_to_here_waits_there(monkeypatch: pytest.MonkeyPatch) -> None:
    _, y = small()
    with before_a_person(monkeypatch, {"type": "run_to", "node": 3}, STEP, STEP) as person:
        loupe.autograd.backward(y, mode="live")
    assert person.nodes == [0, 3, 4]


def test_run_to_a_node_that_has_run_goes_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = small()
    with before_a_person(monkeypatch, STEP, {"type": "run_to", "node": 0}) as person:
        loupe.autograd.backward(y, mode="live")
    assert person.nodes == [0, 1] and x.grad is not None


def test_step_out_leaves_the_module(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 3), nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 3)))
    with loupe.autograd.trace(model):
        y = model(torch.ones(1, 3)).sum()
    places: list[tuple[str, bool]] = []

    def out(lens: AutogradLens) -> None:
        frame = lens._latest
        places.append((lens.record.nodes[frame.next].scope, frame.leaves_module))
        lens.on_message(OUT if frame.leaves_module else STEP)

    with before_a_person(monkeypatch, *[out] * 9):
        loupe.autograd.backward(y, model, mode="live")
    assert places[:4] == [("", False), ("1.2", True), ("1.1", True), ("1.0", True)]
    assert places[4][0] == "0"


def test_steps_pressed_while_a_node_runs_are_kept_but_few(monkeypatch: pytest.MonkeyPatch) -> None:
    _, y = small()

    def many(lens: AutogradLens) -> None:
        for _ in range(9):
            lens.on_message(STEP)

    with before_a_person(monkeypatch, many) as person:
        loupe.autograd.backward(y, mode="live")
    assert person.nodes == [0, 3], "three steps at once, then it waits again"


def test_the_bits_are_those_of_a_plain_backward(monkeypatch: pytest.MonkeyPatch) -> None:
    grads = []
    for live in (False, True):
        torch.manual_seed(0)
        model, x = Block(8), torch.randn(1, 3, 8)
        for _ in range(2):
            loss = model(x).square().mean()
            if live:
                with before_a_person(monkeypatch, *[STEP] * 20):
                    loupe.autograd.backward(loss, model, mode="live")
            else:
                loss.backward()
        grads.append([parameter.grad for parameter in model.parameters()])
    assert all(torch.equal(one, other) for one, other in zip(*grads, strict=True))


# Stop


def stopped_at(
    monkeypatch: pytest.MonkeyPatch, output: Any, model: Any = None, steps: int = 0, **arguments: Any
) -> tuple[str, AutogradLens]:
    with (
        before_a_person(monkeypatch, *[STEP] * steps, STOP) as person,
        pytest.raises(BackwardStopped) as raised,
    ):
        loupe.autograd.backward(output, model, mode="live", **arguments)
    assert person.lens is not None
    return str(raised.value), person.lens


@pytest.mark.parametrize("steps", [0, 1, 3, 4])
def test_stop_leaves_grad_as_it_was(monkeypatch: pytest.MonkeyPatch, steps: int) -> None:
    x, y = small()
    _, lens = stopped_at(monkeypatch, y, steps=steps)
    assert x.grad is None
    assert (lens._latest.phase, lens._latest.rows.steps) == ("stopped", steps)


def test_stop_puts_the_same_tensors_back_with_their_values(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.manual_seed(0)
    model = Block(8)
    x = torch.randn(1, 3, 8)
    model(x).sum().backward()
    frozen = next(model.parameters())
    frozen.grad = None
    before = [(p.grad, None if p.grad is None else p.grad.clone()) for p in model.parameters()]
    loss = model(x).square().sum()
    count = len(loupe.autograd.capture(loss).nodes)
    message, lens = stopped_at(monkeypatch, loss, model, steps=count - 1)
    for parameter, (grad, values) in zip(model.parameters(), before, strict=True):
        assert parameter.grad is grad
        assert grad is None or torch.equal(grad, values)
    assert "Every .grad is as it was before." in message and "your own hooks" in message
    assert lens.ledger.ran == count - 1


def test_a_stopped_graph_is_spent_unless_it_is_retained(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = small()
    message, _ = stopped_at(monkeypatch, y, steps=4)
    assert "spent" in message
    with pytest.raises(RuntimeError, match="second time"):
        y.backward()
    x, y = small()
    message, _ = stopped_at(monkeypatch, y, steps=4, retain_graph=True)
    assert "was kept" in message
    y.backward()
    assert x.grad is not None and x.grad.item() == 7


def test_create_graph_is_restored_without_a_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    x = torch.tensor(3.0, requires_grad=True)
    x.grad = before = torch.tensor(1.0)
    y = x**3 * 1
    person_lens: list[AutogradLens] = []
    with before_a_person(
        monkeypatch, *[STEP] * 2, lambda lens: (person_lens.append(lens), lens.on_message(RUN))
    ):
        loupe.autograd.backward(y, mode="live", create_graph=True)
    assert x.grad is not before and before.item() == 1
    assert "note.cloned" not in [note.id for note in person_lens[0]._latest.notes]
    x.grad = None


def test_leaves_a_checkpoint_reaches_are_restored_too(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.manual_seed(0)
    layer = nn.Linear(3, 3)
    x = torch.ones(2, 3, requires_grad=True)
    y = checkpoint(lambda t: layer(t).sin(), x, use_reentrant=True).sum()
    stopped_at(monkeypatch, y, layer, steps=2)
    assert x.grad is None and layer.weight.grad is None and layer.bias.grad is None


def test_a_result_that_retains_its_grad_is_restored(monkeypatch: pytest.MonkeyPatch) -> None:
    x = torch.tensor(2.0, requires_grad=True)
    middle = x * 3
    middle.retain_grad()
    middle.grad = before = torch.tensor(4.0)
    with before_a_person(monkeypatch, STEP, STEP, STOP), pytest.raises(BackwardStopped):
        loupe.autograd.backward(middle.exp(), mode="live")
    assert middle.grad is before and before.item() == 4 and x.grad is None


def test_an_error_restores_and_names_the_node(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, t: torch.Tensor) -> torch.Tensor:
            return t * 2

        @staticmethod
        def backward(ctx: Any, gradient: torch.Tensor) -> torch.Tensor:
            raise ValueError("not today")

    a, b = torch.tensor(2.0, requires_grad=True), torch.tensor(3.0, requires_grad=True)
    a.grad = torch.tensor(5.0)
    y = a * Broken.apply(b)
    with before_a_person(monkeypatch) as person, pytest.raises(ValueError, match="not today"):
        loupe.autograd.backward(y, mode="live")
    frame = person.lens._latest
    broken = [node.index for node in person.lens.record.nodes if node.type == "BrokenBackward"]
    assert (frame.phase, [frame.failure.node]) == ("failed", broken)
    assert frame.failure.heading.id == "fail.custom"
    assert "ValueError: not today" in frame.failure.error
    assert a.grad.item() == 5 and b.grad is None


def test_a_hook_of_the_person_that_raises_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = small()

    def grumble(gradient: torch.Tensor) -> torch.Tensor:
        raise KeyError("mine")

    x.register_hook(grumble)
    with before_a_person(monkeypatch) as person, pytest.raises(KeyError):
        loupe.autograd.backward(y, mode="live")
    failure = person.lens._latest.failure
    assert failure.heading.id == "fail.hook"
    assert "grumble" in failure.heading.args["function"]
    assert x.grad is None


def test_a_second_backward_is_explained_in_the_lens(monkeypatch: pytest.MonkeyPatch) -> None:
    x = torch.tensor(2.0, requires_grad=True)
    y = x.exp()
    y.backward()
    with before_a_person(monkeypatch) as person, pytest.raises(RuntimeError, match="second time"):
        loupe.autograd.backward(y, mode="live")
    frame = person.lens._latest
    assert (frame.failure.node, frame.explanation.kind) == (0, "freed")
    assert x.grad.item() == pytest.approx(7.389, rel=1e-4), "the first one stays"


# Waiting ends


@pytest.mark.parametrize("how", ["lens", "comm"])
def test_closing_lets_it_run_on(monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    x, y = small()

    def close(lens: AutogradLens) -> None:
        lens.close() if how == "lens" else wire(lens).handle_close({})

    with before_a_person(monkeypatch, STEP, close) as person:
        loupe.autograd.backward(y, mode="live")
    assert person.nodes == [0, 1] and x.grad is not None and x.grad.item() == 7


def test_another_device_runs_in_a_thread_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    where: list[str] = []

    def look(lens: AutogradLens) -> None:
        lens.on_message(STEP)

    x = torch.ones(3, device="meta", requires_grad=True)
    y = (x * 2).sum()
    y.register_hook(lambda gradient: where.append(threading.current_thread().name))
    with before_a_person(monkeypatch, look, look, look) as person:
        loupe.autograd.backward(y, mode="live")
    assert where == ["torchloupe-backward"]
    assert person.nodes == [0, 1, 2] and x.grad is not None
    x.grad = None
    y = (x * 2).sum()
    stopped_at(monkeypatch, y, steps=2)
    assert x.grad is None


def test_the_other_thread_has_the_modes_of_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[bool, torch.dtype]] = []
    x = torch.ones(3, device="meta", requires_grad=True)
    y = (x * 2).sum()
    y.register_hook(
        lambda g: seen.append((torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu")))
    )
    with torch.autocast("cpu", dtype=torch.float16), before_a_person(monkeypatch, RUN):
        loupe.autograd.backward(y, mode="live")
    assert seen == [(True, torch.float16)]


def test_nothing_is_held_once_it_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    x = torch.randn(30, requires_grad=True)
    x.grad = torch.randn(30)
    middle = x * 2
    gone = weakref.ref(middle)
    y = middle.exp().sum()
    del middle
    _, lens = stopped_at(monkeypatch, y, steps=3)
    mark = weakref.ref(lens.record.token())
    del y
    import gc

    gc.collect()
    assert gone() is None and mark() is None
