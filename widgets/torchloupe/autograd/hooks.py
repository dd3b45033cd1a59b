# ruff: noqa: SLF001
"""Hooks of the person on gradients, as far as PyTorch lets them be seen.

A tensor tells its own hooks; a C++ node does not tell hooks that `node.register_hook` put on it, so those are
not found. Nothing is registered to find out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from .walk import Walk


def hooked(walk: Walk, ends: Mapping[int, Any], tensors: Iterable[torch.Tensor]) -> NDArray[np.uint8]:
    """Per node: 1 when a hook is on one of its gradients.

    Args:
        walk: the graph.
        ends: the tensor of each leaf.
        tensors: tensors to ask besides the leaves: outputs, and those the caller has names for.
    """
    found = np.zeros(len(walk.nodes), np.uint8)
    for leaf, tensor in ends.items():
        found[leaf] = has_hooks(tensor)
    nodes = [tensor.grad_fn for tensor in tensors if has_hooks(tensor) and tensor.grad_fn is not None]
    if nodes:
        ids = {node: id for id, node in enumerate(walk.nodes)}
        found[[ids[node] for node in nodes if node in ids]] = 1
    return found


def has_hooks(tensor: Any) -> bool:
    """Whether the person registered a hook on `tensor`; the package's own do not count."""
    if not tensor._backward_hooks and not tensor._post_accumulate_grad_hooks:
        return False
    hooks = [*(tensor._backward_hooks or {}).values(), *(tensor._post_accumulate_grad_hooks or {}).values()]
    return any(not getattr(hook, "__module__", "").startswith("torchloupe.") for hook in hooks)
