"""Programs that fail in backward, as a person writes them, run as a cell or a file is."""

from __future__ import annotations

import linecache
import textwrap
from itertools import count
from pathlib import Path

import torch

from torchloupe.autograd.explain import explain
from torchloupe.autograd.state import Explanation

_NUMBERS = count()


class Program:
    """A source with `f(x)`, the forward, which the explained run calls and then goes back through."""

    def __init__(self, source: str) -> None:
        self.source = textwrap.dedent(source).strip() + "\n"
        self.lines = self.source.splitlines()

    def space(self) -> dict:
        """Run the source: what it defines."""
        name = f"program{next(_NUMBERS)}.py"
        linecache.cache[name] = (len(self.source), None, self.source.splitlines(keepends=True), name)
        space = {"torch": torch, "F": torch.nn.functional, "__name__": name}
        torch.manual_seed(0)
        exec(compile(self.source, name, "exec"), space)
        return space

    def backward(self, x: torch.Tensor) -> torch.Tensor:
        """Forward and backward without us; returns the gradient."""
        x = x.clone().requires_grad_()
        self.space()["f"](x).backward()
        return x.grad

    def value(self, x: torch.Tensor) -> float:
        return float(self.space()["f"](x.clone()))

    def slope(self, x: torch.Tensor, step: float = 1e-6) -> torch.Tensor:
        """The gradient by central differences of the forward, which the change does not break."""
        slopes = torch.zeros_like(x)
        for at in range(x.numel()):
            moved = torch.zeros_like(x).view(-1)
            moved[at] = step
            moved = moved.view_as(x)
            slopes.view(-1)[at] = (self.value(x + moved) - self.value(x - moved)) / (2 * step)
        return slopes

    def explained(self, x: torch.Tensor) -> tuple[Explanation | None, Exception | None]:
        """Run it in `explain()`: the explanation, and the error that came through."""
        x = x.clone().requires_grad_()
        space, error = self.space(), None
        explaining = explain()
        try:
            with explaining:
                space["f"](x).backward()
        except Exception as raised:
            error = raised
        return explaining.record.explanation if explaining.record else None, error

    def fixed(self, told: Explanation) -> Program:
        """The program with the fix written into it, as a person would."""
        old, new = told.fix_old.splitlines(), told.fix_new.splitlines()
        first = told.fix_line - 1
        there = self.lines[first : first + len(old)]
        assert textwrap.dedent("\n".join(there)).splitlines() == old
        indent = there[0][: len(there[0]) - len(there[0].lstrip())]
        kept = self.lines[:first], [indent + line for line in new], self.lines[first + len(old) :]
        return Program("\n".join(line for part in kept for line in part))


def read(path: Path) -> dict[str, tuple[str, str, int, str]]:
    """Programs of a text file by name: "fix" or "way", the source, the culprit's line, what is expected."""
    found = {}
    for block in path.read_text("utf-8").split("=== ")[1:]:
        head, rest = block.split("\n", 1)
        name, line = head.split(" | ")
        source, expected = rest.split("--- ")
        kind, text = expected.split("\n", 1)
        found[name] = (kind, source, int(line), text.strip())
    return found
