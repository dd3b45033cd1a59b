"""The phases of a step, marked by hand or seen on model and optimizer, with the time each took."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from time import perf_counter
from types import TracebackType
from typing import Any

import torch

Undo = Callable[[], None]


class Phases:
    """What the steps of a loop consist of.

    Args:
        boundary: called with the name of a phase before it begins; may wait there.
        before_update: called before each step of the optimizer.
    """

    def __init__(self, boundary: Callable[[str], None], before_update: Callable[[], None]) -> None:
        self._boundary, self._before_update = boundary, before_update
        self._undo = list[Undo]()
        self._began = 0.0
        self._by_hand = False
        self._thread = 0
        self.current: str | None = None
        """The phase the loop is in, None between phases."""
        self.seconds = dict[str, float]()
        """What each phase took when it was last whole, in the order they were first seen. On a device that
        works on its own, the time the program took to give out the work."""

    def mark(self, name: str) -> _Phase:
        """A phase begins and the one before ends. It ends with the next, the step, or a `with` block."""
        self._by_hand = True
        self._begin(name)
        return _Phase(self, name)

    def end(self) -> None:
        """The phase, if there is one, is over."""
        if self.current is not None:
            self.seconds[self.current] = perf_counter() - self._began
            self.current = None

    def attach(self, model: torch.nn.Module | None, optimizer: torch.optim.Optimizer | None) -> None:
        """See the phases of this thread's steps on model and optimizer; those marked by hand go first.

        `forward` is the model's in training mode, `backward` begins when the gradient of its output is there,
        `step` and `zero_grad` are the optimizer's. A model compiled in place is left alone.
        """
        self.detach()
        self._by_hand = False
        self._thread = threading.get_ident()
        if isinstance(model, torch.nn.Module) and getattr(model, "_compiled_call_impl", None) is None:
            self._undo.append(model.register_forward_pre_hook(self._before_forward).remove)
            self._undo.append(model.register_forward_hook(self._after_forward).remove)
        if isinstance(optimizer, torch.optim.Optimizer):
            self._undo.append(optimizer.register_step_pre_hook(self._before_step).remove)
            self._undo.append(optimizer.register_step_post_hook(lambda *_: self._see(None)).remove)
            self._undo.append(_around_zero_grad(optimizer, self._see))

    def detach(self) -> None:
        """Take every hook away again."""
        for undo in self._undo:
            undo()
        self._undo.clear()
        self.current = None

    def _begin(self, name: str) -> None:
        self.end()
        self.seconds.setdefault(name, 0.0)
        self._boundary(name)
        self.current, self._began = name, perf_counter()

    def _see(self, name: str | None) -> None:
        # A device's backward runs on a thread of its own, where nothing may wait.
        if self._by_hand or threading.get_ident() != self._thread:
            return
        if name is None:
            self.end()
        elif name != self.current:
            self._begin(name)

    def _before_step(self, *_arguments: Any) -> None:
        if threading.get_ident() == self._thread:
            self._before_update()
        self._see("step")

    def _before_forward(self, model: torch.nn.Module, _inputs: Any) -> None:
        if model.training and torch.is_grad_enabled():
            self._see("forward")

    def _after_forward(self, model: torch.nn.Module, _inputs: Any, output: Any) -> None:
        if model.training and torch.is_grad_enabled():
            self._see("loss")
            first = next((x for x in _tensors(output) if x.requires_grad), None)
            if first is not None:
                first.register_hook(lambda _gradient: self._see("backward"))  # type: ignore[no-untyped-call]


class _Phase:
    """A phase as a `with` block."""

    def __init__(self, phases: Phases, name: str) -> None:
        self._phases, self._name = phases, name

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if self._phases.current == self._name:
            self._phases.end()


def _around_zero_grad(optimizer: torch.optim.Optimizer, see: Callable[[str | None], None]) -> Undo:
    """There is no hook for `zero_grad`: the optimizer gets one of its own for the time of a loop."""
    before = vars(optimizer).get("zero_grad")
    original = optimizer.zero_grad

    def zero_grad(*args: Any, **keywords: Any) -> None:
        see("zero_grad")
        original(*args, **keywords)
        see(None)

    def undo() -> None:
        if vars(optimizer).get("zero_grad") is zero_grad:
            del vars(optimizer)["zero_grad"]
            if before is not None:
                vars(optimizer)["zero_grad"] = before

    vars(optimizer)["zero_grad"] = zero_grad
    return undo


def _tensors(output: Any) -> Iterator[torch.Tensor]:
    if isinstance(output, torch.Tensor):
        yield output
    elif isinstance(output, dict):
        for part in output.values():
            yield from _tensors(part)
    elif isinstance(output, list | tuple):
        for part in output:
            yield from _tensors(part)
