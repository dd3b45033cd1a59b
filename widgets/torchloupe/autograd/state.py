"""What the autograd view is told: `state.ts` is generated from these classes (`make state`).

A frame is small and complete: it holds the first picture and says how many rows each table has. The graph
itself and the gradients are tables of typed columns, which a view pulls (`core/tables.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..core.words import Sentence

Mode = Literal["look", "live", "replay"]
Phase = Literal["empty", "ready", "waiting", "running", "done", "stopped", "failed", "freed"]
BoxKind = Literal["node", "leaf", "module", "chain", "repeat", "section", "fold"]
Scopes = Literal["traced", "inferred", "none"]
Fault = Literal["in_place", "behind", "freed", "not_scalar", "leaf", "no_graph", "custom", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstBox:
    """One box of the first picture, collapsed by module."""

    kind: BoxKind
    id: int
    """Node id of a node or leaf, else group id."""
    title: str
    suffix: str
    """Class of a module; `Backward0` of a node; else empty."""
    nodes: int
    members: int
    """Identical siblings in a fold; 1 otherwise."""
    parameters: list[str]
    """Names of the parameters whose gradients leave this box, at most three."""
    more_parameters: int
    look: int
    """How its arriving gradient looks: 0 not run, 1 value, 2 zero, 3 None, 4 NaN or infinite."""
    norm: float | None
    """L2 norm of the arriving gradient, or None."""
    value: str
    """The gradient itself when it has at most four elements, else empty."""
    text: str
    """The line of code that made a node, or empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstEdge:
    """A lifted edge between two boxes of the first picture."""

    source: int
    """Index in `First.boxes`."""
    target: int
    edges: int
    """Edges of the graph it stands for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class First:
    """The first picture: at most 64 boxes, root first."""

    boxes: list[FirstBox]
    edges: list[FirstEdge]


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """An output the graph was read from."""

    name: str
    node: int
    output: int
    """Which output of the node it is (`output_nr`)."""
    shape: list[int]
    dtype: str
    value: str
    """Its value when it has one element, else empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """How many rows each table has by now; see `tables.py` for their columns."""

    strings: int
    nodes: int
    edges: int
    groups: int
    leaves: int
    steps: int
    arrivals: int
    flows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeLine:
    """A line of the person's code."""

    number: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Where and why a backward stopped on its own."""

    node: int
    """The node that failed, or -1 when it is not known."""
    heading: Sentence
    detail: Sentence | None
    error: str
    """What Python said, type first."""
    traceback: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What broke a backward. In place: the saved tensor, the line that changed it, and the fix.

    `behind` is a change PyTorch did not see (`.data`, NumPy): no error, but a wrong gradient. In the other
    faults `culprit` is the line that failed, and `keeper` the line that made it fail, where there is one.
    """

    kind: Fault
    heading: Sentence
    detail: Sentence
    place: str
    """Where the lines stand: `In[7]` for a cell, a file name, or empty."""
    lines: list[CodeLine]
    keeper: int
    """Number of the line whose operation saved the tensor, or 0."""
    culprit: int
    """Number of the line that changed it, or 0 when it is not known."""
    culprits: list[int]
    """Every line that changed it, in order."""
    tensor: str
    """Name of the tensor that was changed, or empty."""
    node: int
    """The node that needs it, or -1."""
    node_title: str
    slot: str
    expected: int
    found: int
    versions: list[int]
    """The version after each of `culprits`."""
    fix_old: str
    fix_new: str
    """What stands there and what to write instead, each up to two lines; empty when no fix is known."""
    fix_line: int
    """Number of the line where `fix_old` begins, or 0."""
    way: Sentence | None
    """What the fix does, or what to do where no single line can be written for the person."""
    price: Sentence | None
    """What the fix costs."""
    error: str
    """PyTorch's own words."""
    unknown: Sentence | None
    """What cannot be known after the fact, and how to know it next time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """Something a node keeps for its backward: a tensor, a number, or nothing."""

    slot: str
    """PyTorch's own name: `self`, `result`, `exponent`."""
    shape: list[int] | None
    """None when it is no tensor."""
    dtype: str
    nbytes: int
    owner: str
    """The name whose storage it is (`x`, `fc.weight`), or empty when the node keeps its own."""
    version: int | None
    text: str
    """A number, `None` or another value as text; empty for a tensor."""
    readable: bool
    """Whether `look_at` can give a line of code that reads it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gradient:
    """One gradient that entered or left a node. Numbers that are not finite, or not known, are None."""

    name: str
    """What it belongs to: an argument (`query`), a leaf (`x`), or empty."""
    look: int
    """0 not run, 1 value, 2 zero, 3 None, 4 NaN or infinite."""
    shape: list[int]
    dtype: str
    numel: int
    norm: float | None
    smallest: float | None
    largest: float | None
    mean: float | None
    zeros: float | None
    """Share of elements that are exactly zero, 0 to 1."""
    nonfinite: int
    """Elements that are NaN or infinite."""
    text: str
    """The gradient itself when it has at most four elements, else empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What is known of one node, asked for when a person selects it."""

    node: int
    title: str
    suffix: str
    scope: str
    """Path of its module, or empty."""
    cls: str
    """Class of that module, or empty."""
    rule: str
    """What its gradient is multiplied by, such as `2·x`, when that is simple enough; else empty."""
    into: list[Gradient]
    out_of: list[Gradient]
    saved: list[Saved]
    place: str
    """Where its line stands: `In[7]` for a cell, a file name, or empty."""
    line: int
    """Number of that line, or 0."""
    code: str
    """The whole line, or empty."""
    fragment: str
    """The part of `code` that made the node, or empty."""
    hooks: list[str]
    """Hooks the person registered on it."""
    context: list[str]
    """A custom Function: what `ctx` holds."""
    notes: list[Sentence]
    """Order, module and what is special about it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Everything the view needs for its first picture and controls, always complete."""

    epoch: int
    """Another number means another record: a view drops its tables and pulls them again."""
    name: str
    """What was looked at, as written: `y`, `loss`, `y.backward()`."""
    mode: Mode
    phase: Phase
    why_empty: Sentence | None
    way_out: Sentence | None
    """One line that would give `why_empty` a graph."""
    roots: list[Root]
    others: list[str]
    """Parts of the output that are no tensors or have no graph: listed, not drawn."""
    first: First
    rows: Rows
    nodes: int
    edges: int
    scopes: Scopes
    lines: bool
    """Whether source lines were recorded."""
    code: list[CodeLine]
    """The person's lines the nodes came from, when they are few; else empty."""
    next: int
    """Live and waiting: the node that runs next, else -1."""
    leaves_module: bool
    """Live and waiting: whether the next node stands inside a module, so that "step out" means something."""
    run_ahead: int
    """Node a run was asked to stop at, or -1."""
    first_bad: int
    """First node whose finite arriving gradient left it as NaN or infinite, or -1."""
    notes: list[Sentence]
    """What is worth saying under the picture, most important first."""
    failure: Failure | None
    explanation: Explanation | None
