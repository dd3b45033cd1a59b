"""One tensor on the static picture: name, shape and stride by axis, what it is, its cells."""

from __future__ import annotations

from ..core import palette
from ..core.picture import Picture
from . import amount
from .report import words
from .scene import AXES, AXIS, CELL_HEIGHT, TABLE, Block, Box
from .state import Frame, TensorState


def draw_block(
    scene: Picture, block: Block, frame: Frame, labels: dict[int, str], pointed: Block | None, cell: int
) -> None:
    """Draw `block` at its place; `pointed` is the one whose first element is linked."""
    _table(scene, block, frame)
    x, y, ink = block.x, block.y, palette.light()
    if not block.pictured:
        _notes(scene, block, y + (56 if not block.tensor.stride else TABLE + 8))
        return
    low, high = _reach(frame, block.tensor)
    for box in block.boxes:
        _cell(scene, block, box, labels.get(box.cell, ""), (low, high), pointed, cell)
    for dx, dy, sign in block.dots:
        scene.text(x + dx, y + dy, sign, 11, ink["ink2"], anchor="middle")
    for dx, dy, text in block.labels:
        anchor = "end" if text[0] == ">" else "middle" if text[0] == "|" else "start"
        string = text[1:] if text[0] in ">|" else text
        scene.text(x + dx, y + dy, string, 10, ink["ink2"], anchor=anchor)  # type: ignore[arg-type]
    _notes(scene, block, y + block.height - 17 * len(block.notes) + 12)


def _table(scene: Picture, block: Block, frame: Frame) -> None:
    tensor, ink, x, y = block.tensor, palette.light(), block.x, block.y
    tag = 7.3 * len(tensor.name) + 12
    scene.rect(x, y, tag, 18, palette.hue(block.hue), radius=3)
    scene.text(x + tag / 2, y + 13, tensor.name, 12, ink["on"], bold=True, mono=True, anchor="middle")
    if tensor.storage < 0 and not tensor.stride:
        facts = f"{tensor.kind or 'Tensor'} · {amount.sizes(tensor.shape)} · {tensor.dtype} · {tensor.layout}"
        scene.text(x, y + 38, facts, 12, ink["ink2"])
        return
    left = max(48.0, tag + 4)
    columns = min(len(tensor.shape), 9)
    scene.text(x, y + 38, words("text.row_shape"), 11, ink["ink2"])
    scene.text(x, y + 56, words("text.row_stride"), 11, ink["ink2"])
    for k in range(columns):
        at = x + left + k * AXIS + AXIS / 2
        scene.text(at, y + 14, AXES[k % len(AXES)], 13, ink["ink2"], italic=True, anchor="middle")
        scene.text(at, y + 38, _number(tensor.shape[k]), 12, ink["ink"], mono=True, anchor="middle")
        scene.text(at, y + 56, _number(tensor.stride[k]), 12, ink["ink"], mono=True, anchor="middle")
    if columns == 0:
        scene.text(x + left, y + 38, "()", 12, ink["ink"], mono=True)
        scene.text(x + left, y + 56, "()", 12, ink["ink"], mono=True)
    for row, text in enumerate(_facts(tensor)):
        scene.text(x + left + max(columns, 1) * AXIS + 8, y + 38 + 18 * row, text, 11, ink["ink2"])


def _facts(tensor: TensorState) -> list[str]:
    if tensor.base_name:
        first = words("text.of_base", base=tensor.base_name)
    elif tensor.base_shape is not None:
        first = words("text.view_base", base=amount.sizes(tensor.base_shape))
    else:
        first = tensor.kind or words("text.own_memory")
    second = (
        words("text.fact_overlaps")
        if tensor.overlaps
        else ", ".join(
            tensor.formats[1:]
            or ([words("text.fact_contiguous")] if tensor.contiguous else [words("text.fact_not_contiguous")])
        )
    )
    return [first, second]


def _cell(
    scene: Picture,
    block: Block,
    box: Box,
    label: str,
    reach: tuple[int, int],
    pointed: Block | None,
    cell: int,
) -> None:
    ink, x, y = palette.light(), block.x + box.x, block.y + box.y
    low, high = reach
    fill = palette.ramp((box.cell * block.tensor.itemsize - low) / max(high - low, 1))
    first = block is pointed and box is block.boxes[0]
    twin = pointed is not None and not first and _same_byte(block, box, pointed)
    if first:
        fill = palette.hue(block.hue)
    scene.rect(x, y, cell, CELL_HEIGHT, fill, radius=2)
    if twin:
        scene.rect(x + 1, y + 1, cell - 2, CELL_HEIGHT - 2, None, palette.hue(block.hue), 2, 2)
    size = min(11.0, 1.72 * cell / max(len(label), 1))
    colour = ink["on"] if first else ink["ink"]
    scene.text(
        x + cell / 2,
        y + CELL_HEIGHT / 2 + size * 0.36,
        label,
        size,
        colour,
        bold=first or twin,
        anchor="middle",
    )


def _same_byte(block: Block, box: Box, pointed: Block) -> bool:
    target = pointed.boxes[0].cell * pointed.tensor.itemsize
    return block.tensor.storage == pointed.tensor.storage and box.cell * block.tensor.itemsize == target


def _reach(frame: Frame, tensor: TensorState) -> tuple[int, int]:
    """First and last byte reached by the tensors on the same storage: the ends of the ramp."""
    sharing = [other for other in frame.tensors if other.storage == tensor.storage and other.numel]
    low = min(other.offset * other.itemsize for other in sharing)
    return low, max(last_cell(other) * other.itemsize for other in sharing)


def last_cell(tensor: TensorState) -> int:
    """The last cell a tensor reaches."""
    return tensor.offset + sum((n - 1) * s for n, s in zip(tensor.shape, tensor.stride, strict=True))


def _notes(scene: Picture, block: Block, y: float) -> None:
    for row, line in enumerate(block.notes):
        scene.text(block.x, y + 17 * row, line, 11, palette.light()["ink2"])


def _number(number: int) -> str:
    return "*" if number < 0 else str(number) if number < 100_000 else f"{number:.0e}".replace("e+0", "e")
