"""Every refusal has its reason in both languages, PyTorch's own words, and ways out that work."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import torchloupe as loupe
from tests.strides.tensors import strided
from tests.strides.test_operations import really, tried
from torchloupe.strides import capture
from torchloupe.strides.arguments import ArgumentError
from torchloupe.strides.bench import Bench
from torchloupe.strides.frames import frame
from torchloupe.strides.operations import OPERATIONS
from torchloupe.strides.perform import links
from torchloupe.strides.report import words
from torchloupe.strides.walk import completed, refused_walk

X = torch.arange(24.0).reshape(2, 3, 4)
Y = X.transpose(0, 2)


def refused(x, operation, *texts):
    bench = Bench([x], ["x"])
    step = bench.apply(operation, [str(text) for text in texts])
    assert step.result == -1
    return frame(bench)


def lines(found):
    return ["".join(token.text for token in way.tokens) for advice in found.advice for way in advice.ways]


@pytest.mark.parametrize(
    ("x", "operation", "texts", "heading", "ways"),
    [
        (Y, "view", [-1], "uneven", ["x.reshape(-1)", "x.contiguous().view(-1)"]),
        (X, "view", [5, 5], "misfit", ["x.view(4, 6)", "x.view(6, 4)", "x.view(3, 8)"]),
        (X, "reshape", [5, -1], "no_multiple", ["x.reshape(6, 4)", "x.reshape(4, 6)", "x.reshape(8, 3)"]),
        (X, "view", [-1, -1], "two_free", None),
        (X, "view", [-2, 12], "negative_size", ["x.view(-1)"]),
        (X, "transpose", [0, 5], "axis", ["x.transpose(0, 2)"]),
        (X, "permute", [0, 0, 1], "permute", ["x.permute(0, 1, 2)"]),
        (X, "permute", [2, 0], "permute", ["x.permute(2, 0, 1)"]),
        (X, "flip", [1, 1], "flip_twice", ["x.flip(1)"]),
        (X[0, 0], "mT", [], "matrix", ["x.unsqueeze(0)"]),
        (X, "flatten", [2, 0], "flatten", ["x.flatten(0, 2)"]),
        (X, "unsqueeze", [9], "axis", ["x.unsqueeze(3)"]),
        (X, "squeeze", [7], "axis", ["x.squeeze(2)"]),
        (X, "index", ["::-1"], "backwards_step", ["x.flip(0)"]),
        (X, "index", ["0, 0, 0, 0"], "many_indices", []),
        (X, "index", ["..., 9"], "outside", []),
        (X, "select", [0, 7], "outside", ["x.select(0, 1)"]),
        (X, "narrow", [1, 1, 9], "narrow", ["x.narrow(1, 1, 2)"]),
        (X, "as_strided", [10, 10, 5, 5, 0], "beyond", ["x.as_strided((3, 3), (5, 5), 0)"]),
        (X, "as_strided", [2, 2, 1, 1, 99], "beyond", ["x.as_strided((2, 2), (1, 1), 21)"]),
        (X, "as_strided", [3, -1, 5], "backwards", ["x.flip(0)"]),
        (X, "as_strided", [3, 1, -5], "negative", ["x.as_strided((3,), (1,), 0)"]),
        (X, "expand", [3, 3, 4], "expand", ["x.unsqueeze(0).expand(3, 2, 3, 4)"]),
        (X, "expand", [2, 3], "expand_few", ["x.expand(2, 3, 4)"]),
        (X, "expand", [-1, 2, 3, 4], "expand_free", ["x.expand(1, 2, 3, 4)"]),
        (X, "unfold", [2, 9, 1], "window", ["x.unfold(2, 4, 1)"]),
        (X, "unfold", [2, 2, 0], "window_step", ["x.unfold(2, 2, 1)"]),
        (X, "view_dtype", ["torch.float64"], None, None),
        (X.permute(1, 2, 0), "view_dtype", ["int64"], "dtype_stride", ["x.contiguous().view(int64)"]),
        (X, "channels_last", [], "channels_last", ["x.unsqueeze(0).to(memory_format=torch.channels_last)"]),
        (X.expand(2, 2, 3, 4), "add_", [1], "written", ["x.clone()"]),
    ],
)  # fmt: skip
def test_reasons_and_ways_out(x, operation, texts, heading, ways):
    if heading is None:
        assert Bench([x], ["x"]).apply(operation, texts).trial.outcome == "view"
        return
    found = refused(x, operation, *texts)
    assert found.step.refusal.heading.id == f"refused.{heading}"
    if ways is not None:
        assert lines(found) == ways
    for line in lines(found):
        assert isinstance(eval(line, {"x": x, "torch": torch, "int64": torch.int64}), torch.Tensor)


@settings(max_examples=400, deadline=None)
@given(strided(), tried())
def test_every_refusal_is_explained_and_its_ways_out_work(x, operation):
    name, texts = operation
    bench = Bench([x], ["x"])
    try:
        step = bench.apply(name, texts)
    except ArgumentError:
        return
    if step.result >= 0:
        return
    found = frame(bench)
    refusal = found.step.refusal
    for language in ("en", "zh-CN"):
        loupe.language(language)
        assert words.say(refusal.heading)
        assert words.say(refusal.detail)
    loupe.language("auto")
    assert refusal.heading.id != "refused.other", step.trial.error
    assert refusal.error == really(x, name, texts)[1]
    assert len(refusal.walk) <= 7
    for advice in found.advice:
        for way in advice.ways:
            y = x
            for link, own in links(way.operation, way.arguments):
                y = OPERATIONS[link].call(y, own)
            assert way.outcome != "refused"


@settings(max_examples=500, deadline=None)
@given(strided([torch.float32]), st.data())
def test_the_walk_shows_unequal_steps_where_view_is_refused(x, data):
    divisors = [d for d in range(1, x.numel() + 1) if x.numel() and x.numel() % d == 0] or [0]
    first = data.draw(st.sampled_from(divisors))
    target = data.draw(st.sampled_from([[-1], [first, -1] if first else [-1]]))
    y, error = really(x, "view", [str(size) for size in target])
    whole = completed(target, x.numel())
    walk = refused_walk(capture(x), whole, "x") if x.numel() else None
    assert (walk is None) == (y is not None), error
    if walk is not None:
        assert len(set(walk.hops)) > 1
        flat = x.flatten().tolist()
        storage = torch.empty(0).set_(x.untyped_storage())
        for point in walk.points:
            element = eval(point.label, {"x": x})
            assert storage[point.cell] == element
            assert element in flat


def test_walk_of_the_transposed_tensor():
    found = refused(Y, "view", -1).step.refusal
    assert [point.cell for point in found.walk] == [0, 12, 4, 16, 8, 20, 1]
    assert found.detail.args["steps"] == "+12, −8, +12, −8, +12, −19, …"
    assert found.error.startswith(
        "RuntimeError: view size is not compatible with input tensor's size and stride"
    )


def test_a_way_out_on_another_tensor():
    bench = Bench([X, Y], ["x", "y"])
    bench.apply("view", ["-1"], 1)
    way = frame(bench).advice[0].ways[-1]
    assert ("".join(token.text for token in way.tokens), way.tensor, way.outcome) == ("x.view(-1)", 0, "view")


class TestWriting:
    def test_a_stride_of_zero_is_refused(self):
        e = torch.arange(3.0).expand(1000, 3)
        found = frame(Bench([e], ["e"])).advice[0]
        assert (found.heading.id, found.heading.args) == ("advice.in_place", {"times": 1000})
        assert [way.outcome for way in found.ways] == ["refused", "copy"]
        with pytest.raises(RuntimeError) as caught:
            e.add_(1)
        assert refused(e, "add_", 1).step.refusal.error == f"RuntimeError: {caught.value}"

    def test_windows_run_silently(self):
        w = torch.arange(6.0).as_strided((4, 3), (1, 1))
        found = frame(Bench([w], ["w"])).advice[0]
        assert (found.heading.id, found.heading.args) == ("advice.in_place_most", {"times": 3})
        assert [way.outcome for way in found.ways] == ["same", "copy"]
        w.add_(1)

    def test_without_overlap_there_is_no_advice(self):
        assert frame(Bench([X, Y], ["x", "y"])).advice == []


class TestHeldMemory:
    def test_a_small_slice_of_a_large_storage(self):
        keep = torch.zeros(10**6)[10:20]
        found = frame(Bench([keep], ["keep"])).advice[0]
        assert found.heading.args == {"reached": "40 B", "held": "4,000,000 B"}
        assert "".join(token.text for token in found.ways[0].tokens) == "keep = keep.clone()"
        assert found.ways[0].price.args == {"copied": "40 B", "freed": "4 MB"}

    def test_not_when_the_whole_is_shown_too(self):
        big = torch.zeros(10**6)
        assert frame(Bench([big[10:20], big], ["keep", "big"])).advice == []
