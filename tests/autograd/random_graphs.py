"""Random graphs: views, in-place writes, several outputs, outputs nobody uses, custom Functions."""

from __future__ import annotations

from collections.abc import Callable

import torch
from hypothesis import strategies as st

from tests.autograd.models import Double

Op = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
OPERATIONS: dict[str, Op] = {
    "add": lambda a, b: a + b,
    "multiply": lambda a, b: a * b,
    "square": lambda a, b: a * a,
    "power": lambda a, b: a**2,
    "sin": lambda a, b: a.sin(),
    "matmul": lambda a, b: a @ b,
    "transpose": lambda a, b: a.T,
    "view": lambda a, b: a.reshape(9).view(3, 3),
    "row": lambda a, b: a[1].expand(3, 3),
    "chunk": lambda a, b: a.chunk(3)[1] + b,
    "split": lambda a, b: torch.cat([*a.split([1, 2])][::-1]),
    "unbind": lambda a, b: torch.stack([a.unbind()[2], b.unbind()[0], a.unbind()[2]]),
    "max": lambda a, b: a + a.max(1, keepdim=True)[0],
    "sort": lambda a, b: a.sort()[0],
    "where": lambda a, b: torch.where(a > 0, a, b),
    "detach": lambda a, b: a.detach() * b,
    "clone": lambda a, b: a.clone(),
    "custom": lambda a, b: Double.apply(a, None),
    "unused": lambda a, b: (a.exp(), b.cos())[1],
}
IN_PLACE: dict[str, Op] = {
    "add_": lambda a, b: a.add_(b.detach()),
    "add_grad_": lambda a, b: a.add_(b),
    "mul_": lambda a, b: a.mul_(2),
    "view_": lambda a, b: (a[0].mul_(3), a)[1],
    "copy_": lambda a, b: (a[1].copy_(b[0]), a)[1],
}


@st.composite
def programs(draw: st.DrawFn) -> list[tuple[str, int, int]]:
    """Operations with the places of their two operands among the values so far."""
    count = draw(st.integers(1, 14))
    names = st.sampled_from([*OPERATIONS, *IN_PLACE])
    return [(draw(names), draw(st.integers(0, 30)), draw(st.integers(0, 30))) for _ in range(count)]


def run(program: list[tuple[str, int, int]]) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
    """Leaves and all values of `program`, from the same numbers each time.

    In-place operations write to a copy, so that no saved value is spoilt and the backward can run.
    """
    generator = torch.Generator().manual_seed(0)
    leaves = [torch.randn(3, 3, generator=generator, requires_grad=True) for _ in range(2)]
    values: list[torch.Tensor] = [*leaves, torch.randn(3, 3, generator=generator)]
    for name, first, second in program:
        a, b = values[first % len(values)], values[second % len(values)]
        values.append(OPERATIONS[name](a, b) if name in OPERATIONS else IN_PLACE[name](a.clone(), b))
    return leaves, values


def outputs_of(values: list[torch.Tensor], count: int) -> list[torch.Tensor]:
    """The last `count` different values that have a graph."""
    found: dict[int, torch.Tensor] = {id(v): v for v in values if v.grad_fn is not None}
    return list(found.values())[-count:]
