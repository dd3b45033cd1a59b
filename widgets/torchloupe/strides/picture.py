"""The static picture of a frame: what a saved notebook, a page or an export shows, at rest."""

from __future__ import annotations

from ..core import palette
from ..core.picture import Picture
from . import amount
from .picture_block import draw_block
from .picture_strip import cell_x, cells_top, draw_strip, linked_cell, strip_height
from .report import words
from .scene import BLOCK_GAP, INNER, PADDING, WIDTH, Block, Strip, blocks, cell_width, extent, folded, strips
from .state import Frame, Step

Labels = dict[int, dict[int, str]]


def picture(frame: Frame) -> Picture:
    """Draw tables, facets, storage strips and the formula of the first element."""
    cell = cell_width(frame)
    found = strips(frame, cell)
    placed = blocks(frame, cell)
    head = _head_height(frame)
    bottom = _place(placed, PADDING + head)
    tops = []
    for strip in found:
        tops.append(bottom)
        bottom += strip_height(strip)
    pointed = next((block for block in placed if block.pictured), None)
    height = bottom + (38 if pointed else 0) + _foot_height(frame) + PADDING
    names = ", ".join(tensor.name for tensor in frame.tensors)
    scene = Picture(WIDTH, round(height), words("text.title", names=names), _description(frame))
    ink = palette.light()
    scene.rect(0.5, 0.5, WIDTH - 1, round(height) - 1, ink["paper"], ink["rule"], 6)
    _draw_head(scene, frame)
    labels: Labels = {
        cells.tensor: dict(zip(cells.cells, cells.labels, strict=True)) for cells in frame.cells
    }
    if pointed is not None:
        _link(scene, placed, pointed, found, tops, cell)
    for block in placed:
        draw_block(scene, block, frame, labels.get(block.tensor.id, {}), pointed, cell)
    for strip, top in zip(found, tops, strict=True):
        draw_strip(scene, strip, top, cell, labels, frame, pointed)
    if pointed is not None:
        _formula(scene, pointed, frame, bottom + 20)
        bottom += 38
    _draw_foot(scene, frame, bottom)
    return scene


def _place(placed: list[Block], top: float) -> float:
    """Side by side while they fit, else below each other; returns where the next thing may start."""
    x, y, row = float(PADDING), top, 0.0
    for block in placed:
        if x > PADDING and x + block.width > PADDING + INNER:
            x, y, row = float(PADDING), y + row + 16, 0.0
        block.x, block.y = x, y
        x += block.width + BLOCK_GAP
        row = max(row, block.height)
    return y + row + 16


def _head_height(frame: Frame) -> float:
    if frame.step is None:
        return 0
    return 40 + (28 + 18 * len(_reason(frame.step)) if frame.step.refusal is not None else 0)


def _reason(step: Step) -> list[str]:
    return folded(words.say(step.refusal.detail), 12, INNER) if step.refusal is not None else []


def _draw_head(scene: Picture, frame: Frame) -> None:
    step, ink = frame.step, palette.light()
    if step is None:
        return
    wide = 8.1 * len(step.line) + 20
    scene.rect(PADDING, 10, wide, 26, ink["field"], radius=4)
    scene.text(PADDING + 10, 27.5, step.line, 13, ink["ink"], mono=True)
    colour = {"view": "view", "refused": "refused"}.get(step.outcome, "ink")
    badge = words(f"outcome.word_{step.outcome}")
    scene.text(PADDING + wide + 14, 27.5, badge, 12, ink[colour], bold=True)
    scene.text(PADDING + wide + 28 + extent(badge, 12, 0.62), 27.5, words.say(step.price), 12, ink["ink2"])
    scene.line([(1, 46), (WIDTH - 1, 46)], ink["rule"])
    if step.refusal is not None:
        scene.text(PADDING, 68, words.say(step.refusal.heading), 15, ink["ink"], bold=True)
        for row, line in enumerate(_reason(step)):
            scene.text(PADDING, 88 + 18 * row, line, 12, ink["ink2"])


def _link(
    scene: Picture, placed: list[Block], block: Block, found: list[Strip], tops: list[float], cell: int
) -> None:
    """From the linked element to its storage cell, by the margin where something is in between."""
    box, hue = block.boxes[0], palette.hue(block.hue)
    x0, y0 = block.x + box.x, block.y + box.y
    for strip, top in zip(found, tops, strict=True):
        linked = linked_cell(strip, block)
        if linked is None:
            continue
        x1, y1, bus = cell_x(strip, linked, cell) + cell / 2, top + cells_top(strip), top - 8
        if strip is not found[0] or any(other.y > block.y for other in placed):
            points = [(x0, y0 + 4), (8.0, y0 + 4), (8.0, bus), (x1, bus), (x1, y1)]
        else:
            gap = x0 + cell + 0.75
            points = [(x0 + cell - 1, y0 + 13), (gap, y0 + 13), (gap, bus), (x1, bus), (x1, y1)]
        scene.line(points, hue, 1.75)


def _formula(scene: Picture, block: Block, frame: Frame, y: float) -> None:
    """`x[0, 0] = 0 + 0·3 + 0·1 = cell 0`, with the byte and the value at the right."""
    tensor, ink, box = block.tensor, palette.light(), block.boxes[0]
    scene.line([(PADDING, y - 18), (WIDTH - PADDING, y - 18)], ink["rule"])
    byte = words("text.byte", byte=f"{box.cell * tensor.itemsize:,}")
    right = f"{byte}  {_value(frame, tensor.id, box.cell)}".rstrip()
    scene.text(WIDTH - PADDING, y, right, 12, ink["ink2"], mono=True, anchor="end")
    index = f"[{', '.join(map(str, box.element))}]" if tensor.shape else ""
    head, cell = tensor.name[:20] + index, words("text.cell", cell=f"{box.cell:,}")
    products = "".join(f" + {i}·{s}" for i, s in zip(box.element, tensor.stride, strict=True))
    middle = f"= {tensor.offset:,}{products} = "
    if _mono(head + middle + cell) > INNER - 24 - _mono(right):
        middle = f"= {tensor.offset:,} + … = "
    x = PADDING + _mono(head) + 8
    scene.text(PADDING, y, head, 13, palette.hue(block.hue), bold=True, mono=True)
    scene.text(x, y, middle, 13, ink["ink"], mono=True)
    scene.text(x + _mono(middle), y, cell, 13, palette.hue(block.hue), bold=True, mono=True)


def _value(frame: Frame, tensor: int, cell: int) -> str:
    for cells in frame.cells:
        if cells.tensor == tensor and cell in cells.cells:
            return cells.values[cells.cells.index(cell)][:24]
    return ""


def _foot_height(frame: Frame) -> float:
    return (26 if frame.status else 0) + sum(26 + 24 * len(advice.ways) for advice in frame.advice)


def _draw_foot(scene: Picture, frame: Frame, y: float) -> None:
    """What became of a tensor; advice, each line with its outcome and price."""
    ink = palette.light()
    if frame.status is not None:
        scene.text(PADDING, y + 16, words.say(frame.status), 12, ink["ink"], bold=True)
        y += 26
    for advice in frame.advice:
        colour = ink["held"] if advice.heading.id == "advice.let_go" else ink["ink"]
        scene.text(PADDING, y + 16, words.say(advice.heading), 12, colour, bold=True)
        y += 26
        for way in advice.ways:
            line = "".join(token.text for token in way.tokens)
            wide = max(150.0, 7.3 * len(line) + 16)
            badge = words(f"outcome.word_{way.outcome}")
            scene.rect(PADDING, y, wide, 20, ink["field"], radius=4)
            scene.text(PADDING + 8, y + 14, line, 12, ink["ink"], mono=True)
            shade = {"view": "view", "refused": "refused"}.get(way.outcome, "ink")
            scene.text(PADDING + wide + 10, y + 14, badge, 11, ink[shade], bold=True)
            after = PADDING + wide + max(64, 22 + extent(badge, 11, 0.62))
            scene.text(after, y + 14, words.say(way.price), 11, ink["ink2"])
            y += 24


def _description(frame: Frame) -> str:
    parts = []
    for tensor in frame.tensors:
        shape = amount.sizes(tensor.shape)
        parts.append(
            words(
                "text.described",
                name=tensor.name,
                shape=shape,
                stride=amount.sizes(tensor.stride),
                offset=tensor.offset,
                dtype=tensor.dtype,
            )
        )
    return " ".join(parts)


def _mono(text: str) -> float:
    return len(text) * 13 * 0.602
