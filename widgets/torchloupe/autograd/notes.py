"""What is worth saying under the picture of a backward."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.words import Sentence
from .record import GraphRecord
from .request import Request
from .stepping import Stepping

Added = tuple[str, str, str, str]
"""Name of a leaf, its `.grad` before, what was added, its `.grad` after."""
MOST_ADDED = 3
"""Leaves whose sum is spelled out."""


def at_start(record: GraphRecord, request: Request) -> list[Sentence]:
    """What the arguments mean."""
    told = []
    roots = sum(root.node >= 0 for root in record.roots)
    if roots > 1:
        told.append(Sentence("note.roots", {"n": roots}))
    if request.create_graph:
        told.append(Sentence("note.grown"))
    elif request.keeps_graph:
        told.append(Sentence("note.kept"))
    if record.columns.hooks.any():
        told.append(Sentence("note.hooks"))
    return told


def at_end(stepping: Stepping, leaves: Sequence[Added | None]) -> list[Sentence]:
    """What came of it."""
    told = []
    added = [leaf for leaf in leaves if leaf is not None]
    spelled = [leaf for leaf in added if leaf[2] and leaf[3]]
    if 0 < len(added) == len(spelled) <= MOST_ADDED:
        for name, before, sum, after in spelled:
            told.append(
                Sentence("note.added_one", {"name": name, "before": before, "sum": sum, "after": after})
            )
    elif added:
        told.append(Sentence("note.added", {"n": len(added)}))
    ran, nodes = len(set(stepping.ledger.order)), len(stepping.record.columns.type)
    if ran < nodes:
        told.append(Sentence("note.inputs", {"n": ran, "of": nodes}))
    if stepping.restoring is not None and stepping.restoring.nbytes:
        told.append(Sentence("note.cloned", {"nbytes": f"{stepping.restoring.nbytes:,}"}))
    return told
