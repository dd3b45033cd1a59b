"""A frame: all the view needs to draw a bench, made from records and a few sampled values."""

from __future__ import annotations

from dataclasses import asdict

from ..core import safe
from ..core.words import Sentence
from . import advice, code, explain, report, window
from .bench import Bench, Tried
from .entry import Entry
from .menu import menu
from .perform import carry_of
from .reading import read
from .record import StridesRecord
from .report import words
from .state import Cells, Frame, Step, StorageState, TensorState

MOST_TENSORS = 6


def frame(bench: Bench, status: Sentence | None = None) -> Frame:
    """The frame of a bench as it stands."""
    drawn = on_picture(bench)
    homes = _storages(drawn)
    active = bench.entries[bench.active]
    tried = bench.done[-1] if bench.done else None
    return Frame(
        tensors=[_tensor(bench, entry, homes, drawn) for entry in drawn],
        storages=_storage_states(drawn, homes),
        cells=_cells(bench, drawn),
        step=None if tried is None else _step(bench, tried),
        script=code.script(bench),
        active=bench.active,
        candidates=[entry.id for entry in bench.candidates()],
        menu=menu(active.record),
        advice=advice.advice(bench),
        can_undo=bool(bench.done),
        can_redo=bool(bench.undone),
        status=status or fate(bench),
    )


def alone(record: StridesRecord) -> Frame:
    """A frame that shows one record, with nothing to try and no values."""
    return frame(Bench.of_record(record, "x"))


def on_picture(bench: Bench) -> list[Entry]:
    """The entries to draw: at most six of the person's, then the source and the result of the last step."""
    entries = bench.roots()[:MOST_TENSORS]
    if bench.done:
        last = bench.done[-1]
        entries += [bench.entries[id] for id in (last.source, last.result) if id >= 0]
    active = bench.entries[bench.active]
    return list({entry.id: entry for entry in [*entries, active]}.values())


def fate(bench: Bench) -> Sentence | None:
    """What became of the person's tensors, when one is not as it was shown."""
    for entry in bench.roots():
        if entry.fate:
            return Sentence(f"note.{entry.fate}", {"name": safe.one_line(entry.name)})
    return None


def _storages(drawn: list[Entry]) -> dict[int, int]:
    """Frame ids by storage identity."""
    return {
        id: place
        for place, id in enumerate(
            dict.fromkeys(entry.record.storage_id for entry in drawn if entry.record.storage_id is not None)
        )
    }


def _tensor(bench: Bench, entry: Entry, homes: dict[int, int], drawn: list[Entry]) -> TensorState:
    record = entry.record
    base = bench.entries.get(entry.base) if entry.base is not None else None
    return TensorState(
        id=entry.id,
        name=safe.one_line(entry.name),
        root=entry.root,
        shape=list(record.shape),
        stride=list(record.stride or ()) if record.reason is None else [],
        offset=record.storage_offset,
        numel=record.numel,
        itemsize=record.itemsize,
        nbytes=record.nbytes,
        distinct=record.distinct_cells,
        dtype=str(record.dtype).removeprefix("torch."),
        device=str(record.device),
        layout=str(record.layout).removeprefix("torch."),
        kind=record.kind,
        storage=-1 if record.storage_id is None else homes[record.storage_id],
        base_name=safe.one_line(base.name) if base else "",
        base_shape=None if record.base_shape is None else list(record.base_shape),
        contiguous=record.is_contiguous,
        formats=list(record.memory_formats),
        overlaps=bool(record.overlaps),
        version=record.version,
        requires_grad=record.requires_grad,
        leaf=record.is_leaf,
        alive=not bench.entries.get(entry.home, entry).fate,
        notes=_notes(bench, entry, drawn),
    )


def _notes(bench: Bench, entry: Entry, drawn: list[Entry]) -> list[Sentence]:
    record = entry.record
    notes = [record.reason] if record.reason is not None else []
    notes += record.notes
    notes += [Sentence("note.conj")] if record.is_conj else []
    notes += [Sentence("note.neg")] if record.is_neg else []
    notes += [Sentence("note.inference")] if record.is_inference and entry.root else []
    notes += [Sentence("note.passing")] if entry.passing and entry.part_of is None else []
    notes += [Sentence("note.empty")] if record.reason is None and record.numel == 0 else []
    notes += _scale(record)
    roots = len(bench.roots())
    if entry is drawn[0] and roots > MOST_TENSORS:
        notes.append(Sentence("note.more", {"drawn": MOST_TENSORS, "count": roots}))
    return notes


def _scale(record: StridesRecord) -> list[Sentence]:
    scheme = record.quantisation
    if scheme is None:
        return []
    if scheme.axis is None:
        return [Sentence("text.scale", {"scale": f"{scheme.scale:.6g}", "zero": str(scheme.zero_point)})]
    return [Sentence("text.scales", {"axis": scheme.axis})]


def _storage_states(drawn: list[Entry], homes: dict[int, int]) -> list[StorageState]:
    found: dict[int, StorageState] = {}
    for entry in drawn:
        record = entry.record
        if record.storage_id is not None and record.storage_id not in found:
            found[record.storage_id] = StorageState(
                id=homes[record.storage_id],
                nbytes=record.storage_nbytes or 0,
                device=str(record.device),
                address=hex(record.address) if record.address else "",
                imagined=record.storage_id < 0,
            )
    return list(found.values())


def _cells(bench: Bench, drawn: list[Entry]) -> list[Cells]:
    """First samples, shared out evenly so that together they stay within 1,024 cells."""
    pictured = [entry for entry in drawn if entry.record.reason is None]
    room = window.MOST // max(len(pictured), 1)
    return [cells(bench, entry.id, window.first_cells(entry.record, room)) for entry in pictured]


def cells(bench: Bench, id: int, places: list[int]) -> Cells:
    """A sample as the view takes it.

    Raises:
        ValueError: if more than 4,096 cells are asked for, or one is outside the storage.
    """
    found = read(bench, id, places)
    return Cells(
        tensor=id,
        cells=places,
        labels=[value.label for value in found],
        values=[value.full for value in found],
    )


def plain(cells: Cells) -> dict[str, object]:
    """A sample as a message."""
    return asdict(cells)


def text(bench: Bench) -> str:
    """The bench as text in the language in force: each tensor, then the step that is shown."""
    blocks = [
        report.report(entry.record, entry.name) for entry in on_picture(bench) if not _is_part(bench, entry)
    ]
    if bench.done:
        step = _step(bench, bench.done[-1])
        blocks.append(f"{step.line}: {words(f'outcome.word_{step.outcome}')}, {words.say(step.price)}.")
        if step.refusal is not None:
            blocks.append(
                f"{words.say(step.refusal.heading)}. {words.say(step.refusal.detail)} {step.refusal.error}"
            )
    if (status := fate(bench)) is not None:
        blocks.append(words.say(status))
    return "\n\n".join(blocks)


def _is_part(bench: Bench, entry: Entry) -> bool:
    """Whether the report of another entry already tells of it."""
    return entry.part_of is not None and bench.entries[entry.part_of] is not entry


def _step(bench: Bench, tried: Tried) -> Step:
    source = bench.entries[tried.source]
    line = code.line_tokens(bench, tried)
    result = bench.entries.get(tried.result)
    copied = result is not None and tried.trial.outcome == "copy"
    return Step(
        operation=tried.operation,
        arguments=code.arguments(tried.operation, tried.texts, source.record),
        tokens=line,
        line=code.text(line),
        source=tried.source,
        result=tried.result,
        outcome=tried.trial.outcome,
        price=advice.price(source, tried.trial, tried.operation),
        carry=carry_of(tried.operation) if copied else "cell",
        flipped=list(result.flipped) if result else [],
        refusal=explain.refusal(bench, tried) if tried.result < 0 else None,
    )
