"""Nodes, edges and saved tensors of a record as objects, made from its columns when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload

from ..core.safe import one_line
from . import saved as columns
from .record import KINDS, Kind
from .slots import slots_of
from .values import sizes

if TYPE_CHECKING:
    from .record import GraphRecord
    from .source_lines import Line

Item = TypeVar("Item", covariant=True)


@dataclass(frozen=True, slots=True)
class Saved:
    """What a node keeps in one of its slots for the backward pass."""

    slot: str
    """`self`, `result`; `indices[0]` in a list; `saved_tensors[1]` of a custom Function."""
    kind: Literal["tensor", "none", "number", "other"]
    """`number` is any value that is no tensor; `other` a tensor that cannot be looked at: see `packed`."""
    shape: tuple[int, ...] = ()
    dtype: str = ""
    nbytes: int = 0
    owner: str = ""
    """Name of the parameter or variable whose storage it is; empty when it has none."""
    version: int | None = None
    """How often the tensor had been written to when the record was made."""
    storage: int = 0
    """Equal for slots that share a storage; 0 when there is none."""
    text: str = ""
    """The value of a `number`."""
    packed: Literal["", "checkpoint", "hooks"] = ""
    """A checkpoint computes it again when the backward needs it; the person's hooks packed it."""
    freed: bool = False
    """A backward had freed it when the record was made."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A gradient's way from one node to another."""

    index: int
    source: int
    slot: int
    """Place in `source.next_functions`: which input of the forward operation it belongs to."""
    target: int
    input: int
    """Which output of the forward operation of `target` it is the gradient of."""


class Node:
    """One node of a recorded graph."""

    __slots__ = ("_record", "index")

    def __init__(self, record: GraphRecord, index: int) -> None:
        self._record = record
        self.index = index

    @property
    def type(self) -> str:
        """Class name: `PowBackward0`."""
        columns = self._record.columns
        return columns.strings[int(columns.type[self.index])]

    @property
    def scope(self) -> str:
        """Path of the module it belongs to, `h.6.attn`; empty outside any."""
        return self._string(self._record.columns.scope)

    @property
    def sequence(self) -> int | None:
        """Its sequence number: grows with every operation of a thread. None for leaves."""
        number = int(self._record.columns.sequence[self.index])
        return None if number < 0 else number

    @property
    def kind(self) -> Kind:
        """What sort of node it is."""
        return KINDS[int(self._record.columns.kind[self.index])]

    @property
    def hooks(self) -> bool:
        """Whether the person's hooks are known to be on its gradient."""
        return bool(self._record.columns.hooks[self.index])

    @property
    def inputs(self) -> int:
        """How many gradients it takes, one for each output of the forward operation."""
        return int(self._record.columns.inputs[self.index])

    @property
    def saved_bytes(self) -> int:
        """Bytes of the tensors it saved."""
        return int(self._record.columns.saved_bytes[self.index])

    @property
    def text(self) -> str:
        """The code that made it, when a trace recorded lines."""
        return self._string(self._record.columns.text)

    @property
    def value(self) -> str:
        """The forward value when a trace recorded it and it has at most four elements."""
        return self._string(self._record.columns.value)

    @property
    def line(self) -> Line | None:
        """Where its code stands, when a trace recorded lines."""
        lines = self._record.remains.lines
        return None if lines is None else lines[self.index]

    @property
    def saved(self) -> tuple[Saved, ...]:
        """What it saved, slot by slot."""
        return saved(self._record, self.index)

    @property
    def context(self) -> tuple[str, ...]:
        """What the `ctx` of a custom Function holds: `k = 3`."""
        return self._record.remains.contexts.get(self.index, ())

    def _string(self, places: Any) -> str:
        place = places[self.index]
        return "" if place < 0 else self._record.columns.strings[place]

    def __repr__(self) -> str:
        return f"Node({self.index}, {self.type!r})"


class _Lazy(Sequence[Item], Generic[Item]):
    def __init__(self, count: int, make: Callable[[int], Item]) -> None:
        self._count, self._make = count, make

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Item]: ...
    def __getitem__(self, index: int | slice) -> Item | Sequence[Item]:
        places = range(self._count)[index]
        return [self._make(place) for place in places] if isinstance(places, range) else self._make(places)

    def __iter__(self) -> Iterator[Item]:
        return map(self._make, range(self._count))


def nodes(record: GraphRecord) -> Sequence[Node]:
    """All nodes of `record` by id."""
    return _Lazy(len(record.columns.type), lambda index: Node(record, index))


def edges(record: GraphRecord) -> Sequence[Edge]:
    """All edges of `record`."""
    graph = record.columns
    return _Lazy(
        len(graph.source),
        lambda index: Edge(
            index,
            int(graph.source[index]),
            int(graph.slot[index]),
            int(graph.target[index]),
            int(graph.input[index]),
        ),
    )


def saved(record: GraphRecord, node: int) -> tuple[Saved, ...]:
    """What `node` saved: its tensors, then the other values."""
    remains = record.remains
    node = range(len(record.columns.type))[node]
    tensors = [_tensor(record, row.tolist()) for row in remains.saved.of(node)]
    names = slots_of(remains.classes[remains.type[node]]).plain
    held = remains.saved.plain.get(node, ())
    values = zip(names, (held,) if len(names) == 1 and node in remains.saved.plain else held, strict=False)
    return (*tensors, *(Saved(name, "number", text=one_line(value, 200)) for name, value in values))


def _tensor(record: GraphRecord, row: list[int]) -> Saved:
    _, slot, item, found, fact, storage, version = row
    held = record.remains.saved
    name = held.slots[slot] if item < 0 else f"{held.slots[slot]}[{item}]"
    if found == columns.NONE:
        return Saved(name, "none")
    if fact < 0:
        return Saved(name, "other", packed=_PACKED.get(found, ""), freed=found == columns.FREED)
    shape, dtype = held.facts[fact]
    return Saved(
        name,
        "tensor" if found == columns.TENSOR else "other",
        shape=sizes(shape),
        dtype=str(dtype).removeprefix("torch."),
        nbytes=columns.nbytes(shape, dtype) if found == columns.TENSOR else 0,
        owner=record.remains.owners.get(storage, ""),
        version=None if version < 0 else version,
        storage=storage,
    )


_PACKED: dict[int, Literal["checkpoint", "hooks"]] = {
    columns.CHECKPOINTED: "checkpoint",
    columns.HOOKED: "hooks",
}
