"""What a person may want to do next: ways out of a refusal, writing in place, letting memory go."""

from __future__ import annotations

from dataclasses import replace
from math import prod

from ..core.words import Sentence
from . import amount, code, reach
from .bench import Bench
from .entry import Entry
from .explain import why
from .perform import perform
from .record import StridesRecord
from .state import Advice, OutcomeKind, Way
from .twin import Trial
from .why import Out

_WORTH = 1024
"""Unreached bytes below which letting go is not worth a word."""


def advice(bench: Bench) -> list[Advice]:
    """Ways out when the last step was refused, else what the active tensor's layout calls for."""
    if bench.done and bench.done[-1].result < 0:
        return _ways_out(bench)
    active = bench.entries[bench.active]
    if active.record.reason is not None:
        return []
    return [*_in_place(active), *_held(bench, active)]


def price(source: Entry, trial: Trial, operation: str) -> Sentence:
    """The words beside the badge."""
    name = source.name
    if trial.outcome == "refused":
        return Sentence("outcome.refused", {"name": name})
    if trial.outcome == "view":
        return Sentence("outcome.view")
    if trial.outcome == "same":
        return Sentence(
            f"outcome.same_{operation}" if operation in ("contiguous",) else "outcome.same", {"name": name}
        )
    assert trial.record is not None
    nbytes = amount.exact(trial.record.storage_nbytes or 0)
    return Sentence("outcome.copy", {"nbytes": nbytes, "name": name})


def _ways_out(bench: Bench) -> list[Advice]:
    tried = bench.done[-1]
    source = bench.entries[tried.source]
    outs = list(why(source, tried).outs)
    if tried.operation == "view" and any(out.operation == "reshape" for out in outs):
        outs += _elsewhere(bench, source, tried.texts)
    ways = [way for out in outs if (way := _way(bench, source, out)) is not None]
    return [Advice(heading=Sentence("advice.ways_out"), ways=ways)] if ways else []


def _way(bench: Bench, source: Entry, out: Out) -> Way | None:
    entry = source if out.tensor is None else bench.entries[out.tensor]
    trial = perform(entry.record, out.operation, out.texts)
    if trial.record is None and out.operation == "view":
        out = replace(out, operation="reshape")
        trial = perform(entry.record, out.operation, out.texts)
    if trial.record is None:
        return None
    said = out.price or price(entry, trial, out.operation)
    if out.operation == "contiguous+view":
        said = Sentence("advice.same_copy")
    return Way(
        tokens=code.tokens(out.operation, out.texts, entry),
        outcome=trial.outcome,
        price=said,
        operation=out.operation,
        arguments=out.texts,
        tensor=entry.id,
    )


def _elsewhere(bench: Bench, source: Entry, texts: list[str]) -> list[Out]:
    """The same view of another tensor over the same storage, in that one's order."""
    for entry in bench.candidates():
        if entry.id != source.id and entry.record.storage_id == source.record.storage_id:
            trial = perform(entry.record, "view", texts)
            if trial.outcome == "view" and entry.record.numel == source.record.numel:
                return [Out("view", texts, entry.id, Sentence("advice.other_order", {"name": entry.name}))]
    return []


def _in_place(entry: Entry) -> list[Advice]:
    record = entry.record
    if not record.overlaps:
        return []
    assert record.stride is not None
    repeats = prod(n for n, s in zip(record.shape, record.stride, strict=True) if s == 0 and n > 1)
    most = reach.most_readers(record.shape, record.stride)
    even = record.distinct_cells is not None and record.distinct_cells * repeats == record.numel
    trial = perform(record, "add_", ["1"])
    said: OutcomeKind = trial.outcome
    silent = Sentence("advice.silent", {"most": most}) if most else Sentence("advice.silent_unknown")
    heading = Sentence("advice.in_place", {"times": repeats}) if even else Sentence("advice.in_place_some")
    if even is False and most:
        heading = Sentence("advice.in_place_most", {"times": most})
    name = {"name": entry.name}
    return [
        Advice(
            heading=heading,
            ways=[
                Way(
                    tokens=code.tokens("add_", ["1"], entry),
                    outcome=said,
                    price=Sentence("advice.refused_write") if said == "refused" else silent,
                    operation="add_" if said == "refused" else "",
                    arguments=["1"],
                    tensor=entry.id,
                ),
                Way(
                    tokens=code.tokens("clone+add_", ["|", "1"], entry),
                    outcome="copy",
                    price=Sentence("advice.cloned_write", {"nbytes": amount.exact(record.nbytes), **name}),
                    operation="clone",
                    arguments=[],
                    tensor=entry.id,
                ),
            ],
        )
    ]


def _held(bench: Bench, entry: Entry) -> list[Advice]:
    """A small tensor that keeps a large storage alive."""
    record = entry.record
    if not record.has_values or record.storage_id is None or record.storage_id < 0 or not record.numel:
        return []
    held = record.storage_nbytes or 0
    reached = min(held, sum(_reached(other.record) for other in bench.roots() if _shares(other, entry)))
    if held - reached < _WORTH or reached * 2 > held:
        return []
    heading = Sentence("advice.let_go", {"reached": amount.exact(reached), "held": amount.exact(held)})
    way = Way(
        tokens=code.tokens("clone", [], entry, entry.name, entry.id),
        outcome="copy",
        price=Sentence(
            "advice.clone_frees", {"copied": amount.short(record.nbytes), "freed": amount.short(held)}
        ),
        operation="clone",
        arguments=[],
        tensor=entry.id,
    )
    return [Advice(heading=heading, ways=[way])]


def _shares(one: Entry, other: Entry) -> bool:
    return one.record.storage_id == other.record.storage_id


def _reached(record: StridesRecord) -> int:
    count = record.distinct_cells
    return (record.numel if count is None else count) * record.itemsize
