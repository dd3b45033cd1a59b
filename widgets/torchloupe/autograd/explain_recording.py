"""Watches PyTorch calls: which line made which nodes, and which call changed which storage."""

from __future__ import annotations

import ctypes
import sys
import weakref
import zlib
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from types import FrameType
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from .explain_changes import Change, change, key_of, tensors_in, version_of
from .explain_lines import Spot, spot

MOST_CALLS = 100_000
MOST_BYTES = 4096
"""Tensors on the CPU up to this size have their bytes summed when an operation saves them."""
_DATA = torch.Tensor.__dict__.get("data", torch._C.TensorBase.data)  # noqa: SLF001
_sequence: Callable[[], int] = torch.autograd._get_sequence_nr  # type: ignore[attr-defined]  # noqa: SLF001
_BACKWARDS = (torch.Tensor.backward, torch.autograd.backward, torch.autograd.grad)
_APPLY = "/torch/autograd/function.py"

Print = tuple[int, int, int, int]
"""Bytes of a small tensor when it was saved: storage, offset, bytes, CRC-32."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call that made nodes of the graph."""

    first: int
    """Sequence number of its first node."""
    last: int
    """One after that of its last node."""
    order: int
    spot: Spot | None
    name: str
    prints: tuple[Print, ...]


@dataclass(frozen=True, slots=True)
class Backward:
    """A call of `backward` or `grad`."""

    order: int
    spot: Spot | None
    root: Callable[[], object]
    """Gives the first root's node mark while the graph lives: see `Recording.ran`."""


class Recording(TorchFunctionMode):
    """The calls of this thread while it is entered. It holds numbers and code, no tensor and no node.

    Args:
        on_backward: called with the roots and the person's line before each backward, outside the mode.
    """

    def __init__(self, on_backward: Callable[[list[torch.Tensor], Spot | None], None]) -> None:
        super().__init__()
        self.calls: list[Call] = []
        self.changes: deque[Change] = deque(maxlen=MOST_CALLS)
        self.backwards: deque[Backward] = deque(maxlen=1000)
        self.order = 0
        self.missed = 0
        self._on_backward = on_backward
        self._reached = _sequence()
        self._behind: dict[int, weakref.ref[torch.Tensor]] = {}

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Run `func` as it is, and note what it did."""
        __tracebackhide__ = True
        kwargs = kwargs or {}
        name = func.__name__
        if name == "__get__":
            result = func(*args, **kwargs)
            if getattr(func, "__self__", None) is _DATA:
                self._went_behind(result)
            return result
        frame = sys._getframe(1)  # noqa: SLF001
        if func in _BACKWARDS:
            self._backward(args, kwargs, frame)
            return func(*args, **kwargs)
        given = tensors_in((*args, *kwargs.values()))
        before = [version_of(tensor) for tensor in given]
        first = _sequence()
        if first > self._reached:
            self._custom(first, frame)
        result = func(*args, **kwargs)
        try:
            self._after(func, name, args, result, given, before, first, frame)
        except Exception:  # a fault of ours must not become one of the person's
            self.missed += 1
        return result

    def _after(
        self,
        func: Any,
        name: str,
        args: tuple[Any, ...],
        result: Any,
        given: list[torch.Tensor],
        before: list[int],
        first: int,
        frame: FrameType,
    ) -> None:
        self.order += 1
        last = _sequence()
        if name == "__set__" and getattr(func, "__self__", None) is _DATA:
            self._note([given[0]], [version_of(given[0]) - 1], "data", args, frame, behind=True)
        elif name != "__set__":
            changed = [at for at, tensor in enumerate(given) if version_of(tensor) != before[at]]
            if changed:
                self._note([given[at] for at in changed], [before[at] for at in changed], name, args, frame)
        if last > first:
            made = tensors_in((result,))
            prints = tuple(mark for tensor in (*given, *made) if (mark := print_of(tensor)) is not None)
            self._remember(Call(first, last, self.order, spot(frame), name, prints))
        if self._behind:
            self._spread(given, result)
        self._reached = max(last, self._reached)

    def _note(
        self,
        tensors: list[torch.Tensor],
        before: list[int],
        name: str,
        args: Any,
        frame: FrameType,
        behind: bool = False,
    ) -> None:
        seen = set[int]()
        for tensor, version in zip(tensors, before, strict=True):
            past = behind or self._is_behind(tensor)
            found = change(tensor, version, name, args, self.order, frame, past)
            if found is not None and found.key not in seen:
                seen.add(found.key)
                self.changes.append(found)

    def _backward(self, args: tuple[Any, ...], kwargs: dict[str, Any], frame: FrameType) -> None:
        self.order += 1
        given = kwargs.get("tensors", kwargs.get("outputs", kwargs.get("self")))
        roots = tensors_in((args[0] if args else given,))
        here = spot(frame)
        self._on_backward(roots, here)
        nodes = [root.grad_fn for root in roots if root.grad_fn is not None]
        if nodes:
            notes: Any = nodes[0].metadata
            mark = notes.setdefault(_Mark.KEY, _Mark())
            self.backwards.append(Backward(self.order, here, weakref.ref(mark)))

    def _custom(self, first: int, frame: FrameType) -> None:
        """Numbers passed without a call: a custom Function took one before its `forward` ran."""
        above: FrameType | None = frame
        while above is not None:
            if above.f_code.co_filename.replace("\\", "/").endswith(_APPLY):
                here = spot(above.f_back)
                self._remember(Call(self._reached, first, self.order, here, above.f_code.co_name, ()))
                break
            above = above.f_back
        self._reached = first

    def _remember(self, call: Call) -> None:
        self.calls.append(call)
        if len(self.calls) >= 2 * MOST_CALLS:
            del self.calls[:MOST_CALLS]

    def _went_behind(self, tensor: torch.Tensor) -> None:
        at = id(tensor)
        self._behind[at] = weakref.ref(tensor, lambda _: self._behind.pop(at, None))

    def _is_behind(self, tensor: torch.Tensor) -> bool:
        marked = self._behind.get(id(tensor))
        return marked is not None and marked() is tensor

    def _spread(self, given: list[torch.Tensor], result: Any) -> None:
        """A view of `x.data` is past the version counter too."""
        keys = {key_of(tensor) for tensor in given if self._is_behind(tensor)}
        for tensor in tensors_in((result,)) if keys else ():
            if key_of(tensor) in keys and tensor.grad_fn is None:
                self._went_behind(tensor)


class _Mark:
    KEY = "torchloupe.explain"
    __slots__ = ("__weakref__",)


def mark_of(node: Any) -> object | None:
    """What a recorded backward left at its root."""
    return node.metadata.get(_Mark.KEY)  # type: ignore[no-any-return]


def call_of(calls: Sequence[Call], sequence: int) -> Call | None:
    """The call that made the node with this sequence number."""
    at = bisect_right(calls, sequence, key=lambda call: call.first) - 1
    return calls[at] if at >= 0 and sequence < calls[at].last else None


@cache
def _bytes(count: int) -> type[ctypes.Array[ctypes.c_char]]:
    """The type of so many bytes in memory, which are read where they are."""
    return ctypes.c_char * count


def print_of(tensor: torch.Tensor) -> Print | None:
    """Storage, offset, bytes and CRC-32 of a small plain tensor on the CPU; None for any other."""
    try:
        count = tensor.numel()
        if not 0 < count <= MOST_BYTES or not tensor.is_cpu or tensor.layout is not torch.strided:
            return None
        nbytes = count * tensor.element_size()
        if nbytes > MOST_BYTES or not tensor.is_contiguous() or tensor.is_quantized:
            return None
        key, offset = key_of(tensor), int(tensor.storage_offset())
        if key is None:
            return None
        return key, offset, nbytes, zlib.crc32(_bytes(nbytes).from_address(tensor.data_ptr()))
    except (RuntimeError, NotImplementedError):
        return None
