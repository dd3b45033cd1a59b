"""The record of an explanation: its text for a terminal and a screen reader, and its picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..core.record import Record
from ..core.words import Words
from .state import Explanation

if TYPE_CHECKING:
    from ..core.picture import Picture

words = Words("torchloupe.autograd")


@dataclass(frozen=True, slots=True)
class ExplanationRecord(Record):
    """What broke a backward, where, and what to write instead. It holds text and numbers, no tensor.

    Example:
        >>> import torch, torchloupe as loupe
        >>> x = torch.ones(3, requires_grad=True)
        >>> with loupe.autograd.explain() as explaining:  # doctest: +SKIP
        ...     a = x.exp()
        ...     a += 1
        ...     a.sum().backward()
        >>> print(explaining.record)  # doctest: +SKIP
    """

    explanation: Explanation

    def text(self) -> str:
        """The heading, the lines with their marks, the fix, and PyTorch's own words."""
        told = self.explanation
        parts = [words.say(told.heading), words.say(told.detail), "", *_code(told)]
        if told.slot:
            parts.append(
                words(
                    "explain.text.versions",
                    node=told.node_title,
                    slot=told.slot,
                    expected=told.expected,
                    found=told.found,
                )
                if told.kind == "in_place"
                else words("explain.text.slot", node=told.node_title, slot=told.slot)
            )
        parts += ["", words("explain.text.fix")]
        parts += [f"  - {line}" for line in told.fix_old.splitlines()]
        parts += [f"  + {line}" for line in told.fix_new.splitlines()]
        parts += ["  " + words.say(said) for said in (told.way, told.price) if said is not None]
        if told.unknown is not None:
            parts += ["", words.say(told.unknown)]
        return "\n".join(parts).rstrip()

    def picture(self) -> Picture:
        """The code with its marks, the versions, the node that cannot run, and the fix."""
        from .explain_picture import picture

        return picture(self.explanation)


def place_words(told: Explanation) -> str:
    """`cell 7`, a file name, or nothing."""
    if told.place.startswith("In["):
        return words("explain.text.cell", n=told.place[3:-1])
    return told.place


def remark(told: Explanation, line: int) -> str:
    """What stands beside a line: who keeps, who changes; empty for any other."""
    op = operation_of(told)
    kind = told.kind if told.kind in ("in_place", "behind", "freed") else "other"
    if line in told.culprits:
        versions = [version for at, version in zip(told.culprits, told.versions, strict=False) if at == line]
        times = f" ×{len(versions)}" if len(versions) > 1 else ""
        return words(f"explain.mark.culprit_{kind}") + times
    if line == told.keeper and line:
        return words(f"explain.mark.keeper_{kind}", op=op, name=told.tensor or told.slot)
    return ""


def operation_of(told: Explanation) -> str:
    """The operation whose node needs the tensor, as a person calls it."""
    from .explain_rules import operation

    return operation(told.node_title)


def _code(told: Explanation) -> list[str]:
    if not told.lines:
        return []
    width = len(str(told.lines[-1].number))
    rows = [place_words(told) + ":"] if told.place else []
    before = told.lines[0].number - 1
    for line in told.lines:
        if line.number > before + 1 and rows:
            rows.append("  ⋮")
        sign = "▶" if line.number in told.culprits else "●" if line.number == told.keeper else " "
        said = remark(told, line.number)
        rows.append(f"{sign} {line.number:>{width}}  {line.text}" + (f"    ← {said}" if said else ""))
        before = line.number
    return rows
