"""How many gradients a node takes: one for each output of its forward operation."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import native
from .walk import Walk

_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def arities(walk: Walk) -> NDArray[np.int32]:
    """One number per node.

    A node's own `_input_metadata` tells, but costs as much as the rest of the walk: it is read only where
    the operator's schema does not already say that there is one output.
    """
    counts = np.ones(len(walk.nodes), np.int32)
    several = np.array([not returns_one(cls) for cls in walk.classes], bool)
    for place in np.flatnonzero(several[walk.type]).tolist():
        counts[place] = max(1, len(walk.nodes[place]._input_metadata))  # noqa: SLF001
    return counts


@lru_cache(maxsize=4096)
def returns_one(cls: Any) -> bool:
    """Whether every operator behind a node class returns exactly one tensor: `MulBackward0` ← `aten::mul`.

    False also when no such operator is known.
    """
    if cls is native.AccumulateGrad:
        return True
    name = re.sub(r"Backward\d*$", "", cls.__name__)
    if name == cls.__name__ or issubclass(cls, native.FunctionBase):
        return False
    snake = _WORD.sub("_", name).lower()
    found = [
        [str(returned.type) for returned in schema.returns]
        for start in ("aten::", "aten::_")
        for schema in native.schemas(start + snake)
    ]
    # TorchScript's overloads for plain numbers, `mul(int, int) -> int`, are not behind any node.
    tensors = [returned for returned in found if any("Tensor" in kind for kind in returned)]
    return bool(tensors) and all(returned == ["Tensor"] for returned in tensors)
