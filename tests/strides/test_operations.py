"""The twin against real tensors: shape, stride, offset, view or copy, error text; and imagined values."""

from __future__ import annotations

import time
import warnings

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strides.tensors import strided
from torchloupe.strides import capture
from torchloupe.strides.arguments import ArgumentError
from torchloupe.strides.bench import Bench
from torchloupe.strides.menu import menu
from torchloupe.strides.operations import OPERATIONS
from torchloupe.strides.perform import form, perform
from torchloupe.strides.reading import read

small = st.integers(-3, 6)
ONE_AXIS = ["unsqueeze", "squeeze"]


@st.composite
def tried(draw):
    """An operation with arguments that are often legal and sometimes not."""
    name = draw(st.sampled_from([name for name in OPERATIONS if name not in ("add_", "view_dtype")]))
    if name in ("transpose", "select"):
        texts = draw(st.lists(small, min_size=2, max_size=2))
    elif name in ("narrow", "unfold"):
        texts = draw(st.lists(small, min_size=3, max_size=3))
    elif name == "unsqueeze":
        texts = [draw(small)]
    elif name == "squeeze":
        texts = draw(st.lists(small, max_size=1))
    elif name == "index":
        part = st.sampled_from(["0", "-1", "1:", "::2", "...", "None", ":2", "4", "::-1", "1:3"])
        texts = [", ".join(draw(st.lists(part, min_size=1, max_size=3)))]
    elif name == "as_strided":
        rank = draw(st.integers(0, 3))
        size = draw(st.lists(st.integers(-1, 4), min_size=rank, max_size=rank))
        step = draw(st.lists(st.integers(-1, 5), min_size=rank, max_size=rank))
        texts = [*size, *step, draw(st.integers(-1, 4))]
    elif OPERATIONS[name].form.count("{}"):
        texts = draw(st.lists(small, max_size=4))
    else:
        texts = []
    return name, [str(text) for text in texts]


def really(x, name, texts):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            y = OPERATIONS[name].call(x, texts)
        except (RuntimeError, IndexError, ValueError, TypeError) as error:
            return None, f"{type(error).__name__}: {error}".strip()
    return y, ""


@settings(max_examples=800, deadline=None)
@given(strided(), tried())
def test_the_twin_answers_as_the_tensor_would(x, operation):
    name, texts = operation
    try:
        trial = perform(capture(x), name, texts)
    except ArgumentError:
        return
    y, error = really(x, name, texts)
    assert trial.error == error
    if y is None:
        assert (trial.outcome, trial.record) == ("refused", None)
        return
    same = y.untyped_storage()._cdata == x.untyped_storage()._cdata
    assert trial.outcome == ("same" if y is x else "view" if same else "copy")
    truth = capture(y)
    for fact in (
        "shape",
        "stride",
        "storage_offset",
        "dtype",
        "storage_nbytes",
        "is_contiguous",
        "memory_formats",
    ):
        assert getattr(trial.record, fact) == getattr(truth, fact), fact


@settings(max_examples=400, deadline=None)
@given(strided(), st.lists(tried(), min_size=1, max_size=3))
def test_values_of_imagined_copies_are_those_of_real_ones(x, chain):
    bench, y = Bench([x], ["x"]), x
    for name, texts in chain:
        try:
            step = bench.apply(name, texts)
        except ArgumentError:
            continue
        if step.result >= 0:
            y = really(y, name, texts)[0]
    entry = bench.entries[bench.active]
    cells = list(range(entry.record.storage_cells))
    flat = torch.empty(0, dtype=y.dtype).set_(y.untyped_storage())
    assert [value.full for value in read(bench, entry.id, cells)] == [repr(value) for value in flat.tolist()]


@pytest.mark.parametrize("lazy", [lambda z: z.conj(), lambda z: z.conj().imag, lambda z: z.real])
@pytest.mark.parametrize(
    "name", ["transpose", "contiguous", "clone", "flip", "reshape", "permute", "expand", "unfold"]
)
def test_lazy_bits_take_part(lazy, name):
    z = lazy(torch.arange(12).reshape(3, 4).to(torch.complex64) * (1 + 2j))
    arguments = {
        "transpose": [0, 1],
        "flip": [0],
        "reshape": [-1],
        "permute": [1, 0],
        "expand": [2, 3, 4],
        "unfold": [1, 2, 1],
    }
    texts = [str(number) for number in arguments.get(name, [])]
    bench = Bench([z], ["z"])
    step = bench.apply(name, texts)
    y, _ = really(z, name, texts)
    truth = capture(y)
    found = step.trial.record
    assert (found.stride, found.is_conj, found.is_neg) == (truth.stride, truth.is_conj, truth.is_neg)
    place = found.storage_offset + (found.stride[-1] if found.shape[-1] > 1 else 0)
    element = y[(0,) * (y.dim() - 1) + (1,)]
    assert read(bench, step.result, [place])[0].full == repr(element.item())


@pytest.mark.filterwarnings("ignore:torch.quantize")
@pytest.mark.parametrize("per_channel", [False, True])
def test_quantised_tensors(per_channel):
    x = torch.arange(24.0).reshape(2, 3, 4)
    q = torch.quantize_per_tensor(x, 0.1, 10, torch.quint8)
    if per_channel:
        q = torch.quantize_per_channel(x, torch.tensor([0.1, 0.5]), torch.tensor([0, 4]), 0, torch.qint8)
    for entry in menu(capture(q)):
        if entry.operation in ("channels_last", "view_dtype"):
            continue
        trial = perform(capture(q), entry.operation, entry.arguments)
        y, error = really(q, entry.operation, entry.arguments)
        assert trial.error == error, entry.label
        if y is not None:
            assert (trial.record.shape, trial.record.stride) == (tuple(y.shape), y.stride()), entry.label
            assert trial.record.dtype is q.dtype


@settings(max_examples=200, deadline=None)
@given(strided())
def test_the_menu_says_what_will_happen(x):
    record = capture(x)
    for entry in menu(record):
        assert perform(record, entry.operation, entry.arguments).outcome == entry.outcome, entry.label
        assert entry.outcome != "refused" or entry.operation in ("view", "channels_last"), entry.label
        y = (
            eval(f"x{'' if entry.label[0] == '[' else '.'}{entry.label}", {"x": x, "torch": torch})
            if entry.outcome != "refused"
            else x
        )
        assert isinstance(y, torch.Tensor)


def test_the_menu_is_quick_and_touches_nothing_at_any_size():
    record = capture(torch.empty(10, 10**4, 10**4))
    menu(record)
    times = []
    for _ in range(30):
        start = time.perf_counter()
        entries = menu(record)
        times.append(time.perf_counter() - start)
    assert sorted(times)[10] < 0.01
    assert {entry.family for entry in entries} == {"reorder", "reshape", "pick", "repeat", "copy"}


def test_view_as_dtype():
    x = torch.arange(6, dtype=torch.int32)
    bench = Bench([x], ["x"])
    bench.apply("clone", [])
    step = bench.apply("view_dtype", ["torch.int16"])
    truth = x.clone().view(torch.int16)
    found = read(bench, step.result, list(range(12)))
    assert [value.full for value in found] == [repr(value) for value in truth.tolist()]
    wide = bench.apply("view_dtype", ["int64"])
    assert [v.full for v in read(bench, wide.result, [0, 1, 2])] == [
        repr(v) for v in truth.view(torch.int64).tolist()
    ]


@pytest.mark.parametrize(
    ("operation", "texts"),
    [
        ("view", ["x"]),
        ("view", ["1.5"]),
        ("view", ["9" * 30]),
        ("transpose", ["0"]),
        ("as_strided", ["1", "2"]),
        ("index", ["[0, 1]"]),
        ("index", ["x.y"]),
        ("index", ["0]; y = (1"]),
        ("index", ["'a'"]),
        ("index", [""]),
        ("index", ["True"]),
        ("index", ["(" * 5000]),
        ("index", ["lambda: 0"]),
        ("index", ["..., ..., 1"]),
        ("view_dtype", ["int33"]),
        ("as_strided", ["-1", "1", "0"]),
    ],
)
def test_what_cannot_be_read_is_said(operation, texts):
    with pytest.raises(ArgumentError) as caught:
        perform(capture(torch.arange(6.0)), operation, texts)
    assert caught.value.sentence.id.startswith("error.")


def test_an_unknown_operation():
    with pytest.raises(KeyError):
        perform(capture(torch.ones(2)), "numpy", [])


def test_code():
    assert form("as_strided", ["4", "3", "1", "1", "0"]) == ".as_strided((4, 3), (1, 1), 0)"
    assert form("as_strided", ["4", "2", "0"]) == ".as_strided((4,), (2,), 0)"
    assert form("as_strided", ["0"]) == ".as_strided((), (), 0)"
    assert form("contiguous+view", ["|", "6, 4"]) == ".contiguous().view(6, 4)"
    assert form("index", ["..., ::2"]) == "[..., ::2]"


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 4), st.integers(0, 6)), min_size=1, max_size=3),
    st.integers(0, 8),
    st.integers(0, 40),
)
def test_as_strided_bounds_are_the_last_legal_numbers(axes, offset, extra):
    from torchloupe.strides.operations import ranges

    numbers = [*(n for n, _ in axes), *(s for _, s in axes), offset]
    needed = offset + 1 + sum((n - 1) * s for n, s in axes)
    x = torch.zeros(needed + extra)
    for place, (_, high) in enumerate(ranges("as_strided", capture(x), [str(n) for n in numbers])):
        if high is None:
            continue
        legal = [*numbers[:place], high, *numbers[place + 1 :]]
        beyond = [*numbers[:place], high + 1, *numbers[place + 1 :]]
        assert really(x, "as_strided", [str(n) for n in legal])[0] is not None
        assert really(x, "as_strided", [str(n) for n in beyond])[0] is None
