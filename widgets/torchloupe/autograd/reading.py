"""A saved tensor itself, for a person who wants to look into it."""

from __future__ import annotations

import ast
import re
from typing import Any

import numpy as np
import torch

from ..core.words import Words
from .record import GraphRecord
from .walk import find

words = Words("torchloupe.autograd")
MOST_HOPS = 4
"""Farther nodes are named by their id instead of by the way to them."""


def saved_tensor(output: Any, node: int, slot: str) -> torch.Tensor:
    """A tensor that a node of `output`'s graph saved for the backward.

    What hooks packed (checkpoints, offloading) is unpacked: a checkpoint runs its part of the model again.

    Args:
        output: what `capture` or `show` was given.
        node: id of the node in that record.
        slot: name of the slot, `self`, `result`, `saved_tensors[0]`.

    Returns:
        The tensor, not a copy: do not write to it.

    Raises:
        ValueError: when there is no such tensor, or a backward has freed it.

    Example:
        >>> import torch, torchloupe as loupe
        >>> x = torch.tensor([2.0, 3.0], requires_grad=True)
        >>> loupe.autograd.saved_tensor(x.exp().sum(), 1, "result")
        tensor([ 7.3891, 20.0855], grad_fn=<ExpBackward0>)
    """
    from .capture import capture

    record = capture(output)
    nodes = find(record)
    if nodes is None or not 0 <= node < len(nodes):
        raise ValueError(words("saved.no_node", node=node, nodes=len(record.nodes)))
    try:
        value = _read(nodes[node], slot)
    except (AttributeError, IndexError, RuntimeError) as error:
        raise ValueError(words("saved.unreadable", slot=slot, node=node, why=str(error))) from error
    if not isinstance(value, torch.Tensor):
        kind = type(value).__name__
        raise ValueError(words("saved.no_tensor", slot=slot, kind=kind))  # noqa: TRY004
    return value


def code_for(record: GraphRecord, node: int, slot: str, written: str) -> str:
    """A line of Python that shows a saved tensor in the strides lens; empty when none can be written.

    Args:
        record: the graph.
        node: id.
        slot: what to show.
        written: how the output can be written in code, or empty.
    """
    if not written:
        return ""
    hops = _hops(record, node)
    if len(record.roots) == 1 and hops is not None and len(hops) <= MOST_HOPS:
        way = "".join(f".next_functions[{slot_}][0]" for slot_ in hops)
        return f"loupe.strides.show({written}.grad_fn{way}.{_attribute(slot)})"
    return f'loupe.strides.show(loupe.autograd.saved_tensor({written}, {node}, "{slot}"))'


def writable(name: str) -> str:
    """`name` when it is a variable or a part of one, which can be written again; else empty."""
    try:
        tree = ast.parse(name, mode="eval").body
    except (SyntaxError, ValueError):
        return ""
    allowed = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Load)
    plain = all(isinstance(part, allowed) for part in ast.walk(tree))
    return name if plain and not isinstance(tree, ast.Constant) else ""


def _attribute(slot: str) -> str:
    return slot if slot.startswith("saved_tensors") else f"_saved_{slot}"


def _read(node: Any, slot: str) -> Any:
    found = re.fullmatch(r"(.+?)(?:\[(\d+)\])?", slot)
    assert found is not None
    value = getattr(node, _attribute(found[1]))
    return value if found[2] is None else value[int(found[2])]


def _hops(record: GraphRecord, node: int) -> list[int] | None:
    """Slots to follow from the root, or None when the node is farther than `MOST_HOPS`."""
    columns = record.columns
    waiting: list[tuple[int, list[int]]] = [(root.node, []) for root in record.roots[:1] if root.node >= 0]
    met = {start for start, _ in waiting}
    for here, slots in waiting:
        if here == node:
            return slots
        if len(slots) == MOST_HOPS:
            continue
        start, end = np.searchsorted(columns.source, [here, here + 1]).tolist()
        for edge in range(start, end):
            target = int(columns.target[edge])
            if target not in met:
                met.add(target)
                waiting.append((target, [*slots, int(columns.slot[edge])]))
    return None
