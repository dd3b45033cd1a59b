"""A second, independent reading of a graph, as plain as can be: the oracle for edges and for order."""

from __future__ import annotations

from typing import Any

import torch

from torchloupe.autograd.walk import find


def edges(*outputs: torch.Tensor) -> set[tuple[int, int, int, int]]:
    """`(id of source, slot, id of target, input)` for every edge behind `outputs`."""
    found, left, seen = set(), [output.grad_fn for output in outputs if output.grad_fn], set()
    while left:
        node = left.pop()
        if node in seen:
            continue
        seen.add(node)
        for slot, (target, number) in enumerate(node.next_functions):
            if target is not None:
                found.add((id(node), slot, id(target), number))
                left.append(target)
    return found


def recorded_edges(record) -> set[tuple[int, int, int, int]]:
    """The same of a record, by finding its nodes again."""
    nodes = find(record)
    assert nodes is not None
    return {(id(nodes[e.source]), e.slot, id(nodes[e.target]), e.input) for e in record.edges}


def run(outputs: list[torch.Tensor], nodes: list[Any]) -> list[int]:
    """Run a backward from `outputs`; gives the ids of `nodes` in the order in which the engine ran them."""
    ran: list[int] = []
    handles = [
        node.register_prehook(lambda gradients, id=id: ran.append(id)) for id, node in enumerate(nodes)
    ]
    try:
        torch.autograd.backward(outputs, [torch.ones_like(o) for o in outputs], retain_graph=True)
    finally:
        for handle in handles:
            handle.remove()
    return ran


def unordered_leaves(order: list[int], record) -> list[Any]:
    """`order` with leaves that run one after the other as a set: their turn is the queue's own affair."""
    grouped: list[Any] = []
    for id in order:
        if record.nodes[id].kind != "leaf":
            grouped.append(id)
        elif grouped and isinstance(grouped[-1], set):
            grouped[-1].add(id)
        else:
            grouped.append({id})
    return grouped
