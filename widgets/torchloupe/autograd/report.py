"""The text form of a record: short lines, one fact each, for a terminal, a log and a screen reader."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ..core.words import Words
from .nodes import Node, Saved
from .record import GraphRecord, Leaf, Root

words = Words("torchloupe.autograd")
MOST_NODES = 24
"""A graph of more nodes is told by counts of its types."""
MOST_LISTED = 8


def report(record: GraphRecord) -> str:
    """Word `record` in the language in force."""
    return "\n".join([_headline(record), *_body(record)])


def _headline(record: GraphRecord) -> str:
    if record.why is not None:
        return words("text.empty", name=record.name, why=words.say(record.why))
    columns = record.columns
    return words(
        "text.headline",
        name=record.name,
        nodes=len(columns.type),
        shown=f"{len(columns.type):,}",
        edges=len(columns.source),
        edges_shown=f"{len(columns.source):,}",
        leaves=len(record.leaves),
    )


def _body(record: GraphRecord) -> list[str]:
    lines = [words.say(record.way_out)] if record.way_out is not None else []
    if record.why is None or len(record.roots) > 1:
        lines += [_root(record, root) for root in record.roots[:MOST_LISTED]]
        lines += _more(len(record.roots))
    lines += [words("text.other", part=part) for part in record.others[:MOST_LISTED]]
    if len(record.columns.type) > MOST_NODES:
        lines += _counts(record)
    else:
        lines += [_node(record, node) for node in record.nodes if node.kind != "leaf"]
    lines += [_leaf(leaf) for leaf in record.leaves[:MOST_LISTED]]
    lines += _more(len(record.leaves))
    total = int(record.columns.saved_bytes.sum())
    lines += [words("text.saved", nbytes=f"{total:,}")] if total else []
    return lines + ([words("text.freed")] if record.state == "freed" else [])


def _more(count: int) -> list[str]:
    return [words("text.more", count=f"{count - MOST_LISTED:,}")] if count > MOST_LISTED else []


def _root(record: GraphRecord, root: Root) -> str:
    what = f"{root.dtype} {list(root.shape)}" + (f" = {root.value}" if root.value else "")
    if root.why is not None:
        return words("text.root_empty", name=root.name, what=what, why=words.say(root.why))
    return words(
        "text.root", name=root.name, what=what, type=record.nodes[root.node].type, output=root.output
    )


def _node(record: GraphRecord, node: Node) -> str:
    columns = record.columns
    start, end = np.searchsorted(columns.source, [node.index, node.index + 1]).tolist()
    names = {leaf.node: leaf.names[0] for leaf in record.leaves if leaf.names}
    after = [names.get(int(target), f"{target}") for target in columns.target[start:end]]
    line = f"{node.index} {node.type}" + (f" → {', '.join(after)}" if after else "")
    kept = [_saved(saved) for saved in node.saved if saved.kind in ("tensor", "other")]
    bits = [words(f"text.kind_{node.kind}")] if node.kind in ("custom", "checkpoint", "compiled") else []
    bits += [words("text.keeps", what=", ".join(kept))] if kept else []
    bits += [words("text.hooks")] if node.hooks else []
    return words("text.sentence", line=line, rest="; ".join(bits)) if bits else line


def _saved(saved: Saved) -> str:
    if saved.kind == "tensor":
        return f"{saved.slot} {list(saved.shape)}"
    why = "text.freed_slot" if saved.freed else f"text.packed_{saved.packed}" if saved.packed else ""
    return f"{saved.slot} ({words(why)})" if why else saved.slot


def _counts(record: GraphRecord) -> list[str]:
    columns = record.columns
    counts = Counter(dict(enumerate(np.bincount(columns.type).tolist())))
    lines = [f"{count:,} × {columns.strings[place]}" for place, count in counts.most_common(MOST_LISTED)]
    return lines + _more(len([count for count in counts.values() if count]))


def _leaf(leaf: Leaf) -> str:
    name = " = ".join(leaf.names) or words("text.nameless")
    return words("text.leaf", name=name, what=f"{leaf.dtype} {list(leaf.shape)}")
