"""`explain`: what it knows of an in-place error, and what it says it cannot know."""

from __future__ import annotations

import sys

import pytest
import torch

from tests.autograd.programs import Program
from torchloupe.autograd.explain import ChangedBehindAutogradWarning, explain
from torchloupe.core import language

X = torch.tensor([0.3, -0.7, 1.1], dtype=torch.float64)
EXP = """
def f(x):
    a = x.exp()
    a += 1
    return a.sum()
"""


@pytest.fixture(autouse=True)
def english():
    language.language("en")
    yield
    language.language("auto")


def told_of(source: str):
    told, error = Program(source).explained(X)
    assert told is not None
    return told, error


def test_node_slot_versions_keeper_and_culprit() -> None:
    told, error = told_of(EXP)
    assert (told.node_title, told.slot, told.expected, told.found) == ("ExpBackward0", "result", 0, 1)
    assert (told.keeper, told.culprit, told.culprits, told.versions) == (2, 3, [3], [1])
    assert told.node == 2  # after SumBackward0 and AddBackward0, as the engine runs them
    assert told.tensor == "a"
    assert [line.text for line in told.lines] == [
        "def f(x):",
        "    a = x.exp()",
        "    a += 1",
        "    return a.sum()",
    ]
    assert told.error in str(error)
    assert told.unknown is None


def test_every_line_that_changed_it_is_named_in_order() -> None:
    told, _ = told_of("""
        def f(x):
            a = x.exp()
            for _ in range(2):
                a += 1
            a.mul_(2)
            torch.relu_(a)
            return a.sum()
    """)
    assert (told.culprits, told.versions, told.found) == ([4, 4, 5, 6], [1, 2, 3, 4], 4)


def test_only_changes_after_the_save_are_blamed() -> None:
    told, _ = told_of("""
        def f(x):
            a = x * 1
            a += 1
            a += 2
            b = a.sin()
            a += 3
            return b.sum()
    """)
    assert (told.expected, told.found, told.keeper, told.culprits) == (2, 3, 5, [6])


def test_the_first_node_the_engine_meets_is_the_one_that_is_explained() -> None:
    told, error = told_of("""
        def f(x):
            a = x.exp()
            b = x.sigmoid()
            a += 1
            b += 1
            return (a.sum() + b.sum())
    """)
    assert (told.node_title, told.culprits) == ("SigmoidBackward0", [5])
    assert "output 0 of Sigmoid" in str(error)


def test_another_tensor_of_the_same_shape_is_not_blamed() -> None:
    told, _ = told_of("""
        def f(x):
            a, b = x.exp(), x.clone()
            b += 1
            a += 1
            b += 1
            return (a + b).sum()
    """)
    assert told.culprits == [4]


def test_a_keeper_in_another_file_is_not_shown_among_these_lines() -> None:
    other = Program("def keep(x): return x.exp()").space()["keep"]
    program = Program(EXP.replace("x.exp()", "keep(x)"))
    space = program.space()
    space["keep"] = other
    explaining = explain()
    with pytest.raises(RuntimeError), explaining:
        space["f"](X.clone().requires_grad_()).backward()
    told = explaining.record.explanation
    assert (told.keeper, told.culprits, told.node_title) == (0, [3], "ExpBackward0")


def test_a_forward_before_the_block_is_said_to_be_unknown() -> None:
    x = X.clone().requires_grad_()
    a = x.exp()
    a.add_(1)
    explaining = explain()
    with pytest.raises(RuntimeError), explaining:
        a.sum().backward()
    told = explaining.record.explanation
    assert (told.node_title, told.culprits, told.fix_new) == ("ExpBackward0", [], "")
    assert told.unknown is not None and told.unknown.id == "explain.unknown.outside"


def test_a_change_that_was_not_seen_is_counted() -> None:
    import threading

    x = X.clone().requires_grad_()
    explaining = explain()

    def work() -> None:
        a = x.exp()
        thread = threading.Thread(target=lambda: a.detach().add_(1))
        thread.start()
        thread.join()
        a.add_(1)
        a.sum().backward()

    with pytest.raises(RuntimeError), explaining:
        work()
    told = explaining.record.explanation
    assert (told.expected, told.found, told.versions) == (0, 2, [2])
    assert told.unknown.id == "explain.unknown.missing" and told.unknown.args == {"n": 1}


def test_after_the_fact_the_node_is_known_and_the_line_is_not(monkeypatch) -> None:
    program = Program(
        EXP.replace("    return a.sum()", "    if x.numel() > 5: a.mul_(2)\n    return a.sum()")
    )
    x = X.clone().requires_grad_()

    def run(source: Program) -> None:
        exec(compile("loss = f(x); loss.backward()", "<nowhere>", "exec"), source.space() | {"x": x})

    with pytest.raises(RuntimeError) as raised:
        run(program)
    monkeypatch.setattr(sys, "last_exc", raised.value, raising=False)
    told = explain().record.explanation
    assert (told.node_title, told.slot, told.expected, told.found) == ("ExpBackward0", "result", 0, 1)
    assert (told.culprits, told.keeper, told.fix_new) == ([], 0, "")
    assert told.unknown.id == "explain.unknown.after"


def test_after_the_fact_the_only_line_that_could_be_it_is_marked_as_read_from_the_code(monkeypatch) -> None:
    program = Program("""
        def run(x):
            a = x.exp()
            a[0] = 5
            a.sum().backward()
    """)
    with pytest.raises(RuntimeError) as raised:
        program.space()["run"](X.clone().requires_grad_())
    monkeypatch.setattr(sys, "last_exc", raised.value, raising=False)
    told = explain().record.explanation
    assert (told.culprits, told.tensor) == ([3], "a")
    assert told.heading.id == "explain.needs.result.nobody"
    assert told.unknown.id == "explain.unknown.only" and told.unknown.args == {"lines": "3", "name": "a"}


@pytest.mark.filterwarnings("ignore:Anomaly Detection", "ignore:Error detected")
def test_after_the_fact_anomaly_mode_tells_who_kept_it(monkeypatch) -> None:
    run = Program("""
        def run(x):
            a = x.exp()
            a[0] = 5
            a.sum().backward()
    """).space()["run"]
    with torch.autograd.detect_anomaly(check_nan=False), pytest.raises(RuntimeError) as raised:
        run(X.clone().requires_grad_())
    monkeypatch.setattr(sys, "last_exc", raised.value, raising=False)
    assert explain().record.explanation.keeper == 2


def test_without_an_error_it_says_how_it_is_used(monkeypatch) -> None:
    monkeypatch.delattr(sys, "last_exc", raising=False)
    monkeypatch.delattr(sys, "last_value", raising=False)
    assert explain().record is None
    assert "with loupe.autograd.explain():" in str(explain())
    assert set(explain()._repr_mimebundle_()) == {"text/plain"}


@pytest.mark.parametrize("how", ["s.data.zero_()", "s.data[0] = 5", "s.data.view(-1).mul_(2)"])
def test_data_edits_are_found_behind_autograd(how: str) -> None:
    """S07: no error and no version, only a wrong gradient."""
    program = Program(f"""
        def f(x):
            s = x.sigmoid()
            loss = s.sum()
            {how}
            return loss
    """)
    wrong = program.backward(X)
    torch.testing.assert_close(program.slope(X), X.sigmoid() * (1 - X.sigmoid()))
    with pytest.warns(ChangedBehindAutogradWarning, match="Line 4 changed what it kept") as caught:
        told, error = program.explained(X)
    assert error is None and len(caught) == 1
    assert (told.kind, told.node_title, told.slot, told.culprits) == (
        "behind",
        "SigmoidBackward0",
        "result",
        [4],
    )
    assert not torch.equal(wrong, X.sigmoid() * (1 - X.sigmoid()))


def test_a_parameter_given_other_data_is_found_too() -> None:
    program = Program("""
        w = torch.ones(3, dtype=torch.float64, requires_grad=True)
        def f(x):
            loss = (w * x).sum()
            w.data = w.data - 0.5
            return loss
    """)
    assert torch.equal(program.backward(X), torch.full_like(X, 0.5)), "PyTorch reads the new data"
    with pytest.warns(ChangedBehindAutogradWarning):
        told, _ = program.explained(X)
    assert (told.kind, told.slot, told.culprits) == ("behind", "self", [4])


def test_a_result_given_other_data_leaves_the_saved_one_alone() -> None:
    program = Program("""
        def f(x):
            s = x.sigmoid()
            loss = s.sum()
            s.data = s.data * 2
            return loss
    """)
    torch.testing.assert_close(program.backward(X), X.sigmoid() * (1 - X.sigmoid()))
    assert program.explained(X) == (None, None)


def test_numpy_edits_are_found_without_a_line() -> None:
    with pytest.warns(ChangedBehindAutogradWarning):
        told, error = told_of("""
            def f(x):
                s = x.sigmoid()
                s.detach().numpy()[0] = 5
                return s.sum()
        """)
    assert error is None
    assert (told.kind, told.keeper, told.culprits) == ("behind", 2, [])
    assert told.unknown.id == "explain.unknown.behind"


def test_detach_edits_are_refused_by_pytorch_and_explained_as_such() -> None:
    told, error = told_of("""
        def f(x):
            s = x.sigmoid()
            s.detach().zero_()
            return s.sum()
    """)
    assert isinstance(error, RuntimeError)
    assert (told.kind, told.culprits, told.fix_new) == ("in_place", [3], "s = s.clone()\ns.detach().zero_()")
