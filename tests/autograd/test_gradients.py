"""What is told of a gradient, compared with NumPy in 64 bits; nothing that is looked at changes."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch._subclasses import FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode

from torchloupe.autograd.gradients import BAD, NONE, VALUE, ZERO, Summary, summarise

FLOATS = [torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.float8_e4m3fn]


def oracle(gradient: torch.Tensor) -> dict[str, float]:
    dense = gradient if gradient.layout is torch.strided else gradient.to_dense()
    values = dense.to(torch.float64).numpy().ravel()
    return {
        "norm": float(np.linalg.norm(values)),
        "smallest": float(values.min()),
        "largest": float(values.max()),
        "mean": float(values.mean()),
        "zeros": float((values == 0).mean()),
    }


def compare(found: Summary, wanted: dict[str, float], rel: float = 1e-5) -> None:
    for name, value in wanted.items():
        assert getattr(found, name) == pytest.approx(value, rel=rel, abs=1e-12), name


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("shape", [(), (1,), (4,), (5,), (3, 7), (64, 65)])
def test_numbers_are_those_of_numpy(dtype: torch.dtype, shape: tuple[int, ...]) -> None:
    torch.manual_seed(0)
    gradient = (torch.randn(shape) * (torch.rand(shape) > 0.3)).to(dtype)
    found = summarise(gradient)
    compare(found, oracle(gradient), rel=1e-4)
    assert (found.shape, found.numel, found.nonfinite) == (shape, gradient.numel(), 0)
    assert found.dtype == str(dtype).removeprefix("torch.")


@given(st.lists(st.floats(width=32), min_size=1, max_size=12))
def test_any_numbers(values: list[float]) -> None:
    found = summarise(torch.tensor(values))
    bad = sum(not math.isfinite(value) for value in values)
    assert found.nonfinite == bad
    assert found.zeros == pytest.approx(sum(value == 0 for value in values) / len(values))
    assert found.look == (BAD if bad else VALUE if any(values) else ZERO)
    if not bad:
        compare(found, oracle(torch.tensor(values)))
        if any(values):
            assert found.norm == pytest.approx(math.hypot(*values), rel=1e-5)


@pytest.mark.parametrize("size", [1e30, 1e-30, 3e38, 1e-40])
def test_squares_beyond_the_range_of_the_dtype(size: float) -> None:
    gradient = torch.full((4000,), size)
    assert summarise(gradient).norm == pytest.approx(float(gradient[0]) * math.sqrt(4000), rel=1e-4)
    assert summarise(gradient).mean == pytest.approx(float(gradient[0]), rel=1e-4)


@pytest.mark.parametrize("layout", ["coo", "csr"])
@pytest.mark.filterwarnings("ignore:Sparse CSR")
def test_sparse_counts_the_zeros_that_are_not_stored(layout: str) -> None:
    dense = torch.zeros(6, 7)
    dense[1, 2], dense[3, 3], dense[5, 0], dense[5, 6], dense[0, 0] = 2, -3, 1, 5, 7
    gradient = dense.to_sparse() if layout == "coo" else dense.to_sparse_csr()
    found = summarise(gradient)
    compare(found, oracle(gradient))
    assert found.shape == (6, 7) and found.numel == 42


def test_sparse_that_is_not_coalesced_is_summed() -> None:
    gradient = torch.sparse_coo_tensor([[1, 1, 8]], [2.0, -5.0, 1.0], (9,))
    compare(summarise(gradient), oracle(gradient))
    assert not gradient.is_coalesced()


def test_sparse_with_nothing_stored_is_zero() -> None:
    found = summarise(torch.zeros(5, 5).to_sparse())
    assert (found.look, found.norm, found.zeros) == (ZERO, 0.0, 1.0)


def test_complex() -> None:
    torch.manual_seed(0)
    gradient = torch.randn(5, 5, dtype=torch.complex64)
    found = summarise(gradient.conj())
    assert found.norm == pytest.approx(float(np.linalg.norm(gradient.numpy())), rel=1e-5)
    assert math.isnan(found.smallest) and math.isnan(found.mean)
    assert summarise(torch.tensor([1 + 2j])).text == "[1+2j]"
    assert summarise(torch.full((9,), complex(math.inf, 0))).look == BAD


@pytest.mark.parametrize(
    ("gradient", "text"),
    [
        (torch.tensor(7.0), "7"),
        (torch.tensor([1.0, 1.0, 1.0]), "[1, 1, 1]"),
        (torch.tensor([[1.5, -2.0], [0.0, 1e-9]]), "[[1.5, -2], [0, 1e-09]]"),
        (torch.tensor([math.nan, -math.inf]), "[NaN, -inf]"),
        (torch.tensor(True), "True"),
        (torch.empty(0), "[]"),
        (torch.ones(5), ""),
    ],
)
def test_few_elements_are_told_themselves(gradient: torch.Tensor, text: str) -> None:
    assert summarise(gradient).text == text


def test_none_zero_and_not_a_number_look_different() -> None:
    nan = torch.ones(9)
    nan[3] = math.nan
    looks = [summarise(g).look for g in (None, torch.zeros(9), torch.ones(9), nan)]
    assert looks == [NONE, ZERO, VALUE, BAD]
    assert summarise(nan).nonfinite == 1


def test_where_nothing_can_be_read_the_shape_is_told() -> None:
    with FakeTensorMode():
        fake = torch.ones(3, 4)
    for gradient in (torch.ones(3, 4, device="meta"), fake):
        found = summarise(gradient)
        assert (found.look, found.shape, found.numel) == (VALUE, (3, 4), 12)
        assert math.isnan(found.norm)


class Counted(TorchDispatchMode):
    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.calls += 1
        return func(*args, **(kwargs or {}))


def test_looking_leaves_no_trace() -> None:
    gradient = (torch.randn(9, requires_grad=True) * 2).requires_grad_()
    version, rng = gradient._version, torch.random.get_rng_state()
    with Counted() as mode, torch.enable_grad():
        before = mode.calls
        summarise(gradient)
        assert mode.calls == before
        assert torch.is_grad_enabled()
    assert gradient._version == version
    assert torch.equal(torch.random.get_rng_state(), rng)
