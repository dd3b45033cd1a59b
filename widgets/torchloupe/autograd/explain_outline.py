"""An explanation with its line marked, before anything more is known of the fault."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..core import safe
from ..core.words import Sentence
from .explain_fix import Fix
from .explain_lines import Spot, person, place
from .explain_listing import listing
from .state import Explanation, Fault


def failed_at(error: BaseException) -> Spot | None:
    """The person's line that the error came through last."""
    found, at = None, error.__traceback__
    while at is not None:
        if person(at.tb_frame) is at.tb_frame:
            found = Spot(at.tb_frame.f_code, at.tb_lasti, at.tb_lineno)
        at = at.tb_next
    return found


def called_at(error: BaseException) -> Spot | None:
    """The person's line that called backward: the last before PyTorch's own frames began."""
    found, at = None, error.__traceback__
    while at is not None:
        mine = person(at.tb_frame) is at.tb_frame
        if mine:
            found = Spot(at.tb_frame.f_code, at.tb_lasti, at.tb_lineno)
        elif at.tb_frame.f_code.co_name in ("backward", "grad") and found is not None:
            return found
        at = at.tb_next
    return found


def outline(
    kind: Fault,
    error: BaseException,
    heading: Sentence,
    detail: Sentence,
    spot: Spot | None,
    *,
    keeper: Spot | None = None,
    fix: Fix | None = None,
    way: Sentence | None = None,
    price: Sentence | None = None,
    title: str = "",
    node: int = -1,
    unknown: Sentence | None = None,
    also: Sequence[int] = (),
) -> Explanation:
    """An explanation that marks the line at `spot`, and `keeper` where it stands in the same file.

    When a fix stands in the other file, with `keeper`, that file is shown.
    """
    if fix is not None and keeper is not None and spot is not None and keeper.file != spot.file:
        there = outline(kind, error, heading, detail, keeper, fix=fix, price=price, unknown=unknown)
        return replace(there, keeper=keeper.line, culprit=0, culprits=[])
    line = spot.line if spot else 0
    kept = keeper.line if keeper and spot and keeper.file == spot.file else 0
    marks = [line, kept, fix.line if fix else 0, *also]
    return Explanation(
        kind=kind, heading=heading, detail=detail,
        place=place(spot.file) if spot else "", lines=listing(spot.file, marks) if spot else [],
        keeper=kept, culprit=line, culprits=[line] if line else [], tensor="",
        node=node, node_title=safe.one_line(title, 60), slot="", expected=0, found=0, versions=[],
        fix_old=fix.old if fix else "", fix_new=fix.new if fix else "", fix_line=fix.line if fix else 0,
        way=fix.way if fix else way, price=price, unknown=unknown,
        error=f"{type(error).__name__}: {safe.one_line(str(error).split(' Hint: ')[0], 2000)}",
    )  # fmt: skip
