"""`explain`: why a backward failed, on which line, and what to write instead."""

from __future__ import annotations

import ast
import sys
import traceback
import warnings
from pathlib import Path
from types import TracebackType
from typing import Any

import torch

from ..core import safe
from .capture import capture
from .explain_behind import behind
from .explain_candidates import candidates
from .explain_cause import explained, story
from .explain_graph import IN_PLACE, nodes_of, refused, roots_of
from .explain_lines import Spot, shell
from .explain_other import other
from .explain_outline import called_at
from .explain_record import ExplanationRecord, words
from .explain_recording import Recording
from .explain_statement import statement
from .state import Explanation

_BACKWARD = str(Path(__file__).with_name("backward.py"))


class ChangedBehindAutogradWarning(UserWarning):
    """A saved tensor was changed past its version counter, so the gradient is wrong and nothing is raised."""


class Explaining:
    """What `explain` returns: a context manager, and a picture of what it found.

    Attributes:
        record: the explanation, or None while there is nothing to explain.
    """

    def __init__(self) -> None:
        self._record: ExplanationRecord | None = None
        self._recording: Recording | None = None
        self._looked = False

    @property
    def record(self) -> ExplanationRecord | None:
        """What was found; without a `with` block, what Python's last error tells."""
        if not self._looked and self._recording is None:
            self._looked = True
            error = getattr(sys, "last_exc", None) or getattr(sys, "last_value", None)
            told = None if error is None else explanation_of(error, None)
            self._record = None if told is None else ExplanationRecord(told)
        return self._record

    def __enter__(self) -> Explaining:
        self._record, self._recording = None, Recording(self._before_backward)
        self._recording.__enter__()  # type: ignore[no-untyped-call]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._recording is not None
        self._recording.__exit__(kind, error, trace)  # type: ignore[no-untyped-call]
        if error is None or not isinstance(error, Exception):
            return
        told = explanation_of(error, self._recording)
        if told is not None:
            self._show(told, error)

    def _before_backward(self, roots: list[torch.Tensor], here: Spot | None) -> None:
        assert self._recording is not None
        found = behind(roots, self._recording, here)
        if found is None or self._record is not None:
            return
        told = explained(found)
        self._show(told, None)
        message = str(words.say(told.heading) if shell() is not None else self._record)
        where = (here.file, here.line) if here else ("<unknown>", 0)
        warnings.warn_explicit(message, ChangedBehindAutogradWarning, *where)

    def _show(self, told: Explanation, error: Exception | None) -> None:
        """Show it before the error where there is a notebook; where there is none, write it at the error."""
        record = self._record = ExplanationRecord(told)
        if error is not None and _shown_by_backward(error):
            return
        if shell() is not None:
            from IPython.display import display

            display(_lens(told, error) or record)  # type: ignore[no-untyped-call]
        elif error is not None:
            error.add_note("\n" + record.text())

    def __str__(self) -> str:
        return words("explain.nothing") if self.record is None else self.record.text()

    __repr__ = __str__

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        record = self.record
        return {"text/plain": str(self)} if record is None else record._repr_mimebundle_()


def explain() -> Explaining:
    """Explain an error of backward: the line that changed a saved tensor, and what to write instead.

    Around forward and backward it records every PyTorch call of this thread: the line, the nodes it made, and
    whose version it changed. When backward then fails, the explanation is shown before the error, and the
    error is raised as it would be. Small tensors on the CPU (up to 4 kB) that were changed behind autograd,
    through `.data` or NumPy, are found too: backward runs and a `ChangedBehindAutogradWarning` says that its
    gradient is wrong.

    Called plain after an error, it reads `sys.last_exc` and the graph that is still there: it knows the node
    and the versions, but not which line ran when, and says so.

    It keeps no tensor and no node alive and changes no result. Its cost: a PyTorch call on a small tensor
    takes about seven times as long (10 to 20 µs more), one that changes a tensor about fifteen times, and a
    walk over the graph precedes each backward. So put it around the few steps that fail. It remembers the
    last 100,000 calls. Code that `torch.compile` compiled, and other threads, are not seen call by call.

    Returns:
        A context manager; `.record` is the explanation or None, and as a cell's last expression it is shown.

    Example:
        >>> import torch, torchloupe as loupe
        >>> x = torch.tensor([.5, 1., 2.], requires_grad=True)
        >>> with loupe.autograd.explain():  # doctest: +SKIP
        ...     a = x.exp()
        ...     a += 1
        ...     a.sum().backward()
    """
    return Explaining()


def explanation_of(error: BaseException, recording: Recording | None) -> Explanation | None:
    """What is known of an error; None when backward has nothing to do with it.

    Args:
        error: as raised, with its traceback.
        recording: of the forward and the backward, or None after the fact.
    """
    message = str(error)
    if not message.startswith(IN_PLACE):
        return other(error, recording)
    nodes = nodes_of(roots_of(error))
    slot = refused(nodes, message)
    del nodes
    guesses = None if recording or slot is None else candidates(error, slot.key)
    return explained(story(message, slot, recording, called_at(error), guesses))


def _lens(told: Explanation, error: Exception | None) -> Any:
    """The live lens of the graph that failed, or None where there is no graph to draw."""
    from .explain_lens import ExplainingLens

    roots = [] if error is None else roots_of(error)
    if not any(root.grad_fn is not None for root in roots):
        return None
    return ExplainingLens(capture(roots[0] if len(roots) == 1 else roots, name=_name(error)), told)


def _shown_by_backward(error: BaseException) -> bool:
    """Whether `loupe.autograd.backward` has shown it in its own lens."""
    files = (frame.f_code.co_filename for frame, _ in traceback.walk_tb(error.__traceback__))
    return shell() is not None and any(file == _BACKWARD for file in files)


def _name(error: BaseException | None) -> str:
    """What backward was called on, as written: `loss` of `loss.backward()`."""
    found = None if error is None else statement(called_at(error))
    call = found.node if found else None
    if found is None or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return "loss"
    root = call.args[0] if call.args and call.func.attr != "backward" else call.func.value
    return safe.one_line(found.segment(root), 40)
