"""What a backward tells of the edges and nodes of a first picture, beyond what a frame holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from .first_picture import NOT_RUN, Arrived
from .ledger import together
from .state import First, FirstEdge

if TYPE_CHECKING:
    from .gradients import Summary
    from .ledger import Ledger
    from .record import GraphRecord


@dataclass(frozen=True, slots=True)
class Played:
    """Gradients along edges, and the order of running."""

    flows: dict[int, Arrived] = field(default_factory=dict)
    """By index in `First.edges`: what went along it, where both its ends are single nodes."""
    steps: dict[int, int] = field(default_factory=dict)
    """By node: the step in which it ran, from 1 on."""


def played(record: GraphRecord, first: First, ledger: Ledger | None) -> Played:
    """What `ledger` tells of the boxes and edges of `first`, which is of `record`."""
    if ledger is None:
        return Played()
    single = [box.id if box.kind in ("node", "leaf") else -1 for box in first.boxes]
    flows = {
        at: _arrived(together(_along(record, edge, single, ledger)))
        for at, edge in enumerate(first.edges)
        if single[edge.source] >= 0 and single[edge.target] >= 0
    }
    return Played(flows, {node: step for node in single if node >= 0 and (step := ledger.step_of(node))})


def _along(record: GraphRecord, edge: FirstEdge, single: list[int], ledger: Ledger) -> list[Summary]:
    columns = record.columns
    same = (columns.source == single[edge.source]) & (columns.target == single[edge.target])
    return [flow for place in np.flatnonzero(same).tolist() if (flow := ledger.along(place)) is not None]


def _arrived(summary: Summary | None) -> Arrived:
    return NOT_RUN if summary is None else Arrived(summary.look, summary.norm, summary.text)
