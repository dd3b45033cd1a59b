"""The card of one node: all that is known of it, put together when a person selects it."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ..core.words import Sentence
from . import state
from .code_lines import line_text
from .gradients import NOT_RUN, Summary
from .ledger import Ledger
from .nodes import Node
from .nodes import Saved as Kept
from .reading import code_for
from .record import GraphRecord
from .rules import rule
from .titles import split


def card(record: GraphRecord, node: int, ledger: Ledger | None, written: str) -> state.Card:
    """What is known of `node`.

    Args:
        record: the graph.
        node: id.
        ledger: of its backward, or None.
        written: how the output can be written in code, or empty.
    """
    one = record.nodes[node]
    title, suffix = split(one.type)
    line = record.remains.lines[node] if record.remains.lines else None
    live = record.state == "live"
    return state.Card(
        node=node,
        title=title,
        suffix=suffix,
        scope=one.scope,
        cls=_class_of(record, one.scope),
        rule=rule(one),
        into=[] if ledger is None else [told("", part) for part in ledger.into(node)],
        out_of=[] if ledger is None else list(_out(record, node, ledger)),
        saved=[_saved(kept, live and bool(code_for(record, node, kept.slot, written))) for kept in one.saved],
        place=line.place if line else "",
        line=line.number if line else 0,
        code=line_text(line.place, line.number) if line else "",
        fragment=one.text,
        hooks=[],
        context=list(one.context),
        notes=list(_notes(one)),
    )


def told(name: str, summary: Summary) -> state.Gradient:
    """A gradient for the view: what is not finite or not known is None, so that JSON holds."""
    return state.Gradient(
        name=name,
        look=summary.look,
        shape=list(summary.shape),
        dtype=summary.dtype,
        numel=summary.numel,
        norm=_known(summary.norm),
        smallest=_known(summary.smallest),
        largest=_known(summary.largest),
        mean=_known(summary.mean),
        zeros=_known(summary.zeros),
        nonfinite=summary.nonfinite,
        text=summary.text,
    )


def _known(number: float) -> float | None:
    return number if math.isfinite(number) else None


def _out(record: GraphRecord, node: int, ledger: Ledger) -> Iterator[state.Gradient]:
    columns = record.columns
    names = {leaf.node: leaf.names[0] for leaf in record.leaves if leaf.names}
    start, end = np.searchsorted(columns.source, [node, node + 1]).tolist()
    for edge in range(start, end):
        went = ledger.along(edge)
        name = names.get(int(columns.target[edge]), "")
        yield told(name, Summary(NOT_RUN) if went is None else went)


def _saved(kept: Kept, readable: bool) -> state.Saved:
    tensor = kept.kind == "tensor"
    return state.Saved(
        slot=kept.slot,
        shape=list(kept.shape) if tensor else None,
        dtype=kept.dtype,
        nbytes=kept.nbytes,
        owner=kept.owner,
        version=kept.version,
        text=kept.text if kept.kind == "number" else "None" if kept.kind == "none" else "",
        readable=readable and tensor,
    )


def _class_of(record: GraphRecord, scope: str) -> str:
    if not scope:
        return ""
    return next((span.cls for span in record.spans if span.path == scope), "")


def _notes(node: Node) -> Iterator[Sentence]:
    if node.kind in ("checkpoint", "compiled", "custom"):
        yield Sentence(f"card.{node.kind}")
    if any(kept.packed == "checkpoint" for kept in node.saved):
        yield Sentence("card.again")
    if any(kept.packed == "hooks" for kept in node.saved):
        yield Sentence("card.packed")
    if node.hooks:
        yield Sentence("card.hooks")
