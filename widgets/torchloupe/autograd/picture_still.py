"""The frame of a record by itself: nothing has run."""

from __future__ import annotations

from dataclasses import fields

from .first_picture import first
from .hierarchy import hierarchy
from .record import GraphRecord
from .state import First, Frame, Root, Rows


def still(record: GraphRecord) -> Frame:
    """What a picture of `record` shows."""
    count = len(record.columns.type)
    return Frame(
        epoch=0,
        name=record.name,
        mode="look",
        phase="ready" if count else "empty",
        why_empty=record.why,
        way_out=record.way_out,
        roots=[
            Root(
                name=root.name, node=root.node, output=root.output, shape=list(root.shape), dtype=root.dtype,
                value=root.value,
            )
            for root in record.roots
            if root.node >= 0
        ],
        others=list(record.others),
        first=first(record, hierarchy(record)) if count else First(boxes=[], edges=[]),
        rows=Rows(**dict.fromkeys((row.name for row in fields(Rows)), 0)),
        nodes=count,
        edges=len(record.columns.source),
        scopes=record.scopes,
        lines=record.lines,
        code=[],
        next=-1,
        leaves_module=False,
        run_ahead=-1,
        first_bad=-1,
        notes=[],
        failure=None,
        explanation=None,
    )  # fmt: skip
