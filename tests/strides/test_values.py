"""Labels and values of samples, for every dtype, read without touching the tensor."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from torchloupe.strides.bench import Bench
from torchloupe.strides.frames import cells
from torchloupe.strides.label import label


@given(st.floats(width=32))
def test_float_labels_read_back(value):
    text = label(value)
    assert len(text) <= 8
    back = float(text)
    assert (math.isnan(back) and math.isnan(value)) or back == value or abs(back - value) <= abs(value) * 0.05


@given(st.integers(-(2**63), 2**64))
def test_integer_labels_read_back(value):
    text = label(value)
    assert len(text) <= 7
    assert abs(float(text) - value) <= abs(value) * 0.05


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (18.0, "18."),
        (18, "18"),
        (0.1, "0.1"),
        (1e-5, "1e-05"),
        (-0.0, "-0."),
        (True, "True"),
        (1 + 2j, "1.+2.j"),
        (1 - 2j, "1.-2.j"),
        (float("nan"), "nan"),
        (-float("inf"), "-inf"),
        (123456.0, "1.2e5"),
        (3.14159, "3.142"),
    ],
)
def test_labels(value, text):
    assert label(value) == text


@pytest.mark.parametrize("value", [0.0, 18.0, 0.1, 1e-5, 3.14159, 99.5, float("nan"), float("inf")])
def test_labels_agree_with_what_torch_prints(value):
    printed = str(torch.tensor(value)).removeprefix("tensor(").removesuffix(")")
    assert float(label(value)) == pytest.approx(float(printed), rel=1e-3, abs=1e-8, nan_ok=True)


FLOATS = ["float64", "float32", "float16", "bfloat16", "complex128", "complex64", "complex32"]
INTEGERS = ["int64", "int32", "int16", "int8", "uint8", "uint16", "uint32", "uint64", "bool"]


@pytest.mark.parametrize("name", FLOATS + INTEGERS)
def test_values_are_what_item_gives(name):
    x = torch.tensor([0, 1, 2, 3, 100]).to(getattr(torch, name))[1:]
    found = cells(Bench([x], ["x"]), 0, [0, 2, 4])
    flat = x._base if x._base is not None else x
    assert found.values == [repr(flat[i].item()) for i in (0, 2, 4)]
    assert found.labels == [label(flat[i].item()) for i in (0, 2, 4)]


@pytest.mark.parametrize("name", [n for n in dir(torch) if n.startswith("float8")])
def test_float8_shows_value_and_code(name):
    x = torch.tensor([1.0, 2.0, 0.5, 4.0]).to(getattr(torch, name))
    found = cells(Bench([x], ["x"]), 0, [0, 1, 2, 3])
    codes = x.view(torch.uint8).tolist()
    assert found.values == [f"{v!r} (code {c})" for v, c in zip(x.float().tolist(), codes, strict=True)]


def test_dtypes_without_arithmetic_show_their_bits():
    x = torch.tensor([0x21, 0xF3], dtype=torch.uint8).view(torch.float4_e2m1fn_x2)
    found = cells(Bench([x], ["x"]), 0, [0, 1])
    assert (found.labels, found.values) == (["21", "f3"], ["0x21", "0xf3"])


def test_a_lazy_conjugate_reads_the_conjugate():
    z = torch.tensor([1 + 2j, 3 - 4j])
    c = z.conj()
    assert cells(Bench([c], ["c"]), 0, [0, 1]).values == [repr(v) for v in c.tolist()]
    assert cells(Bench([z], ["z"]), 0, [0, 1]).values == [repr(v) for v in z.tolist()]
    assert cells(Bench([c.imag], ["i"]), 0, [1, 3]).values == ["-2.0", "4.0"]


@pytest.mark.parametrize("make", [lambda: torch.empty(3, device="meta"), lambda: fake()])
def test_without_memory_there_are_no_values(make):
    found = cells(Bench([make()], ["x"]), 0, [0, 1])
    assert (found.labels, found.values) == (["", ""], ["", ""])


def fake():
    from torch._subclasses.fake_tensor import FakeTensorMode

    with FakeTensorMode():
        return torch.ones(3)


def test_a_sample_is_bounded():
    x = torch.zeros(10_000)
    bench = Bench([x], ["x"])
    assert len(cells(bench, 0, list(range(4096))).labels) == 4096
    with pytest.raises(ValueError, match="4096"):
        cells(bench, 0, list(range(4097)))
    for outside in ([10_000], [-1]):
        with pytest.raises(ValueError, match="outside"):
            cells(bench, 0, outside)
    with pytest.raises(KeyError):
        cells(bench, 99, [0])


def test_reading_changes_nothing():
    w = torch.ones(6, requires_grad=True)
    y = (w * 2).view(2, 3)
    hits = []
    handle = y.register_hook(hits.append)
    lazy = torch._lazy_clone(torch.ones(4))
    seed, before = torch.get_rng_state(), (w._version, y._version, w.grad, y.grad_fn, y.data_ptr())
    kept = [w, y, lazy]
    bench = Bench(kept, ["w", "y", "lazy"])
    for id in range(3):
        assert cells(bench, id, [0, 1]).labels[0] in ("1.", "2.")
    assert (w._version, y._version, w.grad, y.grad_fn, y.data_ptr()) == before
    assert torch._C._is_cow_tensor(lazy)
    assert torch.equal(torch.get_rng_state(), seed)
    assert hits == []
    handle.remove()


def test_inference_tensors_and_inference_mode():
    with torch.inference_mode():
        x = torch.arange(3.0)
        assert cells(Bench([x], ["x"]), 0, [1]).values == ["1.0"]
    assert cells(Bench([x], ["x"]), 0, [2]).values == ["2.0"]
    y = torch.arange(3.0)
    with torch.inference_mode():
        assert cells(Bench([y], ["y"]), 0, [2]).values == ["2.0"]
    y.add_(1)
    assert y._version == 1
