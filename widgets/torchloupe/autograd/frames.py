"""Makes frames: everything the view needs for its first picture and its controls."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..core.words import Sentence
from .code_lines import few_lines
from .first_picture import NOT_RUN, Arrived, first
from .hierarchy import Hierarchy
from .ledger import Ledger
from .record import GraphRecord
from .record import Root as RecordedRoot
from .state import Explanation, First, FirstBox, Frame, Phase, Root
from .stepping import Stepping
from .tables_of import GraphTables

_OVER = ("stopped", "failed")


class Frames:
    """Frames of one record and of its backward, if there is one.

    Args:
        record: the graph.
        hierarchy: its groups.
        tables: its tables.
        stepping: its backward, or None when it is only looked at.
        epoch: tells views one record from another.
        title: what was looked at, as written.
        explanation: why a backward of this graph failed, when that is what is shown.
    """

    def __init__(
        self,
        record: GraphRecord,
        hierarchy: Hierarchy,
        tables: GraphTables,
        stepping: Stepping | None,
        epoch: int,
        title: str,
        explanation: Explanation | None,
    ) -> None:
        self._record, self._tables, self._stepping = record, tables, stepping
        self._epoch, self._title, self._explanation = epoch, title, explanation
        self._code = few_lines(record)
        empty = not len(record.columns.type)
        self._bare = First(boxes=[], edges=[]) if empty else first(record, hierarchy)
        self._first_nodes = _first_nodes(record, hierarchy, self._bare.boxes)

    def frame(self, notes: list[Sentence]) -> Frame:
        """As things are now.

        Args:
            notes: what to say besides what the backward says.
        """
        record, stepping = self._record, self._stepping
        ledger = None if stepping is None else stepping.ledger
        rows = self._tables.rows()
        phase = "failed" if self._explanation is not None else phase_of(record, stepping)
        if ledger is not None and phase in _OVER:
            rows = replace(rows, steps=ledger.ran)  # the last one was about to run
        return Frame(
            epoch=self._epoch,
            name=self._title,
            mode="look" if stepping is None else stepping.mode,
            phase=phase,
            why_empty=record.why,
            way_out=record.way_out,
            roots=[_root(root) for root in record.roots if root.node >= 0],
            others=[*record.others, *_without_graph(record)],
            first=self._first(ledger),
            rows=rows,
            nodes=len(record.columns.type),
            edges=len(record.columns.source),
            scopes=record.scopes,
            lines=record.lines,
            code=self._code,
            next=-1 if stepping is None else stepping.next,
            leaves_module=stepping is not None and bool(stepping.scope_of(stepping.next)),
            run_ahead=-1 if stepping is None else stepping.run_ahead,
            first_bad=-1 if ledger is None else ledger.first_bad,
            notes=[*(stepping.notes if stepping is not None else ()), *notes],
            failure=None if stepping is None else stepping.failure,
            explanation=self._explanation if stepping is None else stepping.explanation,
        )

    def _first(self, ledger: Ledger | None) -> First:
        if ledger is None:
            return self._bare
        boxes = [
            _with(box, arrived(ledger, node))
            for box, node in zip(self._bare.boxes, self._first_nodes, strict=True)
        ]
        return First(boxes=boxes, edges=self._bare.edges)


def _first_nodes(record: GraphRecord, hierarchy: Hierarchy, boxes: Sequence[FirstBox]) -> list[int]:
    """Per box the node at which its gradient arrives: itself, or the first of a group."""
    inner = np.flatnonzero(record.columns.kind != 1)
    single = ("node", "leaf")
    return [box.id if box.kind in single else int(inner[hierarchy.start[box.id]]) for box in boxes]


def _with(box: FirstBox, gradient: Arrived) -> FirstBox:
    return replace(box, look=gradient.look, norm=gradient.norm, value=gradient.value)


def arrived(ledger: Ledger, node: int) -> Arrived:
    """What arrived at a node, as pictures ask for it."""
    found = ledger.arrival(node)
    if found is None:
        return NOT_RUN
    return Arrived(found.look, found.norm if math.isfinite(found.norm) else None, found.text)


def phase_of(record: GraphRecord, stepping: Stepping | None) -> Phase:
    """How far the record's backward is."""
    if not len(record.columns.type):
        return "empty"
    if stepping is not None:
        return stepping.phase
    return "freed" if record.state == "freed" else "ready"


def _root(root: RecordedRoot) -> Root:
    return Root(
        name=root.name,
        node=root.node,
        output=root.output,
        shape=list(root.shape),
        dtype=root.dtype,
        value=root.value,
    )


def _without_graph(record: GraphRecord) -> list[str]:
    if record.why is not None:
        return []
    return [f"{root.name}: {root.dtype} {list(root.shape)}" for root in record.roots if root.node < 0]
