"""A graph whose saved tensors an earlier backward freed."""

from __future__ import annotations

import ast

from ..core.words import Argument, Sentence
from .explain_fix import Fix
from .explain_graph import nodes_of, roots_of
from .explain_lines import Spot
from .explain_outline import called_at, outline
from .explain_recording import Recording, mark_of
from .explain_statement import Statement, statement
from .state import Explanation


def freed(error: BaseException, recording: Recording | None) -> Explanation:
    """Say which backward freed the graph, and how to keep it: the same loss, a shared part, or a loop."""
    here = called_at(error)
    first, same = _first(error, recording)
    line = first.line if first else 0
    args: dict[str, Argument] = {"line": line}
    detail = Sentence("explain.freed.detail")
    if recording is None or first is None:
        way = Sentence("explain.freed.way")
        unknown = (
            Sentence("explain.freed.unknown") if recording is None else Sentence("explain.unknown.outside")
        )
        return outline(
            "freed", error, Sentence("explain.freed.before"), detail, here, way=way, unknown=unknown
        )
    again = here is not None and (first.file, first.line) == (here.file, here.line)
    if again and not same:
        heading, way = Sentence("explain.freed.carried", args), Sentence("explain.freed.detach")
        return outline("freed", error, heading, detail, here, keeper=first, way=way)
    way = Sentence("explain.freed.retain" if same else "explain.freed.sum", args)
    fix = None if again else _retained(statement(first), way)
    heading = Sentence("explain.freed.same" if same else "explain.freed.shared", args)
    price = Sentence("explain.freed.price") if fix else None
    return outline("freed", error, heading, detail, here, keeper=first, fix=fix, way=way, price=price)


def _first(error: BaseException, recording: Recording | None) -> tuple[Spot | None, bool]:
    """Where the backward before this one was called, and whether it started at the same root."""
    if recording is None or len(recording.backwards) < 2:
        return None, False
    nodes = nodes_of(roots_of(error))[:1]
    mark = mark_of(nodes[0]) if nodes else None
    earlier = list(recording.backwards)[:-1]
    for backward in reversed(earlier):
        if mark is not None and backward.root() is mark:
            return backward.spot, True
    return earlier[-1].spot, False


def _retained(found: Statement | None, way: Sentence) -> Fix | None:
    if found is None or not isinstance(found.node, ast.Call):
        return None
    call = found.node
    if any(keyword.arg == "retain_graph" for keyword in call.keywords):
        return None
    end = (call.end_lineno or 0, (call.end_col_offset or 0) - 1)
    words = ", retain_graph=True" if call.args or call.keywords else "retain_graph=True"
    return Fix(found.statement.lineno, found.old(), found.edited([(end, end, words)]), way)
