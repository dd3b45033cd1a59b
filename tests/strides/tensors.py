"""Random strided tensors for the oracle tests."""

from __future__ import annotations

import torch
from hypothesis import strategies as st

DTYPES = [torch.float32, torch.float64, torch.int64, torch.uint8, torch.bfloat16, torch.complex64, torch.bool]


@st.composite
def strided(draw: st.DrawFn, dtypes: list[torch.dtype] = DTYPES) -> torch.Tensor:
    """A tensor of up to four axes: a fresh one, a chain of views of it, or `as_strided` on its storage."""
    dtype = draw(st.sampled_from(dtypes))
    shape = draw(st.lists(st.integers(0, 5), max_size=4))
    count = 1
    for size in shape:
        count *= size
    x = torch.arange(count).to(dtype).reshape(shape)
    for _ in range(draw(st.integers(0, 3))):
        x = _viewed(draw, x)
    return x


def _viewed(draw: st.DrawFn, x: torch.Tensor) -> torch.Tensor:
    kind = draw(st.sampled_from(["permute", "slice", "select", "expand", "unsqueeze", "as_strided"]))
    rank = x.dim()
    if kind == "permute":
        return x.permute(*draw(st.permutations(range(rank)))) if rank else x
    if kind == "slice" and rank:
        axis = draw(st.integers(0, rank - 1))
        start = draw(st.integers(0, x.shape[axis]))
        return x[(slice(None),) * axis + (slice(start, None, draw(st.integers(1, 3))),)]
    if kind == "select" and rank and x.shape[0]:
        return x.select(0, draw(st.integers(0, x.shape[0] - 1)))
    if kind == "expand" and rank < 4:
        return x.expand(draw(st.integers(1, 3)), *x.shape)
    if kind == "unsqueeze" and rank < 4:
        return x.unsqueeze(draw(st.integers(0, rank)))
    if kind == "as_strided":
        return _restrided(draw, x)
    return x


def _restrided(draw: st.DrawFn, x: torch.Tensor) -> torch.Tensor:
    cells = x.untyped_storage().nbytes() // x.element_size()
    if cells == 0:
        return x
    offset = draw(st.integers(0, cells - 1))
    room, shape, stride = cells - 1 - offset, [], []
    for _ in range(draw(st.integers(0, 3))):
        step = draw(st.integers(0, 4))
        size = draw(st.integers(1, min(5, room // step + 1) if step else 4))
        shape.append(size)
        stride.append(step)
        room -= (size - 1) * step
    return x.as_strided(shape, stride, offset)
