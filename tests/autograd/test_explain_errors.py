"""The other errors around a backward, each raised by PyTorch itself; a fix is run, and gives what it says."""

from __future__ import annotations

import sys

import pytest
import torch

from tests.autograd.programs import Program
from torchloupe.autograd.explain import explain
from torchloupe.core import language

X = torch.tensor([0.3, -0.7, 1.1], dtype=torch.float64)


def failing(source: str, words: str):
    program = Program(source)
    with pytest.raises(Exception, match=words) as plain:
        program.backward(X)
    told, error = program.explained(X)
    assert told is not None
    assert (type(error), str(error)) == (plain.type, str(plain.value))
    return program, told


def test_a_second_backward_names_the_first() -> None:
    program, told = failing(
        """
        def f(x):
            loss = x.exp().sum()
            loss.backward()
            loss.backward()
            return x.sum()
        """,
        "a second time",
    )
    assert (told.kind, told.keeper, told.culprit) == (
        "freed",
        3,
        4,
    ) and told.heading.id == "explain.freed.same"
    assert (told.fix_line, told.fix_new) == (3, "loss.backward(retain_graph=True)")
    torch.testing.assert_close(program.fixed(told).backward(X), 2 * X.exp() + 1)


def test_two_losses_over_one_trunk() -> None:
    program, told = failing(
        """
        def f(x):
            trunk = x.exp()
            torch.autograd.backward(trunk.sum(), inputs=[x])
            return (trunk * 2).sum()
        """,
        "a second time",
    )
    assert told.heading.id == "explain.freed.shared"
    assert (told.keeper, told.culprit) == (3, 0), "the second was called in another file"
    torch.testing.assert_close(program.fixed(told).backward(X), 3 * X.exp())


def test_a_state_carried_through_a_loop_is_to_be_detached() -> None:
    _, told = failing(
        """
        def f(x):
            h = x.exp()
            for _ in range(3):
                h = h * h
                h.sum().backward()
            return h.sum()
        """,
        "a second time",
    )
    assert told.heading.id == "explain.freed.carried" and told.keeper == told.culprit == 5
    assert told.way.id == "explain.freed.detach" and told.fix_new == ""


@pytest.mark.parametrize(
    ("last", "new"),
    [
        ("y.backward()", "y.sum().backward()"),
        ("(y * 2).backward()", "(y * 2).sum().backward()"),
        ("y.exp().backward(retain_graph=True)", "y.exp().sum().backward(retain_graph=True)"),
        ("torch.autograd.backward(y)", "torch.autograd.backward(y.sum())"),
        ("torch.autograd.grad(y * y, x)", "torch.autograd.grad((y * y).sum(), x)"),
    ],
)
def test_a_backward_of_several_numbers_is_summed(last: str, new: str) -> None:
    program, told = failing(
        f"def f(x):\n    y = x.sin()\n    {last}\n    return x.sum()", "only for scalar outputs"
    )
    assert (told.kind, told.fix_line, told.fix_new) == ("not_scalar", 3, new)
    assert told.heading.args == {"shape": "(3,)", "n": 3}
    program.fixed(told).backward(X)


@pytest.mark.parametrize(
    ("line", "view"),
    [
        ("w += 1", False),
        ("w.mul_(2)", False),
        ("w[0] = 5", True),
        ("w[1:].add_(1)", True),
        ("w.data; w -= 1", False),
    ],
)
def test_a_leaf_changed_in_place(line: str, view: bool) -> None:
    program, told = failing(
        f"""
        w = torch.ones(3, dtype=torch.float64, requires_grad=True)
        def f(x):
            global w
            {line}
            return (w * x).sum()
        """,
        "a leaf Variable that requires grad",
    )
    assert (told.kind, told.culprit) == ("leaf", 4)
    assert told.heading.id == ("explain.leaf.view" if view else "explain.leaf.head")
    assert told.heading.args == {"name": "w"}
    if ";" in line:
        assert told.fix_new == ""
        return
    assert told.fix_new == f"with torch.no_grad():\n    {line}"
    program.fixed(told).backward(X)


def test_no_graph_and_integers_without_one() -> None:
    _, told = failing(
        "def f(x): return x.detach().sum()", "does not require grad and does not have a grad_fn"
    )
    assert (told.kind, told.detail.id) == ("no_graph", "explain.no_graph.detail")
    _, told = failing("def f(x): return x.argmax()", "does not require grad and does not have a grad_fn")
    assert told.detail.id == "explain.no_graph.integer"


def test_an_input_that_was_not_used() -> None:
    program, told = failing(
        """
        def f(x):
            w = torch.ones(3, requires_grad=True)
            torch.autograd.grad(x.sum(), [x, w])
            return x.sum()
        """,
        "appears to not have been used",
    )
    assert told.fix_new == "torch.autograd.grad(x.sum(), [x, w], allow_unused=True)"
    program.fixed(told).backward(X)


def test_one_of_several_views() -> None:
    _, told = failing(
        """
        def f(x):
            a, b, c = (x * 1).unbind()
            a += 1
            return a + b + c
        """,
        "is a view and is being modified inplace",
    )
    assert (told.culprit, told.way.id) == (3, "explain.views.way")


def test_a_given_gradient_of_another_shape() -> None:
    _, told = failing(
        "def f(x):\n    x.exp().backward(torch.ones(2, dtype=x.dtype))\n    return x.sum()",
        "Mismatch in shape",
    )
    assert told.heading.args == {"got": "(2)", "wanted": "(3)"} and told.culprit == 2


FUNCTION = """
class Half(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, n):
        return x / n
    @staticmethod
    def backward(ctx, grad):
        return {}
def f(x):
    return Half.apply(x, 2).sum()
"""


@pytest.mark.parametrize(
    ("returned", "words", "heading"),
    [
        ("grad[:2], None", "invalid gradient", "explain.custom.shape"),
        ("grad / 2", "incorrect number", "explain.custom.count"),
        ("grad / 2, None, None, grad", "incorrect number", "explain.custom.count"),
        ('grad.to("meta"), None', "invalid gradient", "explain.custom.other"),
    ],
)
def test_what_a_custom_function_returned(returned: str, words: str, heading: str) -> None:
    _, told = failing(FUNCTION.format(returned), words)
    assert (told.kind, told.heading.id, told.node_title) == ("custom", heading, "HalfBackward")
    assert (told.culprit, told.keeper) == (7, 9), "where backward returns, and where the Function was applied"
    if heading == "explain.custom.shape":
        assert told.heading.args == {"function": "Half", "index": "0", "got": "(2)", "wanted": "(3)"}


def test_an_error_inside_a_custom_backward() -> None:
    _, told = failing(FUNCTION.format("grad / 2, 1 / 0"), "division by zero")
    assert (told.kind, told.culprit) == ("custom", 7)
    assert told.heading.args == {"function": "Half", "error": "ZeroDivisionError", "line": 7}


def test_after_the_fact_it_says_what_it_cannot_know(monkeypatch) -> None:
    loss = X.clone().requires_grad_().exp().sum()
    loss.backward()
    with pytest.raises(RuntimeError) as raised:
        loss.backward()
    monkeypatch.setattr(sys, "last_exc", raised.value, raising=False)
    told = explain().record.explanation
    assert (told.kind, told.unknown.id) == ("freed", "explain.freed.unknown")


@pytest.mark.parametrize("tag", language.LANGUAGES)
def test_every_explanation_is_worded_and_drawn(tag) -> None:
    sources = [
        "def f(x): return x.detach().sum()",
        "def f(x): return x.exp()",
        FUNCTION.format("grad[:2], None"),
        "def f(x):\n    y = x.exp().sum()\n    y.backward()\n    return y",
    ]
    for source in sources:
        told, error = Program(source).explained(X)
        assert told is not None and error is not None
        with language.worded_in(tag):
            from torchloupe.autograd.explain_record import ExplanationRecord

            record = ExplanationRecord(told)
            text = record.text()
            assert "{" not in text and any("\u4e00" <= c <= "\u9fff" for c in text) == (tag == "zh-CN")
            assert record.picture().svg().startswith("<svg")
