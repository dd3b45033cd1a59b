"""Every kind of in-place change: the line that is named, and that the fixed program gives the right gradient.

The oracle of an error is PyTorch's own; the oracle of a fix is the gradient by central differences of the
*unfixed* forward, whose values an in-place change does not break.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from tests.autograd.programs import Program, read
from torchloupe.autograd.explain_rules import RULES, operation

X = torch.tensor([0.3, -0.7, 1.1], dtype=torch.float64)

PROGRAMS = read(Path(__file__).with_name("inplace_programs.txt"))
FIXED = {name: rest for name, (kind, *rest) in PROGRAMS.items() if kind == "fix"}
UNFIXED = {name: rest for name, (kind, *rest) in PROGRAMS.items() if kind == "way"}


@pytest.mark.parametrize("name", FIXED)
def test_the_fixed_program_gives_the_gradient_of_the_one_that_was_written(name: str) -> None:
    source, line, new = FIXED[name]
    program = Program(source)
    with pytest.raises(RuntimeError, match="modified by an inplace operation") as plain:
        program.backward(X)
    told, error = program.explained(X)
    assert told is not None and isinstance(error, RuntimeError)
    assert str(error) == str(plain.value)
    assert told.kind == "in_place"
    assert told.fix_new == new
    assert told.fix_line == line
    assert (told.expected, told.found) == versions(str(error))
    assert told.price is not None and told.way is not None
    fixed = program.fixed(told)
    assert fixed.value(X) == program.value(X)
    torch.testing.assert_close(fixed.backward(X), program.slope(X), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("name", UNFIXED)
def test_where_no_line_is_surely_right_there_is_a_sentence(name: str) -> None:
    source, line, way = UNFIXED[name]
    program = Program(source)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        program.backward(X)
    told, error = program.explained(X)
    assert told is not None and error is not None
    assert set(told.culprits) == {line}
    assert (told.fix_old, told.fix_new, told.fix_line, told.price) == ("", "", 0, None)
    assert told.way is not None and told.way.id == way


def versions(message: str) -> tuple[int, int]:
    words = message.split("is at version ")[1].split("; expected version ")
    return int(words[1].split()[0]), int(words[0])


MAKERS = {
    "mul": lambda x: x * (x.detach() + 2),
    "div": lambda x: x / (x.detach() + 2),
    "pow": lambda x: x**3,
    "mm": lambda x: x.view(1, 3) @ torch.ones(3, 2, dtype=x.dtype),
    "addmm": lambda x: torch.addmm(
        torch.ones(2, dtype=x.dtype), x.view(1, 3), torch.ones(3, 2, dtype=x.dtype)
    ),
    "bmm": lambda x: torch.bmm(x.view(1, 1, 3), torch.ones(1, 3, 2, dtype=x.dtype)),
    "mv": lambda x: torch.mv(x.view(1, 3), torch.arange(3, dtype=x.dtype)),
    "softmax": lambda x: x.softmax(0),
    "log_softmax": lambda x: x.log_softmax(0),
    "dot": lambda x: x.dot(x.detach() + 1),
}


@pytest.mark.parametrize("name", RULES)
def test_every_rule_is_the_one_pytorch_runs(name: str) -> None:
    x = (X.abs() + 0.5).requires_grad_()
    y = MAKERS.get(name, lambda x: getattr(x, name)())(x)
    node, seed = y.grad_fn, torch.linspace(1, 2, y.numel(), dtype=y.dtype).view_as(y)
    assert operation(type(node).__name__) == name
    slots = {slot.removeprefix("_saved_"): getattr(node, slot) for slot in dir(node) if "_saved_" in slot[:7]}
    kept = {slot: value for slot, value in slots.items() if isinstance(value, torch.Tensor | int | float)}
    log = torch.tensor(2.0, dtype=y.dtype).log() if name == "exp2" else None
    functions = {name: getattr(torch, name) for name in ("exp", "cos", "sin", "sign", "outer")}
    shapes = {"mm": (1, 3), "mv": (1, 3), "bmm": (1, 1, 3)}
    kept.setdefault("mat1", x.view(1, 3))
    space = {"self": x.view(shapes.get(name, x.shape)), **kept}
    space |= {**functions, "log": lambda _: log, "grad": seed, "dim": 0}
    got = eval(RULES[name], space)
    got = got[0] if isinstance(got, tuple) else got
    (right,) = torch.autograd.grad(y, x, seed)
    torch.testing.assert_close(got.reshape(-1), right)
