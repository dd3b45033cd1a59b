"""The record of a backward graph: columns of numbers, and objects made from them when they are asked for."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..core.record import Record
from ..core.words import Sentence

if TYPE_CHECKING:
    from ..core.picture import Picture
    from .calls import Calls
    from .nodes import Edge, Node, Saved
    from .remains import Remains
    from .state import Scopes

Kind = Literal["operation", "leaf", "custom", "checkpoint", "compiled"]
KINDS: tuple[Kind, ...] = ("operation", "leaf", "custom", "checkpoint", "compiled")


class CaptureError(TypeError):
    """What was given is no output of a computation; `str(error)` says why and what would work."""


class Token:
    """A mark in the `metadata` of a root's node: dead when the graph is."""

    __slots__ = ("__weakref__",)


@dataclass(frozen=True, slots=True)
class Columns:
    """The graph as arrays. Node ids are positions; their order is a topological one, root first, newest
    operation first among those that are ready: the order in which the engine will run them.

    `type`, `scope`, `text`, `value` and `slot_name` hold places in `strings`; -1 means none.
    """

    strings: list[str]
    type: NDArray[np.int32]
    """Per node: class name, `PowBackward0`."""
    scope: NDArray[np.int32]
    """Per node: path of the module it belongs to, `h.6.attn`; -1 outside any."""
    sequence: NDArray[np.int64]
    """Per node: `_sequence_nr()`, -1 for leaves."""
    kind: NDArray[np.uint8]
    """Per node: place in `KINDS`."""
    hooks: NDArray[np.uint8]
    """Per node: 1 when the person registered hooks on it (not ours)."""
    inputs: NDArray[np.int32]
    """Per node: how many gradients it takes, one for each output of the forward operation."""
    saved_bytes: NDArray[np.int64]
    """Per node: bytes of the tensors it saved; a storage saved twice by one node counts once."""
    text: NDArray[np.int32]
    """Per node: the code fragment that made it, or -1."""
    value: NDArray[np.int32]
    """Per node: the forward value as text when it was recorded and has at most four elements, or -1."""
    source: NDArray[np.int32]
    """Per edge: the node the gradient leaves."""
    slot: NDArray[np.int32]
    """Per edge: its place in `source.next_functions`."""
    target: NDArray[np.int32]
    """Per edge: the node it arrives at."""
    input: NDArray[np.int32]
    """Per edge: which input of `target` it is added to (`input_nr`)."""


@dataclass(frozen=True, slots=True)
class Root:
    """A tensor of the output."""

    name: str
    """How it is reached from the output: `logits`, `aux.0`."""
    node: int
    """The node that made it, or -1 when it has no graph."""
    output: int
    """Which output of that node it is (`output_nr`)."""
    shape: tuple[int, ...]
    dtype: str
    device: str
    requires_grad: bool
    value: str
    """Its value when it has one element, else empty."""
    why: Sentence | None
    """Why it has no graph, or None."""
    way_out: Sentence | None
    """One line that would give it one, or None."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A tensor in whose `.grad` gradients end."""

    node: int
    names: tuple[str, ...]
    """All its names in the model, else those the caller has for it; empty when none was found."""
    shape: tuple[int, ...]
    dtype: str
    device: str
    nbytes: int
    parameter: bool
    """Whether it is an `nn.Parameter`."""
    shared: bool
    """Whether the model has several names for it."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True, kw_only=True)
class GraphRecord(Record):
    """A backward graph as it was when `capture` looked. Holds no tensor and no node.

    Example:
        >>> import torch, torchloupe as loupe
        >>> a = torch.tensor([2.0, 3.0], requires_grad=True)
        >>> record = loupe.autograd.capture((a * a).sum())
        >>> [node.type for node in record.nodes], len(record.edges), record.leaves[0].names
        (['SumBackward0', 'MulBackward0', 'AccumulateGrad'], 3, ('a',))
    """

    name: str
    columns: Columns
    roots: tuple[Root, ...]
    leaves: tuple[Leaf, ...]
    others: tuple[str, ...]
    """Parts of the output that are no tensors: `n = 7`."""
    why: Sentence | None
    """Why there is no graph at all, not yet worded; None when there is one."""
    way_out: Sentence | None
    """One line that would give one."""
    scopes: Scopes
    """How nodes were given to modules: by a trace, guessed from parameters, not at all."""
    lines: bool
    """Whether `trace(source=True)` recorded lines of code."""
    spans: Calls
    """The module calls that a trace saw; without one a call of no node for each module of the model."""
    token: Callable[[], Token | None]
    """Gives the mark of the first root's graph while that graph lives."""
    origins: tuple[weakref.ref[Any], ...]
    """One for each root: gives the tensor while it lives."""
    remains: Remains
    """What was read of saved tensors and custom Functions."""

    @property
    def nodes(self) -> Sequence[Node]:
        """All nodes by id, made when asked for; leaves are nodes too."""
        from .nodes import nodes

        return nodes(self)

    @property
    def edges(self) -> Sequence[Edge]:
        """All edges, ascending by the node they leave and its slot."""
        from .nodes import edges

        return edges(self)

    @property
    def why_empty(self) -> str | None:
        """Why there is no graph, in one sentence in the language in force; None when there is one."""
        from .report import words

        return None if self.why is None else words.say(self.why)

    @property
    def state(self) -> Literal["live", "freed", "empty"]:
        """Whether the graph can still be read.

        It is `"freed"` when it is gone, its root tensors are, or a backward has released what it saved.
        """
        if not len(self.columns.type):
            return "empty"
        return "live" if self.remains.readable(self) else "freed"

    def saved(self, node: int) -> tuple[Saved, ...]:
        """What `node` saved, from the record alone; empty when captured with `saved=False`."""
        from .nodes import saved

        return saved(self, node)

    def text(self) -> str:
        """One short fact a line, in the language in force."""
        from .report import report

        return report(self)

    def picture(self) -> Picture:
        """The first picture: collapsed by module, at most 64 boxes."""
        from .picture import picture

        drawn: Picture = picture(self)
        return drawn

    def dot(self) -> str:
        """The graph in the DOT language of Graphviz."""
        from .dot import dot

        return dot(self)

    def to_torchviz(self) -> Any:
        """A `graphviz.Digraph` in torchviz's colours; needs the package `graphviz`."""
        from .dot import to_torchviz

        return to_torchviz(self)

    def __repr__(self) -> str:
        return f"GraphRecord({self.name!r}, nodes={len(self.columns.type)}, edges={len(self.columns.source)})"
