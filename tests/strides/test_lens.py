"""The lens: frames, messages, lifetimes, names, languages."""

from __future__ import annotations

import gc
import json
import weakref

import pytest
import torch

import torchloupe as loupe
from torchloupe.strides import StridesLens, show


@pytest.fixture(autouse=True)
def english():
    loupe.language("en")
    yield
    loupe.language("auto")


@pytest.fixture
def x():
    return torch.arange(24.0).reshape(2, 3, 4)


class Page:
    """Stands in for the browser: sends messages, keeps the replies."""

    def __init__(self, lens: StridesLens) -> None:
        self.lens, self.replies = lens, []
        lens.reply = self.replies.append  # type: ignore[method-assign]

    def send(self, type: str, **message):
        self.lens.on_message({"type": type, **message})
        return self.lens._latest


def test_the_first_frame_is_whole_and_json(x):
    state = show(x).frame
    json.dumps(state, allow_nan=False)
    assert [t["name"] for t in state["tensors"]] == ["x"]
    assert (state["tensors"][0]["stride"], state["step"], state["active"]) == ([12, 4, 1], None, 0)
    assert state["cells"][0]["labels"] == [f"{n}." for n in range(24)]
    assert len(json.dumps(state)) < 64_000


def test_apply_edit_undo_redo(x):
    page = Page(show(x))
    found = page.send("apply", operation="transpose", arguments=["0", "2"], tensor=0)
    assert (found.step.line, found.step.outcome, found.script) == (
        "y = x.transpose(0, 2)",
        "view",
        "y = x.transpose(0, 2)",
    )
    assert [t.name for t in found.tensors] == ["x", "y"]
    assert (found.tensors[1].stride, found.active, found.storages[0].imagined) == (
        [1, 4, 12],
        found.step.result,
        False,
    )
    assert len(found.storages) == 1
    assert [a.text for a in found.step.arguments] == ["0", "2"]
    assert [token.argument for token in found.step.tokens if token.argument >= 0] == [0, 1]
    assert (found.step.arguments[0].low, found.step.arguments[0].high) == (-3, 2)

    found = page.send("edit", index=1, text="1")
    assert (found.step.line, found.tensors[1].stride) == ("y = x.transpose(0, 1)", [4, 12, 1])
    page.send("edit", index=1, text="one")
    assert page.replies[-1]["type"] == "invalid"
    assert page.lens._latest.step.line == "y = x.transpose(0, 1)"

    found = page.send("apply", operation="reshape", arguments=["-1"], tensor=found.active)
    assert (found.step.line, found.step.outcome, found.step.carry) == ("z = y.reshape(-1)", "copy", "ravel")
    assert [s.imagined for s in found.storages] == [False, True]
    found = page.send("edit", index=0, text="6, 4")
    assert (found.step.line, found.tensors[-1].shape) == ("z = y.reshape(6, 4)", [6, 4])
    assert found.script == "y = x.transpose(0, 1)\nz = y.reshape(6, 4)"

    found = page.send("undo")
    assert (found.step.line, found.can_redo) == ("y = x.transpose(0, 1)", True)
    assert page.send("redo").step.line == "z = y.reshape(6, 4)"
    page.send("undo")
    found = page.send("undo")
    assert (found.step, found.can_undo, found.active) == (None, False, 0)
    assert torch.equal(x, torch.arange(24.0).reshape(2, 3, 4))


def test_a_refused_step_keeps_the_source_active(x):
    page = Page(show(x.transpose(0, 2), names=["y"]))
    found = page.send("apply", operation="view", arguments=["-1"], tensor=0)
    assert (found.step.result, found.active, found.step.outcome) == (-1, 0, "refused")
    way = found.advice[0].ways[1]
    found = page.send("apply", operation=way.operation, arguments=way.arguments, tensor=way.tensor)
    assert (found.step.line, found.step.outcome) == ("x = y.contiguous().view(-1)", "copy")
    found = page.send("edit", index=0, text="4, 6")
    assert found.step.line == "x = y.contiguous().view(4, 6)"
    assert found.cells[-1].labels[:4] == ["0.", "12.", "4.", "16."]


def test_editing_as_strided_keeps_sizes_and_strides_together(x):
    page = Page(show(x))
    page.send("apply", operation="as_strided", arguments=["4", "3", "1", "1", "0"], tensor=0)
    assert page.send("edit", index=1, text="3, 2").step.line == "y = x.as_strided((4, 3, 2), (1, 1, 1), 0)"
    assert page.send("edit", index=0, text="").step.line == "y = x.as_strided((3, 2), (1, 1), 0)"
    assert page.send("edit", index=4, text="5").step.line == "y = x.as_strided((3, 2), (1, 1), 5)"


def test_act_on_and_sample(x):
    page = Page(show(x, x[1], names=["x", "row"]))
    assert page.send("act_on", tensor=1).active == 1
    page.send("sample", tensor=1, cells=[12, 23])
    assert page.replies[-1] == {
        "type": "cells",
        "tensor": 1,
        "cells": [12, 23],
        "labels": ["12.", "23."],
        "values": ["12.0", "23.0"],
    }
    with pytest.raises(KeyError):
        page.send("act_on", tensor=9)
    with pytest.raises(ValueError, match="nonsense"):
        page.send("nonsense")


class TestNames:
    def test_as_written(self, x):
        rows = {"a": x}
        assert [t["name"] for t in show(x, x.T[0], rows["a"]).frame["tensors"]] == [
            "x",
            "x.T[0]",
            "rows['a']",
        ]

    def test_starred_arguments_take_the_variables_names(self, x):
        first = torch.ones(2)
        assert [t["name"] for t in show(*[first, torch.ones(3)]).frame["tensors"]] == ["first", "x"]

    def test_given(self, x):
        hostile = "<img src=x onerror=alert(1)>"
        lens = show(x, x, names=[hostile, "b\u202e\nc"])
        assert [t["name"] for t in lens.frame["tensors"]] == [hostile, "b c"]
        assert "<img" not in lens.picture().svg()
        assert "&lt;img" in lens.picture().svg()

    @pytest.mark.parametrize("names", [[], ["a", "b"], "xy"])
    def test_as_many_as_tensors(self, x, names):
        with pytest.raises(ValueError, match="1 tensor"):
            show(x, names=names)

    def test_results_never_take_a_persons_name(self):
        y, z = torch.ones(2, 3), torch.ones(3)
        page = Page(show(y, z))
        found = page.send("apply", operation="mT", arguments=[], tensor=0)
        assert found.step.line == "x = y.mT"
        names = set()
        for _ in range(30):
            found = page.send("apply", operation="mT", arguments=[], tensor=found.active)
            names.add(found.tensors[-1].name)
        assert len(names) == 30
        assert not names & {"x", "y", "z"}
        assert found.tensors[-1].name.startswith("r")

    def test_an_expression_is_bracketed_in_code(self, x):
        page = Page(show(x, names=["a + b"]))
        assert page.send("apply", operation="mT", arguments=[], tensor=0).step.line == "x = (a + b).mT"


def test_wrong_calls(x):
    with pytest.raises(ValueError, match="at least one tensor"):
        show()
    with pytest.raises(TypeError, match="None"):
        show(x, None)
    with pytest.raises(TypeError, match=r"show\(\*tensors\)"):
        show([x])
    with pytest.raises(TypeError):
        show(x, title="no")


def test_more_than_six_are_counted():
    lens = show(*[torch.ones(1) for _ in range(9)], names=list("abcdefghi"))
    assert len(lens.frame["tensors"]) == 6
    assert {"id": "note.more", "args": {"drawn": 6, "count": 9}} in lens.frame["tensors"][0]["notes"]


def test_first_samples_are_bounded():
    many = [torch.zeros(9, 9, 9, 9) for _ in range(6)]
    found = show(*many, names=list("abcdef")).frame["cells"]
    assert sum(len(c["cells"]) for c in found) <= 1024
    big = show(torch.empty(10**9), names=["big"]).frame["cells"][0]["cells"]
    assert len(big) <= 1024
    assert {0, 10**9 - 1} <= set(big)


class TestLifetime:
    def test_no_tensor_is_kept(self, x):
        z = (x * 2).requires_grad_()
        graph = weakref.ref(z)
        lens = show(z, z * 2, names=["z", "w"])
        Page(lens).send("apply", operation="flip", arguments=["0"], tensor=0)
        del z
        gc.collect()
        assert graph() is None

    def test_freed(self):
        y = torch.arange(6.0)
        lens = show(y)
        page = Page(lens)
        lens.refresh()
        del y
        gc.collect()
        lens.refresh()
        found = lens._latest
        assert (found.status.id, found.tensors[0].alive) == ("note.freed", False)
        assert found.cells[0].labels == [f"{n}." for n in range(6)]
        found = page.send("apply", operation="flip", arguments=["0"], tensor=0)
        assert found.cells[-1].labels == ["5.", "4.", "3.", "2.", "1.", "0."]
        page.send("sample", tensor=0, cells=[3])
        assert page.replies[-1]["labels"] == ["3."]
        assert "freed" in lens.text()

    def test_a_value_no_name_held_is_not_called_a_loss(self):
        lens = show(torch.arange(6.0))
        gc.collect()
        lens.refresh()
        found = lens._latest
        assert (found.status, found.tensors[0].alive) == (None, True)
        assert [note.id for note in found.tensors[0].notes] == ["note.passing"]
        page = Page(lens)
        found = page.send("apply", operation="flip", arguments=["0"], tensor=0)
        assert found.cells[-1].labels == ["5.", "4.", "3.", "2.", "1.", "0."]
        lens.refresh()
        assert lens._latest.status is None

    def test_a_temporary_view_is_read_through_its_sibling(self, x):
        lens = show(x, x.transpose(0, 2))
        lens.refresh()
        assert (lens._latest.status, [t.alive for t in lens._latest.tensors]) == (None, [True, True])
        x.zero_()
        lens.refresh()
        assert set(lens._latest.cells[1].labels) == {"0."}
        assert lens._latest.status.id == "note.written"

    def test_written(self, x):
        lens = show(x)
        lens.refresh()
        assert lens._latest.status is None
        x.add_(1)
        lens.refresh()
        assert (lens._latest.status.id, lens._latest.cells[0].labels[0]) == ("note.written", "1.")
        assert lens._latest.tensors[0].version == 1

    @pytest.mark.parametrize(
        ("change", "fate"),
        [
            (lambda t: t.resize_(100), "resized"),
            (lambda t: t.set_(torch.zeros(6)), "moved"),
            (lambda t: t.t_() if t.dim() > 1 else t.set_(t.untyped_storage(), 0, (6,), (0,)), "moved"),
            (lambda t: setattr(t, "data", torch.ones(6)), "moved"),
            (lambda t: t.untyped_storage().resize_(0), "resized"),
        ],
    )
    def test_moved_and_resized(self, change, fate):
        t = torch.arange(6.0)
        lens = show(t)
        change(t)
        lens.refresh()
        found = lens._latest
        assert (found.status.id, found.tensors[0].alive) == (f"note.{fate}", False)
        assert found.cells[0].labels == [f"{n}." for n in range(6)]

    def test_a_closed_lens_is_freed(self, x):
        lens = show(x)
        gone = weakref.ref(lens)
        lens.close()
        del lens
        gc.collect()
        assert gone() is None


def test_text_and_bundle_in_both_languages(x):
    lens = show(x)
    Page(lens).send("apply", operation="view", arguments=["5", "5"], tensor=0)
    english = lens.text()
    assert english.startswith(
        "x: Tensor of float32 on cpu, layout strided\nShape (2, 3, 4).\nStride (12, 4, 1), storage offset 0."
    )
    assert "24 elements do not fill (5, 5)" in english
    loupe.language("zh-CN")
    assert "24 个元素填不成 (5, 5)" in lens.text()
    bundle = lens._repr_mimebundle_()
    assert {"image/svg+xml", "image/png", "text/plain"} <= set(bundle)
    assert "填不成" in bundle["image/svg+xml"]
