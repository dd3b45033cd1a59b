"""A storage on the static picture: title, ruler, a lane per tensor, cells, and a bar when it is long."""

from __future__ import annotations

from ..core import palette
from ..core.picture import Picture
from . import amount, reach
from .picture_block import last_cell
from .report import words
from .scene import CELL_HEIGHT, GAP, GUTTER, INNER, PADDING, Block, Strip
from .state import Frame, TensorState

_LANE = 9
_BAR = 46


def strip_height(strip: Strip) -> float:
    """Height of the whole strip, with the air below it."""
    read_often = any(tensor.overlaps for tensor in strip.tensors)
    return cells_top(strip) + CELL_HEIGHT + (20 if read_often else 0) + 20


def cells_top(strip: Strip) -> float:
    """From the top of the strip to its cells."""
    return 20 + (_BAR if strip.count < strip.total else 0) + 18 + _LANE * len(strip.tensors) + 4


def cell_x(strip: Strip, place: int, cell: int) -> float:
    """Left edge of a storage cell."""
    return PADDING + GUTTER + (place - strip.first) * (cell + GAP)


def draw_strip(
    scene: Picture,
    strip: Strip,
    top: float,
    cell: int,
    labels: dict[int, dict[int, str]],
    frame: Frame,
    pointed: Block | None,
) -> None:
    """Draw a strip with its top at `top`."""
    ink, storage = palette.light(), strip.storage
    title = words("text.imagined") if storage.imagined else words("text.storage")
    size = f"{strip.total:,} × {strip.itemsize} B = {amount.exact(storage.nbytes)}"
    facts = f"{size} · {strip.tensors[0].dtype} · {storage.device}"
    wide = 12 * sum(1.0 if ord(c) > 0x2E7F else 0.62 for c in title)
    scene.rect(PADDING, top, wide + 18 + 6 * len(facts), 16, ink["paper"])
    scene.text(PADDING, top + 12, title, 12, ink["ink"], bold=True)
    scene.text(PADDING + wide + 12, top + 12, facts, 11, ink["ink2"])
    hues = {tensor.id: hue for hue, tensor in enumerate(frame.tensors)}
    y = top + 20
    if strip.count < strip.total:
        _bar(scene, strip, y, hues)
        y += _BAR
    _ruler(scene, strip, y + 12, cell, pointed)
    for lane, tensor in enumerate(strip.tensors):
        _lane(scene, strip, tensor, y + 20 + lane * _LANE, cell, hues[tensor.id])
    _cells(scene, strip, top + cells_top(strip), cell, labels, pointed)


def _bar(scene: Picture, strip: Strip, y: float, hues: dict[int, int]) -> None:
    """The whole storage, with what is reached and what the strip below shows."""
    ink, total = palette.light(), strip.storage.nbytes
    scene.rect(PADDING, y, INNER, 12, ink["field"], ink["edge"], 2)
    scene.hatch(PADDING, y, INNER, 12, ink["rule"])
    for tensor in strip.tensors:
        if tensor.numel:
            start = tensor.offset * tensor.itemsize / total * INNER
            wide = max(2.0, (last_cell(tensor) + 1) * tensor.itemsize / total * INNER - start)
            scene.rect(
                PADDING + min(start, INNER - wide), y + 3, wide, 6, palette.hue(hues[tensor.id]), radius=1
            )
    scene.text(PADDING, y + 24, "0", 10, ink["ink2"], mono=True)
    scene.text(PADDING + INNER, y + 24, amount.short(total), 10, ink["ink2"], mono=True, anchor="end")
    left = PADDING + strip.first / strip.total * INNER
    right = max(left + 1, PADDING + (strip.first + strip.count) / strip.total * INNER)
    for a, b in ((left, PADDING + GUTTER), (right, PADDING + INNER)):
        scene.line([(a, y + 13), (b, y + 40)], ink["edge"])


def _ruler(scene: Picture, strip: Strip, y: float, cell: int, pointed: Block | None) -> None:
    """Byte addresses; those near the linked one make room for it."""
    ink, size = palette.light(), strip.itemsize
    scene.text(PADDING + GUTTER - 8, y, words("text.ruler"), 10, ink["ink2"], anchor="end")
    every = next(step for step in (1, 2, 4, 8, 16) if step * (cell + GAP) >= 70 or step == 16)
    linked = linked_cell(strip, pointed)
    centre = -1e9 if linked is None else cell_x(strip, linked, cell) + cell / 2
    for place in range(strip.first, strip.first + strip.count):
        x = cell_x(strip, place, cell)
        if (place - strip.first) % every == 0 and not centre - 66 < x < centre + 76:
            scene.text(x, y, f"{place * size:,}", 10, ink["ink2"], mono=True)
    if linked is not None and pointed is not None:
        label = words("text.byte", byte=f"{linked * size:,}")
        scene.text(centre + 5, y, label, 10, palette.hue(pointed.hue), bold=True, mono=True)


def linked_cell(strip: Strip, pointed: Block | None) -> int | None:
    """The strip's cell that the linked element reads, if it is on it."""
    if pointed is None or pointed.tensor.storage != strip.storage.id:
        return None
    place = pointed.boxes[0].cell * pointed.tensor.itemsize // strip.itemsize
    return place if strip.first <= place < strip.first + strip.count else None


def _lane(scene: Picture, strip: Strip, tensor: TensorState, y: float, cell: int, hue: int) -> None:
    scale = tensor.itemsize / strip.itemsize
    reached = [
        place for place in range(strip.first, strip.first + strip.count) if _reads(tensor, place, scale)
    ]
    scene.text(
        PADDING + GUTTER - 8, y + 4, tensor.name[:4], 10, palette.hue(hue), bold=True, mono=True, anchor="end"
    )
    dash = (5.0, 3.0) if hue >= palette.HUES else None
    for start, end in _runs(reached):
        scene.line(
            [(cell_x(strip, start, cell), y), (cell_x(strip, end, cell) + cell, y)], palette.hue(hue), 3, dash
        )


def _cells(
    scene: Picture,
    strip: Strip,
    y: float,
    cell: int,
    labels: dict[int, dict[int, str]],
    pointed: Block | None,
) -> None:
    ink = palette.light()
    low = min((t.offset * t.itemsize for t in strip.tensors if t.numel), default=0)
    high = max((last_cell(t) * t.itemsize for t in strip.tensors if t.numel), default=1)
    for place in range(strip.first, strip.first + strip.count):
        x = cell_x(strip, place, cell)
        if not any(_reads(t, place, t.itemsize / strip.itemsize) for t in strip.tensors):
            scene.hatch(x, y, cell, CELL_HEIGHT, ink["edge"])
            continue
        first = place == linked_cell(strip, pointed)
        hue = palette.hue(pointed.hue) if first and pointed is not None else ""
        scene.rect(
            x,
            y,
            cell,
            CELL_HEIGHT,
            hue or palette.ramp((place * strip.itemsize - low) / max(high - low, 1)),
            radius=2,
        )
        label = next((known[place] for t in strip.tensors if place in (known := labels.get(t.id, {}))), "")
        size = min(11.0, 1.75 * cell / max(len(label), 1))
        colour = ink["on"] if first else ink["ink"]
        scene.text(
            x + cell / 2, y + CELL_HEIGHT / 2 + size * 0.36, label, size, colour, bold=first, anchor="middle"
        )
    _readers(scene, strip, y + CELL_HEIGHT + 14)


def _readers(scene: Picture, strip: Strip, y: float) -> None:
    """How many elements read a cell, when that is more than one."""
    tensor = next((t for t in strip.tensors if t.overlaps), None)
    if tensor is not None and tensor.distinct:
        most = reach.most_readers(tuple(tensor.shape), tuple(tensor.stride))
        even = most is not None and most * tensor.distinct == tensor.numel
        id = "text.each_read" if even else "text.some_read"
        text = words(id, name=tensor.name, count=f"{most:,}" if most else "…")
        scene.text(PADDING + GUTTER, y, text, 11, palette.light()["ink"], bold=True)


def _reads(tensor: TensorState, place: int, scale: float) -> bool:
    """Whether some element reads the strip's cell `place`; exact for nested axes, by search for others."""
    if not tensor.numel:
        return False
    own = int(place / scale)
    return reach.reads(tuple(tensor.shape), tuple(tensor.stride), own - tensor.offset)


def _runs(places: list[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for place in places:
        if runs and place == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], place)
        else:
            runs.append((place, place))
    return runs
