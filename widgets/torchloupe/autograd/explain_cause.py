"""From a saved tensor that was changed to what is said of it: who kept it, who changed it, what to write."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..core import safe
from ..core.words import Argument, Sentence
from . import explain_fix
from .explain_candidates import Candidates
from .explain_changes import Change
from .explain_graph import Slot
from .explain_lines import Spot, place, written_in
from .explain_listing import listing
from .explain_module import inplace_module
from .explain_recording import Call, Recording, call_of
from .explain_rules import RULES, operation
from .state import Explanation, Fault

_VERSIONS = re.compile(r"is at version (\d+); expected version (\d+) instead")
_UNITS = ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"))
_HINT = re.compile(r" Hint: .*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Story:
    """What is known of a saved tensor that was changed."""

    kind: Fault
    error: str
    slot: Slot | None
    keeper: Call | None
    changes: tuple[Change, ...]
    expected: int
    found: int
    backward: Spot | None
    """Where backward was called."""
    missing: int
    """Versions nobody was seen to make."""
    recorded: bool
    candidates: Candidates | None


def story(
    error: str,
    slot: Slot | None,
    recording: Recording | None,
    backward: Spot | None,
    candidates: Candidates | None,
) -> Story:
    """Put together what an in-place error, the graph and a recording say."""
    found, expected = (int(number) for number in (_VERSIONS.search(error) or ["", "0", "0"]).group(1, 2))  # type: ignore[union-attr]
    keeper, changes = None, tuple[Change, ...]()
    if recording is not None and slot is not None:
        keeper = call_of(recording.calls, slot.sequence)
        since = keeper.order if keeper else 0
        changes = tuple(
            change
            for change in recording.changes
            if change.key == slot.key and change.order >= since and not change.behind
            and expected <= change.before < change.after <= found
        )  # fmt: skip
    seen = sum(change.after - change.before for change in changes)
    return Story(
        "in_place", _HINT.sub("", error), slot, keeper, changes, expected, found, backward,
        max(found - expected - seen, 0), recording is not None, candidates,
    )  # fmt: skip


def explained(story: Story) -> Explanation:
    """Word a story as what the view is told."""
    spots = [change.spot for change in story.changes if change.spot]
    keeper = story.keeper.spot if story.keeper else None
    guesses = story.candidates if not story.recorded else None
    first = spots[0] if spots else keeper or story.backward
    file = guesses.file if guesses and guesses.lines else first.file if first else ""
    here = [
        (change, change.spot.line) for change in story.changes if change.spot and change.spot.file == file
    ]
    culprits = [line for _, line in here] if not guesses else guesses.lines if len(guesses.lines) == 1 else []
    kept = keeper.line if keeper and keeper.file == file else 0
    if keeper is None and story.slot is not None and (noted := written_in(story.slot.traceback)):
        kept = noted[1] if noted[0] == file else 0
    fix = _fix(story)
    marks = [kept, *culprits, *(guesses.lines if guesses else [])]
    if story.backward and story.backward.file == file:
        marks.append(story.backward.line)
    if fix is not None:
        marks.append(fix.line)
    slot = story.slot
    return Explanation(
        kind=story.kind,
        heading=_heading(story, [] if guesses else culprits),
        detail=_detail(story),
        place=place(file) if file else "",
        lines=listing(file, marks),
        keeper=kept,
        culprit=culprits[0] if culprits else 0,
        culprits=culprits,
        tensor=_name(story, fix),
        node=-1 if slot is None else slot.node,
        node_title="" if slot is None else safe.one_line(slot.title, 60),
        slot="" if slot is None else slot.slot,
        expected=story.expected,
        found=story.found,
        versions=[change.after for change, _ in here] if not guesses else [story.found] * len(culprits),
        fix_old=fix.old if fix else "",
        fix_new=fix.new if fix else "",
        fix_line=fix.line if fix else 0,
        way=fix.way if fix else _way(story),
        price=_price(story) if fix else None,
        error=story.error,
        unknown=_unknown(story, culprits),
    )


def _fix(story: Story) -> explain_fix.Fix | None:
    if not story.changes or story.kind == "behind":
        return None
    first = story.changes[0]
    return inplace_module(first) if first.module else explain_fix.fix(first)


def _heading(story: Story, culprits: Sequence[int]) -> Sentence:
    lines = sorted(set(culprits))
    who = "nobody" if not lines else "line" if len(lines) == 1 else "lines"
    if story.kind == "behind":
        return Sentence(f"explain.behind.{who}", {"op": _operation(story), "lines": _listed(lines)})
    slot = story.slot.slot if story.slot else ""
    what = {"result": "result", "self": "input", "input": "input", "": "something"}.get(slot, "slot")
    return Sentence(
        f"explain.needs.{what}.{who}", {"op": _operation(story), "slot": slot, "lines": _listed(lines)}
    )


def _detail(story: Story) -> Sentence:
    if story.slot is None:
        return Sentence("explain.rule.unknown")
    op = _operation(story)
    behind = ".behind" if story.kind == "behind" else ""
    rule = RULES.get(op, "")
    if not re.search(rf"\b{re.escape(story.slot.slot)}(?!\w)", rule):
        return Sentence(f"explain.rule.none{behind}", {"op": op, "slot": story.slot.slot})
    return Sentence(f"explain.rule.known{behind}", {"op": op, "slot": story.slot.slot, "rule": rule})


def _operation(story: Story) -> str:
    return operation(safe.one_line(story.slot.title, 40)) if story.slot else ""


def _name(story: Story, fix: explain_fix.Fix | None) -> str:
    if fix is not None and "name" in fix.way.args:
        return str(fix.way.args["name"])
    for change in story.changes:
        if change.aliases:
            return change.aliases[0]
    return story.candidates.names[0] if story.candidates and story.candidates.names else ""


def _way(story: Story) -> Sentence:
    first = story.changes[0] if story.changes else None
    if story.kind == "behind":
        return Sentence("explain.way.behind")
    if first is None:
        return Sentence("explain.way.general")
    if first.optimizer:
        return Sentence("explain.way.step", {"line": first.spot.line if first.spot else 0})
    if first.leaf:
        return Sentence("explain.way.parameter", {"name": ", ".join(first.aliases) or "w"})
    if first.cut:
        return Sentence("explain.way.no_grad")
    if first.module:
        return Sentence("explain.way.module", {"module": first.module})
    if len(first.aliases) > 1:
        return Sentence("explain.way.shared", {"names": ", ".join(first.aliases)})
    return Sentence("explain.way.general")


def _price(story: Story) -> Sentence:
    first = story.changes[0]
    spots = [change.spot and change.spot.line for change in story.changes]
    times = spots.count(spots[0])
    comma = "," if len(first.shape) == 1 else ""
    shape = f"({', '.join(map(str, first.shape))}{comma})"
    args: dict[str, Argument] = {"bytes": amount(first.nbytes), "shape": shape, "times": times}
    return Sentence("explain.price.times" if times > 1 else "explain.price.once", args)


def _unknown(story: Story, culprits: Sequence[int]) -> Sentence | None:
    if not story.recorded:
        guesses = story.candidates
        if guesses and guesses.lines:
            args: dict[str, Argument] = {"lines": _listed(guesses.lines), "name": guesses.names[0]}
            return Sentence("explain.unknown.only" if culprits else "explain.unknown.some", args)
        return Sentence("explain.unknown.after")
    if story.slot is None:
        return Sentence("explain.unknown.node")
    if story.kind == "behind":
        return None if culprits else Sentence("explain.unknown.behind")
    if story.keeper is None:
        return Sentence("explain.unknown.outside")
    return Sentence("explain.unknown.missing", {"n": story.missing}) if story.missing else None


def _listed(lines: Sequence[int]) -> str:
    return ", ".join(map(str, lines))


def amount(nbytes: int) -> str:
    """Exact below 10 kB, else in SI units.

    Example:
        >>> amount(12), amount(25_000_000)
        ('12 B', '25 MB')
    """
    if nbytes < 10_000:
        return f"{nbytes:,} B"
    size, unit = next((size, unit) for size, unit in _UNITS if nbytes >= size)
    return f"{nbytes / size:.3g} {unit}"
