"""Why a tensor has no backward graph, in one sentence, and one line that would give it one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch

from ..core.safe import one_line
from ..core.words import Sentence
from . import native

Reason = tuple[Sentence, Sentence | None]


def why_empty(tensor: torch.Tensor, model: Any, names: Mapping[str, torch.Tensor]) -> Reason | None:
    """The first reason that is certain, most telling first; None when the tensor has a graph.

    Args:
        tensor: an output.
        model: the module that made it, or None.
        names: tensors of the caller by name; those that share the storage tell what was detached.
    """
    if tensor.grad_fn is not None:
        return None
    if native.is_wrapped(tensor):
        return Sentence("why.transform"), Sentence("way.transform")
    dtype = str(tensor.dtype).removeprefix("torch.")
    if tensor.is_inference():
        return Sentence("why.inference"), Sentence("way.inference")
    if tensor.requires_grad:
        return Sentence("why.leaf"), Sentence("way.leaf")
    if not (tensor.is_floating_point() or tensor.is_complex()):
        return Sentence("why.integer", {"dtype": dtype}), Sentence("way.integer")
    source = _detached_from(tensor, names)
    if source is not None:
        return Sentence("why.detached", {"name": source}), Sentence("way.detached", {"name": source})
    if isinstance(model, torch.nn.Module) and _frozen(model):
        return Sentence("why.frozen", {"model": type(model).__name__}), Sentence("way.frozen")
    if not torch.is_grad_enabled():
        return Sentence("why.no_grad"), Sentence("way.no_grad")
    if isinstance(model, torch.nn.Module) and any(p.requires_grad for p in model.parameters()):
        return Sentence("why.cut", {"model": type(model).__name__}), Sentence("way.no_grad")
    return Sentence("why.unknown"), Sentence("way.unknown")


def _frozen(model: torch.nn.Module) -> bool:
    parameters = list(model.parameters())
    return bool(parameters) and not any(parameter.requires_grad for parameter in parameters)


def _detached_from(tensor: torch.Tensor, names: Mapping[str, torch.Tensor]) -> str | None:
    try:
        storage = tensor.untyped_storage().data_ptr()
    except (RuntimeError, NotImplementedError):
        return None
    if not storage:
        return None
    for name, other in names.items():
        try:
            if other.requires_grad and other.untyped_storage().data_ptr() == storage:
                return one_line(name, 40)
        except (RuntimeError, NotImplementedError):
            continue
    return None
