"""Measures of the static picture: where each tensor's table and facets stand."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import product
from math import prod

from . import window
from .report import words
from .state import Frame, StorageState, TensorState

WIDTH, PADDING, GUTTER = 656, 16, 28
INNER = WIDTH - 2 * PADDING
GAP, FACET_GAP, BLOCK_GAP = 1.5, 14, 32
TABLE, AXIS, NOTES = 70, 30, 112
AXES = "ijklmnpqrtuv"
CELL_HEIGHT = 26


@dataclass(frozen=True, slots=True)
class Box:
    """One element on the picture."""

    element: tuple[int, ...]
    cell: int
    x: float
    y: float


@dataclass(slots=True)
class Block:
    """One tensor: its table, and its facets of cells."""

    tensor: TensorState
    hue: int
    width: float
    height: float
    x: float = 0
    y: float = 0
    boxes: list[Box] = field(default_factory=list)
    dots: list[tuple[float, float, str]] = field(default_factory=list)
    """Places where elements are left out, with the sign that says so."""
    labels: list[tuple[float, float, str]] = field(default_factory=list)
    """Row, column and facet numbers; `>` ends at its place, `|` is centred on it."""
    notes: list[str] = field(default_factory=list)

    @property
    def pictured(self) -> bool:
        """Whether it has cells to draw."""
        return self.tensor.storage >= 0 and bool(self.boxes)


@dataclass(frozen=True, slots=True)
class Strip:
    """The part of a storage that is drawn, in items of its first tensor."""

    storage: StorageState
    tensors: list[TensorState]
    first: int
    count: int
    total: int

    @property
    def itemsize(self) -> int:
        """Bytes of one cell."""
        return self.tensors[0].itemsize


def cell_width(frame: Frame) -> int:
    """One cell width for the whole picture, 18 to 46: legible values first, then full strips."""
    longest = max((len(label) for cells in frame.cells for label in cells.labels), default=1)
    legible = min(46, max(18, round(5.8 * longest + 5)))
    most = max((_total(frame, storage) for storage in frame.storages), default=1)
    return max(legible, min(32, int((INNER - GUTTER) / max(most, 1) - GAP)))


def strips(frame: Frame, cell: int) -> list[Strip]:
    """One strip for each storage that has a tensor on it: all of it, or a window at the first tensor."""
    room = int((INNER - GUTTER + GAP) // (cell + GAP))
    found = []
    for storage in frame.storages:
        tensors = [tensor for tensor in frame.tensors if tensor.storage == storage.id]
        total = _total(frame, storage)
        if not tensors or not total:
            continue
        count, first = min(total, room), tensors[0].offset
        lead = min(6, room // 4) if tensors[0].nbytes < storage.nbytes else 0
        found.append(Strip(storage, tensors, max(0, min(first - lead, total - count)), count, total))
    return found


def _total(frame: Frame, storage: StorageState) -> int:
    tensor = next((tensor for tensor in frame.tensors if tensor.storage == storage.id), None)
    return storage.nbytes // tensor.itemsize if tensor else 0


def blocks(frame: Frame, cell: int) -> list[Block]:
    """Measure each tensor."""
    return [_block(tensor, hue, cell) for hue, tensor in enumerate(frame.tensors)]


def _block(tensor: TensorState, hue: int, cell: int) -> Block:
    columns = max(len(tensor.shape), 1)
    table = max(48, 7.3 * len(tensor.name) + 16) + columns * AXIS + NOTES
    block = Block(tensor, hue, table, TABLE)
    if tensor.storage < 0 or not tensor.numel:
        top = 44 if not tensor.stride else TABLE
        block.notes = [line for note in tensor.notes for line in folded(words.say(note), 11, INNER)]
        block.width, block.height = INNER, top + 17 * len(block.notes)
        return block
    _lay_facets(block, cell)
    block.notes = [
        line for note in tensor.notes for line in folded(words.say(note), 11, max(block.width, INNER / 2))
    ]
    block.height += 17 * len(block.notes)
    return block


def extent(text: str, size: float, em: float = 0.56) -> float:
    """Width of a line of text in pixels, near enough; `em` is that of a Latin letter."""
    return size * sum(1.0 if ord(c) > 0x2E7F else em for c in text)


def folded(text: str, size: float, width: float) -> list[str]:
    """Break a sentence into lines that fit; Chinese breaks anywhere, the rest between words."""
    lines, line, used = [], "", 0.0
    for piece in re.findall(r"[\u2e80-\uffef]|[^\s\u2e80-\uffef]+\s*|\s+", text):
        wide = extent(piece, size)
        if used + wide > width and line:
            lines.append(line.rstrip())
            line, used = "", 0.0
        line += piece
        used += wide
    return [*lines, line.rstrip()] if line else lines


def _lay_facets(block: Block, cell: int) -> None:
    tensor = block.tensor
    shape = tuple(tensor.shape)
    rank = len(shape)
    rows = _slots(shape[-2]) if rank > 1 else [0]
    columns = _slots(shape[-1]) if rank else [0]
    wide = len(columns) * (cell + GAP) + FACET_GAP
    tall = len(rows) * (CELL_HEIGHT + GAP) + (34 if rank > 2 else 20)
    per_line = max(1, int((INNER - GUTTER + FACET_GAP) // wide))
    every = window.facets(shape)
    fronts = every[: 2 * per_line]
    top = TABLE + (20 if rank > 2 else 6)
    for place, front in enumerate(fronts):
        left, y = GUTTER + place % per_line * wide, top + place // per_line * tall
        _lay_facet(block, front, rows, columns, (left, y, cell), place == 0)
    lines = -(-len(fronts) // per_line)
    block.width = max(block.width, GUTTER + min(len(fronts), per_line) * wide - FACET_GAP)
    block.height = top + lines * tall
    if left_out := prod(shape[:-2]) - len(fronts):
        block.height += 14
        block.labels.append((GUTTER, block.height - 8, words("text.more", count=f"{left_out:,}")))


def _lay_facet(
    block: Block,
    front: tuple[int, ...],
    rows: list[int],
    columns: list[int],
    at: tuple[float, float, int],
    first: bool,
) -> None:
    left, top, cell = at
    tensor = block.tensor
    rank = len(tensor.shape)
    if rank > 2:
        name = (
            ", ".join(f"{AXES[k % len(AXES)]} = {n}" for k, n in enumerate(front))
            if first
            else ", ".join(map(str, front))
        )
        block.labels.append((left, top - 7, name))
    for (r, row), (c, column) in product(enumerate(rows), enumerate(columns)):
        x, y = left + c * (cell + GAP), top + r * (CELL_HEIGHT + GAP)
        if row < 0 or column < 0:
            if c == len(columns) // 2 or column < 0:
                block.dots.append((x + cell / 2, y + CELL_HEIGHT / 2 + 4, "⋮" if row < 0 else "⋯"))
            continue
        element = (*front, *((row, column) if rank > 1 else (column,) if rank else ()))
        place = tensor.offset + sum(i * s for i, s in zip(element, tensor.stride, strict=True))
        block.boxes.append(Box(element, place, x, y))
    if first:
        _number(block, rows, columns, at)


def _number(block: Block, rows: list[int], columns: list[int], at: tuple[float, float, int]) -> None:
    left, top, cell = at
    if len(block.tensor.shape) > 1:
        for r, row in enumerate(rows):
            if row >= 0:
                block.labels.append(
                    (left - 8, top + r * (CELL_HEIGHT + GAP) + CELL_HEIGHT / 2 + 4, f">{row}")
                )
    if block.tensor.shape:
        below = top + len(rows) * (CELL_HEIGHT + GAP) + 11
        long = len(str(columns[-1])) * 6 > cell
        for c, column in enumerate(columns):
            if column >= 0 and not (long and columns[-1] > column > window.FACET):
                mark = ">" if column > window.FACET and long else "|"
                x = left + c * (cell + GAP) + (cell if mark == ">" else cell / 2)
                block.labels.append((x, below, f"{mark}{column}"))


def _slots(size: int) -> list[int]:
    """Indices drawn of an axis, -1 where some are left out."""
    shown = window.shown(size)
    return shown if len(shown) == size else [*shown[: window.HEAD], -1, *shown[window.HEAD :]]
