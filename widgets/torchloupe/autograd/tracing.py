"""`trace`: while it is open, remember which module call made which nodes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ContextDecorator, ExitStack
from types import TracebackType
from typing import Any, Self

import torch
from torch import nn
from torch.utils.hooks import RemovableHandle

from ..core.safe import one_line
from ..core.words import Words
from . import trace_log
from .sequence_number import next_number
from .source_lines import SourceLines
from .trace_log import Log, lines_for, spans_for
from .walk import paused_gc

__all__ = ["lines_for", "spans_for", "trace"]

words = Words("torchloupe.autograd")


class trace(ContextDecorator):  # noqa: N801
    """Remember which module call made each node of the graphs that are built meanwhile.

    `capture` and the lens then know the module of every node, not only of those that use a parameter. While
    the trace is open a module call costs at most 3 µs more, before and after it nothing: the hooks that read
    autograd's sequence number are removed when it ends, also by an error. Only numbers are kept, of recent
    calls; no module and no tensor is kept alive. Inside compiled modules nothing is recorded.

    Args:
        model: the module whose calls are recorded, with those of all modules in it. Without it the calls of
            every module are recorded, named from the outermost module that is called.
        source: whether to record, for each operation, the line and the piece of code that made it, and values
            of at most four elements that are on the CPU. Costs about 2 to 10 µs for each call of a PyTorch
            function (a `TorchFunctionMode` is active), so use it for one step.

    Raises:
        TypeError: if `model` is not an `nn.Module`.

    Example:
        >>> import torch, torchloupe as loupe
        >>> net = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU())
        >>> with loupe.autograd.trace(net):
        ...     y = net(torch.ones(1, 2)).sum()
        >>> [node.scope for node in loupe.autograd.capture(y, net).nodes][:3]
        ['', '1', '0']

    As a decorator it traces each call of the function: `@loupe.autograd.trace(model)` above `def step(x)`.
    """

    def __init__(self, model: nn.Module | None = None, source: bool = False) -> None:
        if model is not None and not isinstance(model, nn.Module):
            raise TypeError(words("trace.no_module", kind=one_line(type(model).__name__, 60)))
        self._model = model
        self._source = source
        self._open: list[ExitStack] = []

    def _recreate_cm(self) -> Self:
        return type(self)(self._model, self._source)

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            log = Log(self._model)
            stack.callback(log.close)
            if self._model is None:
                _hook_all(log, stack)
            else:
                _hook(self._model, log, stack)
            if self._source:
                stack.enter_context(SourceLines(log.lines))
            trace_log.remember(log)
            self._open.append(stack.pop_all())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._open.pop().__exit__(kind, error, traceback)


def _hook(model: nn.Module, log: Log, stack: ExitStack) -> None:
    handles = list[RemovableHandle]()
    stack.callback(_remove, handles)
    with paused_gc():
        for place, module in enumerate(log.names.walk(model)):
            before, after = _hooks(place, log)
            handles.append(module.register_forward_pre_hook(before, prepend=True))
            handles.append(module.register_forward_hook(after, always_call=True))


def _remove(handles: list[RemovableHandle]) -> None:
    for handle in handles:
        handle.remove()


def _hooks(place: int, log: Log) -> tuple[Callable[..., None], Callable[..., None]]:
    """What runs before and after each call of one module."""
    mine, number, compiling = log.mine, next_number, torch.compiler.is_dynamo_compiling
    begin, end = place << 1, place << 1 | 1
    bits, most = trace_log.BITS, trace_log.MOST_EVENTS

    def before(module: nn.Module, args: Any) -> None:
        if compiling():
            return
        events = mine.events
        if len(events) > most:
            del events[: most // 2]
        events.append(number() << bits | begin)

    def after(module: nn.Module, args: Any, output: Any) -> None:
        if compiling():
            return
        mine.events.append(number() << bits | end)

    return before, after


def _hook_all(log: Log, stack: ExitStack) -> None:
    """Hooks on every module there is: one dictionary look-up more for each call."""
    seen, lock = dict[int, tuple[Callable[..., None], Callable[..., None]]](), threading.Lock()

    def hooks_of(module: nn.Module) -> tuple[Callable[..., None], Callable[..., None]]:
        with lock:
            if id(module) not in seen:
                seen[id(module)] = _hooks(log.names.add(module), log)
            return seen[id(module)]

    def before(module: nn.Module, args: Any) -> None:
        if not torch.compiler.is_dynamo_compiling():
            (seen.get(id(module)) or hooks_of(module))[0](module, args)

    def after(module: nn.Module, args: Any, output: Any) -> None:
        if not torch.compiler.is_dynamo_compiling():
            (seen.get(id(module)) or hooks_of(module))[1](module, args, output)

    stack.callback(nn.modules.module.register_module_forward_pre_hook(before).remove)
    stack.callback(nn.modules.module.register_module_forward_hook(after, always_call=True).remove)
