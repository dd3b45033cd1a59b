"""`trace(source=True)`: the line and the piece of code behind each operation, and small values."""

from __future__ import annotations

import gc
import inspect
import subprocess
import sys
import weakref
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from torchloupe.autograd.capture import capture
from torchloupe.autograd.source_lines import Line
from torchloupe.autograd.tracing import lines_for, trace
from torchloupe.autograd.walk import walk


def lines(output: Tensor) -> dict[str, Line | None]:
    """By type of node: its line; the first of each type."""
    graph = walk([output.grad_fn])
    found = lines_for(graph.sequence) or [None] * len(graph.nodes)
    named = [(type(node).__name__, line) for node, line in zip(graph.nodes, found, strict=True)]
    return dict(reversed(named))


def here() -> int:
    """The line this is called from."""
    frame = inspect.currentframe()
    assert frame is not None and frame.f_back is not None
    return frame.f_back.f_lineno


def test_each_operation_has_its_piece_of_code_and_its_value() -> None:
    x = torch.tensor(2.0, requires_grad=True)
    with trace(source=True):
        y, number = x**2 + 3 * x + 1, here()
    assert lines(y) == {
        "PowBackward0": Line("x**2", "4", "test_source_lines.py", number),
        "MulBackward0": Line("3 * x", "6", "test_source_lines.py", number),
        "AddBackward0": Line("x**2 + 3 * x + 1", "11", "test_source_lines.py", number),
        "AccumulateGrad": None,
    }
    record = capture(y)
    assert record.lines
    assert [node.text for node in record.nodes][:4] == ["x**2 + 3 * x + 1", "x**2 + 3 * x", "3 * x", "x**2"]
    assert [node.value for node in record.nodes][:4] == ["11", "10", "6", "4"]


def test_columns_count_bytes() -> None:
    größe = torch.tensor([1.0, 2.0], requires_grad=True)
    with trace(source=True):
        y = [größe.sin(), "长度", größe.exp() * größe][2]
    found = lines(y)
    assert found["ExpBackward0"] is not None and found["ExpBackward0"].text == "größe.exp()"
    assert found["MulBackward0"] is not None and found["MulBackward0"].text == "größe.exp() * größe"


def test_a_piece_of_several_lines_is_one() -> None:
    x = torch.ones(2, requires_grad=True)
    # fmt: off
    with trace(source=True):
        y = torch.where(
            x > 0,
            x,   # kept
            x.exp(),
        )
    # fmt: on
    found = lines(y)["WhereBackward0"]
    assert found is not None and found.text.startswith("torch.where( x > 0, x,")
    assert "\n" not in found.text and found.text.endswith(")")


def test_inside_pytorch_it_is_the_line_that_called_in() -> None:
    layer = nn.Sequential(nn.Linear(2, 3), nn.GELU())
    with trace(layer, source=True):
        y, number = layer(torch.ones(1, 2)), here()
    for type_, line in lines(y).items():
        if type_ != "AccumulateGrad":
            assert line is not None and (line.text, line.number) == ("layer(torch.ones(1, 2))", number)


def test_of_several_nodes_only_the_last_has_the_value() -> None:
    x = torch.randn(4, 3, requires_grad=True)
    with trace(source=True):
        y = nn.functional.cross_entropy(x, torch.tensor([0, 1, 2, 0]))
    found = lines(y)
    loss, inner = found["NllLossBackward0"], found["LogSoftmaxBackward0"]
    assert loss is not None and float(loss.value) == pytest.approx(y.item(), rel=1e-5)
    assert inner is not None and inner.value == "" and inner.text == loss.text


@pytest.mark.parametrize(
    ("values", "text"),
    [
        (1.0, "1"),
        ([1.0, 2.5], "[1, 2.5]"),
        ([[1.0, 2.0], [3.0, float("nan")]], "[[1, 2], [3, nan]]"),
        ([1.0] * 5, ""),
        ([], "[]"),
        (3 + 4j, "3+4j"),
    ],
)
def test_values_of_at_most_four_elements(values: object, text: str) -> None:
    x = torch.tensor(values, requires_grad=True)
    with trace(source=True):
        y = x.clone()
    found = lines(y)["CloneBackward0"]
    assert found is not None and found.value == text


def test_what_is_not_plain_memory_is_not_read() -> None:
    class Guarded(Tensor):
        def tolist(self) -> list[float]:
            raise AssertionError

    meta = torch.ones(1, device="meta", requires_grad=True)
    guarded = torch.ones(1, requires_grad=True).as_subclass(Guarded)
    sparse = torch.eye(1, requires_grad=True).to_sparse()
    with trace(source=True):
        made = [meta * 2, guarded * 2, sparse * 2]
        torch.func.grad(lambda x: (x * 2).sum())(torch.ones(1))
    for output in made:
        found = lines(output)["MulBackward0"]
        assert found is not None and (found.text[-3:], found.value) == ("* 2", "")


def test_nothing_is_kept_alive_and_nothing_is_changed() -> None:
    x = torch.ones(2, requires_grad=True)
    with trace(source=True):
        y = x * 2
        version = y._version
        y.add_(1)
    assert y._version == version + 1 and y.requires_grad
    dead = weakref.ref(y)
    del y
    gc.collect()
    assert dead() is None


def test_operations_outside_have_no_line() -> None:
    x = torch.ones(1, requires_grad=True)
    before = x.sin()
    with trace(source=True):
        inside = before.cos()
    after = inside.exp()
    found = lines(after)
    assert found["SinBackward0"] is None and found["ExpBackward0"] is None
    assert found["CosBackward0"] is not None
    with trace():
        plain = x.sin()
    assert lines_for(walk([plain.grad_fn]).sequence) is None
    assert not capture(plain).lines


def test_an_error_ends_the_recording() -> None:
    x = torch.ones(1, requires_grad=True)
    with pytest.raises(ValueError), trace(source=True):  # noqa: PT012
        x.sin()
        raise ValueError
    assert lines_for(walk([x.cos().grad_fn]).sequence) is None


def test_functions_of_a_person_stay_theirs(tmp_path: Path) -> None:
    file = tmp_path / "theirs.py"
    file.write_text("def twice(x):\n    return (x *\n            2)\n", "utf-8")
    space: dict[str, object] = {}
    exec(compile(file.read_text("utf-8"), str(file), "exec"), space)
    twice = space["twice"]
    assert callable(twice)
    with trace(source=True):
        y = twice(torch.ones(1, requires_grad=True))
    assert lines(y)["MulBackward0"] == Line("x * 2", "[2]", "theirs.py", 2)


def test_a_cell_is_named_by_its_number() -> None:
    program = '''
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_cell("import torch; from torchloupe.autograd.tracing import trace, lines_for", store_history=True)
shell.run_cell("from torchloupe.autograd.walk import walk", store_history=True)
shell.run_cell("""x = torch.tensor(2.0, requires_grad=True)
with trace(source=True):
    y = x**2
print(lines_for(walk([y.grad_fn]).sequence)[0])""", store_history=True)
'''
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "Line(text='x**2', value='4', place='In[3]', number=3)"
