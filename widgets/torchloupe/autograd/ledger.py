"""What happened in a backward, step by step, as columns that only grow.

A hook of the engine writes, a message of the view reads, maybe on another thread: a row counts once its last
column is there.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .gradients import BAD, NONE, VALUE, ZERO, Summary

Ints = NDArray[np.int32]


class Summaries:
    """Summaries of gradients in about 70 bytes each; a gradient met again has the same place."""

    def __init__(self) -> None:
        self._floats = array("d")
        self._counts = array("q")
        self._kinds: dict[tuple[tuple[int, ...], str], int] = {}
        self._kind_list: list[tuple[tuple[int, ...], str]] = []
        self._texts: dict[str, int] = {}
        self.texts: list[str] = []
        """Values as text, each once."""
        self._look = array("B")

    def __len__(self) -> int:
        return len(self._look)

    def add(self, summary: Summary) -> int:
        """Its place."""
        self._floats.extend((summary.norm, summary.smallest, summary.largest, summary.mean, summary.zeros))
        self._counts.extend((summary.numel, summary.nonfinite, self._kind(summary), self._text(summary.text)))
        self._look.append(summary.look)
        return len(self._look) - 1

    def _kind(self, summary: Summary) -> int:
        key = summary.shape, summary.dtype
        place = self._kinds.setdefault(key, len(self._kind_list))
        if place == len(self._kind_list):
            self._kind_list.append(key)
        return place

    def _text(self, text: str) -> int:
        if not text:
            return -1
        place = self._texts.setdefault(text, len(self.texts))
        if place == len(self.texts):
            self.texts.append(text)
        return place

    def __getitem__(self, place: int) -> Summary:
        numel, nonfinite, kind, text = self._counts[4 * place : 4 * place + 4]
        shape, dtype = self._kind_list[kind]
        norm, smallest, largest, mean, zeros = self._floats[5 * place : 5 * place + 5]
        told = self.texts[text] if text >= 0 else ""
        look = self._look[place]
        return Summary(
            look, shape, dtype, numel, norm, smallest, largest, mean, zeros, nonfinite=nonfinite, text=told
        )

    def columns(self, places: Ints, strings: int) -> dict[str, NDArray[Any]]:
        """Look, norm and text of the summaries at `places`.

        Args:
            places: of summaries.
            strings: where the texts begin in the table of strings.
        """
        count = len(self)
        look = np.frombuffer(self._look[:count], np.uint8)[places]
        norm = np.frombuffer(self._floats[: 5 * count], np.float64)[5 * places]
        text = np.frombuffer(self._counts[: 4 * count], np.int64)[4 * places + 3]
        with np.errstate(over="ignore"):
            return {
                "look": look,
                "norm": norm.astype(np.float32),
                "text": np.where(text < 0, -1, text + strings).astype(np.int32),
            }


class Rows:
    """Rows of three integers: step, a place in the graph, an input; and the summary that belongs to them."""

    def __init__(self) -> None:
        self.step, self.about, self.input, self.summary = (array("i") for _ in range(4))

    def __len__(self) -> int:
        return len(self.summary)

    def add(self, step: int, about: int, input: int, summary: int) -> None:
        """Append a row."""
        self.step.append(step)
        self.about.append(about)
        self.input.append(input)
        self.summary.append(summary)

    def column(self, name: str) -> Ints:
        """A column as it is now."""
        return np.frombuffer(getattr(self, name)[: len(self)], np.int32)


class Ledger:
    """The steps of a backward, what arrived at each node and what went along each edge.

    Numbers only: no gradient and no node is held. Step k is the k-th node that ran, from 1 on.
    """

    def __init__(self) -> None:
        self.summaries = Summaries()
        self.arrivals = Rows()
        """`about` is the node, `input` which of its gradients."""
        self.flows = Rows()
        """`about` is the edge."""
        self.started = array("i")
        """Nodes in the order in which their gradients were complete."""
        self.ran = 0
        """How many of `started` have run to their end."""
        self.first_bad = -1
        """First node whose finite gradients left it as NaN or infinite, or -1."""
        self._arrived: dict[int, list[int]] = {}
        self._flowed: dict[int, int] = {}
        self._step: dict[int, int] = {}

    @property
    def order(self) -> Sequence[int]:
        """Node ids in the order in which they ran."""
        return self.started[: self.ran]

    def begin(self, node: int) -> int:
        """The next step: `node` is about to run."""
        self.started.append(node)
        self._step[node] = len(self.started)
        return len(self.started)

    def arrive(self, node: int, input: int, summary: int) -> None:
        """A gradient of the step that has just begun."""
        self._arrived.setdefault(node, []).append(summary)
        self.arrivals.add(len(self.started), node, input, summary)

    def flow(self, step: int, edge: int, summary: int) -> None:
        """A gradient that left the node of `step`."""
        self._flowed[edge] = summary
        self.flows.add(step, edge, 0, summary)

    def end(self, node: int) -> None:
        """`node` has run."""
        self.ran += 1

    def step_of(self, node: int) -> int:
        """The step in which a node ran or is about to, 0 when it has not."""
        return self._step.get(node, 0)

    def into(self, node: int) -> tuple[Summary, ...]:
        """What arrived at a node, one for each of its inputs; empty before it is about to run."""
        return tuple(self.summaries[place] for place in self._arrived.get(node, ()))

    def along(self, edge: int) -> Summary | None:
        """What went along an edge, or None when its source has not run."""
        place = self._flowed.get(edge)
        return None if place is None else self.summaries[place]

    def arrival(self, node: int) -> Summary | None:
        """All that arrived at a node put together; None before it is about to run."""
        parts = self.into(node)
        return parts[0] if len(parts) == 1 else together(parts)


def together(parts: Sequence[Summary]) -> Summary | None:
    """Several gradients as one: the norm of all elements, the worst look."""
    if not parts:
        return None
    held = [part for part in parts if part.look != NONE]
    if not held:
        return parts[0]
    looks = {part.look for part in held}
    look = BAD if BAD in looks else VALUE if VALUE in looks else ZERO
    return Summary(
        look, (), held[0].dtype, sum(part.numel for part in held),
        norm=math.hypot(*(part.norm for part in held)),
        smallest=min(part.smallest for part in held),
        largest=max(part.largest for part in held),
        nonfinite=sum(part.nonfinite for part in held),
        text=held[0].text if len(held) == 1 else "",
    )  # fmt: skip
