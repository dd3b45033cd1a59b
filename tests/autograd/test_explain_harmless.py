"""`explain` changes no result, keeps no tensor, runs nothing twice, and lets every other error through."""

from __future__ import annotations

import copy
import gc
import subprocess
import sys
import warnings
import weakref

import pytest
import torch

from tests.autograd.programs import Program
from torchloupe.autograd.explain import explain

X = torch.tensor([0.3, -0.7, 1.1], dtype=torch.float64)
EXP = """
def f(x):
    a = x.exp()
    a += 1
    return a.sum()
"""


def test_a_program_without_a_fault_gives_no_explanation_and_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        told, error = Program("""
            nn = torch.nn
            body = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU(inplace=True), nn.Dropout(0.3))
            model = nn.Sequential(body, nn.Linear(4, 1)).double()
            opt = torch.optim.Adam(model.parameters())
            def f(x):
                for _ in range(3):
                    opt.zero_grad()
                    loss = model(torch.stack([x, x + 1])).pow(2).mean()
                    loss.backward()
                    opt.step()
                return model(torch.stack([x, x + 1])).sum()
        """).explained(X)
    assert told is None and error is None


def test_an_error_that_is_none_of_backwards_is_left_alone() -> None:
    for source in (
        "def f(x): return x.reshape(7)",
        "def f(x): return y",
        "def f(x): raise KeyboardInterrupt",
    ):
        explaining = explain()
        with pytest.raises((RuntimeError, NameError, KeyboardInterrupt)), explaining:
            Program(source).space()["f"](X)
        assert explaining.record is None


def test_results_are_the_same_bit_for_bit_and_so_is_the_random_state() -> None:
    def train(block) -> tuple[list[torch.Tensor], torch.Tensor]:
        torch.manual_seed(3)
        layers = torch.nn.Linear(5, 7), torch.nn.LayerNorm(7), torch.nn.GELU(), torch.nn.Dropout(0.2)
        model = torch.nn.Sequential(*layers, torch.nn.LSTM(7, 4))
        opt = torch.optim.AdamW(model.parameters(), lr=1e-2)
        with block:
            for _ in range(4):
                opt.zero_grad()
                y, (h, _) = model(torch.randn(2, 3, 5))
                (y.exp().mean() + h.abs().sum()).backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                opt.step()
        found = [p.detach().clone() for p in model.parameters()] + [p.grad for p in model.parameters()]
        return found, torch.get_rng_state()

    from contextlib import nullcontext

    plain, state = train(nullcontext())
    watched, watched_state = train(explain())
    assert torch.equal(state, watched_state)
    assert all(torch.equal(a, b) for a, b in zip(plain, watched, strict=True))


def test_no_tensor_is_kept_alive_inside_the_block_or_after_it() -> None:
    def work(x: torch.Tensor) -> list[weakref.ref]:
        seen = []
        a = x.exp()
        seen.append(weakref.ref(a))
        a += 1
        del a
        for _ in range(3):
            h = x * 2
            h[0] = 1
            h.data.mul_(2)
            seen.append(weakref.ref(h))
            del h
        b = x.sin()
        b.add_(1)
        seen.append(weakref.ref(b))
        b = None
        gc.collect()
        assert [ref() is None for ref in seen] == [True] * 5
        return seen

    x = X.clone().requires_grad_()
    with explain() as explaining:
        work(x)
    assert explaining.record is None


def test_a_failed_block_keeps_nothing_once_the_error_is_gone() -> None:
    program = Program(EXP)
    x = X.clone().requires_grad_()
    explaining = explain()
    try:
        with explaining:
            program.space()["f"](x).backward()
    except RuntimeError:
        pass
    alive = weakref.ref(x)
    del x
    gc.collect()
    assert alive() is None
    assert explaining.record is not None


def test_locals_a_person_took_are_theirs() -> None:
    told = []

    def work(x: torch.Tensor) -> None:
        a = x * 1
        mine = locals()
        a += 1
        told.append(sorted(mine))

    with explain():
        work(X.clone().requires_grad_())
    assert {"a", "x"} <= set(told[0])


def test_checkpointed_segments_are_not_run_again() -> None:
    """S03: reading a checkpointed tensor would run the model once more."""
    from torch.utils.checkpoint import checkpoint

    runs = []

    def segment(t: torch.Tensor) -> torch.Tensor:
        runs.append(1)
        return t.sin().exp()

    x = X.clone().requires_grad_()
    explaining = explain()

    def work() -> None:
        a = x.exp()
        y = checkpoint(segment, a * 2, use_reentrant=False)
        a += 1
        (y.sum() + a.sum()).backward()

    with pytest.raises(RuntimeError), explaining:
        work()
    assert len(runs) == 2  # once forward, once by PyTorch's own backward
    assert explaining.record.explanation.node_title == "ExpBackward0"


def test_inside_vmap_and_grad_it_records_and_does_not_stumble() -> None:
    """S09: tensors without a storage."""
    from torch.func import grad, vmap

    x = torch.arange(12.0).view(4, 3)
    with explain() as explaining:
        found = vmap(grad(lambda row: (row**2).sum()))(x)
    assert torch.equal(found, 2 * x)
    assert explaining.record is None


def test_a_record_can_be_copied_and_says_the_same() -> None:
    explaining = explain()
    with pytest.raises(RuntimeError), explaining:
        Program(EXP).space()["f"](X.clone().requires_grad_()).backward()
    assert copy.deepcopy(explaining.record) == explaining.record


def test_the_error_of_a_deep_graph_is_explained_and_the_process_lives() -> None:
    program = """
import torch
from torchloupe.autograd.explain import explain
x = torch.ones(3, requires_grad=True)
explaining = explain()
try:
    with explaining:
        a = x.exp()
        h = a * 1
        for _ in range(30_000):
            h = h * 1.0
        a += 1
        (h.sum() + a.sum()).backward()
except RuntimeError:
    pass
told = explaining.record.explanation
del a, h
print(told.node_title, told.slot, told.culprits)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "ExpBackward0 result [12]\n"), done.stderr[-500:]
