"""What sort of node each is: an operation, a leaf, a custom Function, a checkpointed or a compiled part."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import native
from .record import KINDS
from .walk import Walk

_PLACE = {kind: place for place, kind in enumerate(KINDS)}


def kinds(walk: Walk, recomputed: Iterable[NDArray[np.int64]]) -> NDArray[np.uint8]:
    """One place in `KINDS` per node.

    Args:
        walk: the graph.
        recomputed: for each segment of a non-reentrant checkpoint, nodes whose saved tensors are recomputed.
            Operations numbered between the first and the last of them were made inside it too.
    """
    of_class = np.array([_PLACE[_of_class(cls)] for cls in walk.classes], np.uint8)
    kind: NDArray[np.uint8] = of_class[walk.type]
    for nodes in recomputed:
        numbers = walk.sequence[nodes]
        inside = (walk.sequence >= numbers.min()) & (walk.sequence <= numbers.max()) & ~walk.leaf
        kind[inside] = _PLACE["checkpoint"]
    return kind


@lru_cache(maxsize=4096)
def _of_class(cls: Any) -> Any:
    if cls is native.AccumulateGrad:
        return "leaf"
    if not issubclass(cls, native.FunctionBase):
        return "operation"
    forward = getattr(cls, "_forward_cls", None)
    module = getattr(forward, "__module__", "")
    if module == "torch.utils.checkpoint":
        return "checkpoint"
    if module.startswith("torch._functorch") and cls.__name__.startswith("CompiledFunction"):
        return "compiled"
    return "custom"


def type_names(walk: Walk) -> tuple[list[str], NDArray[np.int32]]:
    """The names that occur, and the place of each node's name: `PowBackward0`, `AccumulateGrad`.

    A node of C++ code that has no class of its own is called what it calls itself.
    """
    names = [cls.__name__ for cls in walk.classes]
    places = walk.type
    if "CppFunction" in names:
        places = places.copy()
        known = {name: place for place, name in enumerate(names)}
        for node in np.flatnonzero(walk.type == known["CppFunction"]).tolist():
            name = walk.nodes[node].name().rsplit("::", 1)[-1].strip("<>")
            places[node] = known.setdefault(name, len(known))
        names = list(known)
    return names, places
