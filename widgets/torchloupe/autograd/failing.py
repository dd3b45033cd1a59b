"""What to say of a backward that failed on its own: which node, whose code, and what Python said."""

from __future__ import annotations

import traceback
from pathlib import Path

import torch
from torch.overrides import _get_current_function_mode_stack

from ..core.safe import one_line
from ..core.words import Sentence
from .explain import explanation_of
from .explain_lines import person
from .explain_recording import Recording
from .record import GraphRecord
from .state import Explanation, Failure

_OURS = str(Path(__file__).parents[1])
_TORCH = str(Path(torch.__file__).parent)


def failure(record: GraphRecord, entered: list[int], ran: int, error: BaseException) -> Failure:
    """Where and why.

    Args:
        record: the graph.
        entered: nodes that had begun and not ended, the last one last.
        ran: how many nodes had run.
        error: as raised, with its traceback.
    """
    node = entered[-1] if entered else -1
    said = one_line(error, 400)
    kind = type(error).__name__
    where = _raised_in(error)
    step = ran + 1
    if node < 0 and where:
        heading = Sentence("fail.hook", {"error": kind, "function": where, "step": step})
    elif node >= 0 and record.nodes[node].kind == "custom":
        heading = Sentence("fail.custom", {"title": record.nodes[node].type, "error": kind, "step": step})
    elif node >= 0:
        title = record.nodes[node].type
        heading = Sentence("fail.node", {"title": title, "error": kind, "step": step})
    elif ran:
        heading = Sentence("fail.step", {"error": kind, "step": step})
    else:
        heading = Sentence("fail.start", {"error": kind})
    trace = "".join(traceback.format_exception(error)) if where else ""
    return Failure(node=node, heading=heading, detail=None, error=f"{kind}: {said}", traceback=trace)


def explanation(error: BaseException) -> Explanation | None:
    """Why, where it is known; the error that is looked into is never hidden by one of ours."""
    try:
        return explanation_of(error, recording())
    except Exception:
        return None


def recording() -> Recording | None:
    """Of the `explain` that is open around this backward."""
    modes = _get_current_function_mode_stack()  # type: ignore[no-untyped-call]
    return next((mode for mode in modes if isinstance(mode, Recording)), None)


def _raised_in(error: BaseException) -> str:
    """The person's own function that raised inside the backward, or empty when PyTorch did."""
    inside, found = False, ""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        file = frame.f_code.co_filename
        if file.startswith(_TORCH) and frame.f_code.co_name == "_engine_run_backward":
            inside = True
        elif inside and not file.startswith((_TORCH, _OURS)) and person(frame) is frame:
            found = frame.f_code.co_qualname.rpartition(".<locals>.")[2]
    return found
