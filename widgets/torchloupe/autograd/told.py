"""The lens as text: the graph, how far its backward is, and what arrived at each node."""

from __future__ import annotations

from functools import partial
from typing import Any

from .explain_lines import shell
from .gradients import BAD, NONE, ZERO, Summary
from .record import GraphRecord
from .report import words
from .stepping import Stepping

MOST_STEPS = 24
"""Steps of longer backwards are told from their beginning and their end."""
_ENDS = 8


def text(record: GraphRecord, stepping: Stepping | None) -> str:
    """Word what is known, in the language in force."""
    lines = [record.text()]
    if stepping is None or not len(record.columns.type):
        return lines[0]
    ran = list(stepping.ledger.order)
    lines.append(words(f"told.{stepping.phase}", steps=len(ran), of=len(record.columns.type)))
    lines += _steps(record, stepping, ran)
    lines += [words.say(note) for note in stepping.notes]
    if stepping.failure is not None:
        lines.append(words.say(stepping.failure.heading))
    return "\n".join(lines)


def _steps(record: GraphRecord, stepping: Stepping, ran: list[int]) -> list[str]:
    steps = [partial(_step, record, stepping, step, node) for step, node in enumerate(ran, 1)]
    if len(steps) <= MOST_STEPS:
        return [worded() for worded in steps]
    skipped = words("told.more", n=len(steps) - 2 * _ENDS)
    return [*(worded() for worded in steps[:_ENDS]), skipped, *(worded() for worded in steps[-_ENDS:])]


def gradient(summary: Summary) -> str:
    """A gradient in a few characters: its value, its norm, zero, None or NaN."""
    if summary.look == NONE:
        return "None"
    if summary.text:
        return summary.text
    if summary.look == ZERO:
        return "0"
    if summary.look == BAD:
        return words("told.bad", n=summary.nonfinite, of=summary.numel)
    return words("told.norm", norm=f"{summary.norm:.4g}")


def rebound(record: GraphRecord) -> bool:
    """Whether the notebook's variable that was shown is another tensor by now."""
    running = shell()
    if running is None or len(record.origins) != 1:
        return False
    now: Any = running.user_ns.get(record.name)
    return getattr(now, "grad_fn", None) is not None and now is not record.origins[0]()


def _step(record: GraphRecord, stepping: Stepping, step: int, node: int) -> str:
    parts = [gradient(part) for part in stepping.ledger.into(node)]
    names = {leaf.node: leaf.names[0] for leaf in record.leaves if leaf.names}
    title = record.nodes[node].type + (f" ({names[node]})" if node in names else "")
    return words("told.step", step=step, title=title, gradients=", ".join(parts))
