"""What the strides view is told: `state.ts` is generated from these classes (`make state`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..core.words import Sentence

OutcomeKind = Literal["view", "copy", "same", "refused"]
Family = Literal["reorder", "reshape", "pick", "repeat", "copy"]
Carry = Literal["cell", "index", "ravel", "flip"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TensorState:
    """One tensor of the lens: a person's (`root`) or the result of an operation tried in the lens."""

    id: int
    name: str
    root: bool
    shape: list[int]
    stride: list[int]
    """In elements; empty when the layout has none (`storage` is then -1)."""
    offset: int
    """`storage_offset()`, in elements."""
    numel: int
    itemsize: int
    nbytes: int
    """Logical bytes, `numel * itemsize`."""
    distinct: int | None
    """Distinct cells addressed; None when counting them would not be O(1)."""
    dtype: str
    device: str
    layout: str
    kind: str
    """Class name when it is not a plain `torch.Tensor`, else empty."""
    storage: int
    """Id of its storage in `Frame.storages`, or -1 when it has no strided storage."""
    base_name: str
    """Name of the shown tensor that is its `_base`, else empty."""
    base_shape: list[int] | None
    """Shape of its `_base`, or None when it is not a view."""
    contiguous: bool
    formats: list[str]
    """Memory formats it is contiguous in, such as `channels_last`."""
    overlaps: bool
    version: int | None
    requires_grad: bool
    leaf: bool
    alive: bool
    notes: list[Sentence]
    """What is special about it, or why it has no picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageState:
    """A block of memory. An `imagined` one is what a copy would allocate; the lens never allocates it."""

    id: int
    nbytes: int
    device: str
    address: str
    """Hexadecimal address of byte 0, or empty (meta, imagined)."""
    imagined: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """Bounded samples: what `tensor` reads at storage cells `cells` (in its own items)."""

    tensor: int
    cells: list[int]
    labels: list[str]
    """Short, as PyTorch prints it: `18.`, `nan`."""
    values: list[str]
    """In full: `18.0`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One number a person can edit in the code line, with the bounds PyTorch allows where they are known."""

    text: str
    low: int | None
    high: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A piece of the code line: `tensor` colours it, `argument` is the index of the number shown, or -1."""

    text: str
    tensor: int
    argument: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One stop on a walk through the storage: the element and its cell."""

    label: str
    cell: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A line of code offered to the person, with its outcome and its price."""

    tokens: list[Token]
    outcome: OutcomeKind
    price: Sentence
    operation: str
    """What "Try" applies, or empty when it cannot be tried in the lens."""
    arguments: list[str]
    tensor: int
    """The tensor "Try" acts on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """A heading and the lines that follow from it: ways out, in-place writes, letting memory go."""

    heading: Sentence
    ways: list[Way]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why PyTorch said no: in words, as a walk through the storage where that helps, and its own message."""

    heading: Sentence
    detail: Sentence
    walk: list[Point]
    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """An operation tried in the lens."""

    operation: str
    arguments: list[Argument]
    tokens: list[Token]
    line: str
    """The Python line, `y = x.transpose(0, 2)`."""
    source: int
    result: int
    """Id of the resulting tensor, or -1 when refused."""
    outcome: OutcomeKind
    price: Sentence
    """Beside the badge: "same storage, 0 B copied"."""
    carry: Carry
    """How an element of the result finds the source element it came from: same cell, same index, same
    row-major position, or same index with `flipped` axes reversed."""
    flipped: list[int]
    refusal: Refusal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuEntry:
    """An operation in the menu, with what it would do said before it is pressed."""

    family: Family
    operation: str
    arguments: list[str]
    label: str
    outcome: OutcomeKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Everything the view needs to draw, always complete."""

    tensors: list[TensorState]
    """Those to draw, in order: the person's, then the source and the result of the last step."""
    storages: list[StorageState]
    cells: list[Cells]
    """First samples, so that the first picture needs no second message."""
    step: Step | None
    script: str
    """The lines that lead from the person's tensors to the last result."""
    active: int
    """The tensor operations act on."""
    candidates: list[int]
    """Tensors that can be made active."""
    menu: list[MenuEntry]
    advice: list[Advice]
    can_undo: bool
    can_redo: bool
    status: Sentence | None
    """Set when a tensor was freed, moved or resized after it was shown, or an argument was not legal."""
