"""Finds in the graph itself what an error speaks of: the roots, the node that failed, the tensor it saved."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch

from .explain_changes import key_of
from .walk import walk

IN_PLACE = "one of the variables needed for gradient computation has been modified by an inplace operation"
_HINT = " Hint: "  # in anomaly mode it is another
_SAVED = "_raw_saved_"
_PATHS = ("torch/_tensor.py", "torch/autograd/__init__.py")
_ROOTS = ("self", "outputs", "tensors")


@dataclass(frozen=True, slots=True)
class Slot:
    """A tensor that a node saved, by its storage: no tensor is held."""

    node: int
    """Place of the node in the order the engine runs."""
    title: str
    """Class of the node, `ExpBackward0`."""
    sequence: int
    slot: str
    """`result`; of a custom Function or a list `saved_tensors[1]`."""
    key: int | None
    traceback: str
    """Where the node was made, if anomaly mode recorded it."""


@dataclass(frozen=True, slots=True)
class Saved:
    """One saved tensor while it is looked at."""

    slot: str
    raw: Any
    tensor: torch.Tensor


def roots_of(error: BaseException) -> list[torch.Tensor]:
    """The tensors backward was called on, from the frames of the error's traceback."""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        if not frame.f_code.co_filename.replace("\\", "/").endswith(_PATHS):
            continue
        for name in _ROOTS:
            value = frame.f_locals.get(name)
            tensors = [value] if isinstance(value, torch.Tensor) else list(value or ())
            if tensors and all(isinstance(tensor, torch.Tensor) for tensor in tensors):
                return tensors
    return []


def nodes_of(roots: list[torch.Tensor]) -> list[Any]:
    """All nodes in the engine's order. Hold the list briefly: it holds the graph."""
    starts = [root.grad_fn for root in roots if root.grad_fn is not None]
    return walk(starts).nodes if starts else []


def refused(nodes: list[Any], message: str) -> Slot | None:
    """The first saved tensor whose reading fails with the very words of `message`.

    Tensors with saved-tensor hooks (checkpointing, offloading) are not read: it would run the person's code,
    and PyTorch checks no version of theirs.
    """
    shape = re.search(r"\[\w+(?:\.\w+)*Tensor \[([\d, ]*)\]\]", message)
    for place, node in enumerate(nodes):
        for saved in saved_by(node):
            if shape and ", ".join(map(str, saved.tensor.shape)) != shape[1]:
                continue
            if _words_of(node, saved).split(_HINT)[0] == message.split(_HINT)[0]:
                return slot_of(place, node, saved)
    return None


def slot_of(place: int, node: Any, saved: Saved) -> Slot:
    """What is kept of a saved tensor once the graph is let go."""
    lines = node.metadata.get("traceback_", [])
    return Slot(
        place,
        type(node).__name__,
        node._sequence_nr(),  # noqa: SLF001
        saved.slot,
        key_of(saved.tensor),
        "".join(lines),
    )


def saved_by(node: Any) -> Iterator[Saved]:
    """The tensors a node saved that can be looked at without running anything; not yet checked."""
    for name in dir(type(node)) if not hasattr(node, "_raw_saved_tensors") else ["_raw_saved_tensors"]:
        if not name.startswith(_SAVED):
            continue
        try:
            raw = getattr(node, name)
        except RuntimeError:  # freed
            return
        slot = "saved_tensors" if name == "_raw_saved_tensors" else name.removeprefix(_SAVED)
        several = isinstance(raw, tuple | list)
        for at, one in enumerate(raw if several else (raw,)):
            tensor = _looked_at(one)
            if tensor is not None:
                yield Saved(f"{slot}[{at}]" if several else slot, one, tensor)


def _looked_at(raw: Any) -> torch.Tensor | None:
    try:
        held = None if raw is None or raw.unpack_hook is not None else raw.data
    except RuntimeError:
        return None
    return held if isinstance(held, torch.Tensor) else None


def _words_of(node: Any, saved: Saved) -> str:
    """What PyTorch says to a reader. A node's own output can be unpacked through the node only."""
    try:
        saved.raw.unpack()
    except RuntimeError as error:
        words = str(error)
    else:
        return ""
    if words.startswith(IN_PLACE):
        return words
    slot = saved.slot.split("[")[0]
    try:
        getattr(node, slot if slot == "saved_tensors" else f"_saved_{slot}")
    except RuntimeError as error:
        return str(error)
    return ""
