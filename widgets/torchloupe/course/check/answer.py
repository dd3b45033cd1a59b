"""What every check says of an answer: its kind, an error it raised, whether it is still open."""

from __future__ import annotations

from typing import TypeGuard, cast

from torch import Tensor
from torch.autograd import Function

from ...core.safe import one_line
from ...core.words import Sentence
from ..verdict import State


def state(fault: Sentence) -> State:
    """Whether a fault means that nothing was answered yet."""
    return "open" if fault.id.endswith(".open") else "wrong"


def kind(answer: object) -> str:
    """The class of an answer."""
    return one_line(type(answer).__name__)


def told(error: Exception) -> str:
    """An error an answer raised, in one line."""
    return f"{kind(error)}: {one_line(error, 200)}"


def is_tensor(answer: object) -> TypeGuard[Tensor]:
    """Whether an answer is a tensor, without asking the answer itself."""
    return issubclass(type(answer), Tensor)


def is_rule(answer: object) -> TypeGuard[type[Function]]:
    """Whether an answer is a subclass of `torch.autograd.Function`."""
    return issubclass(type(answer), type) and Function in type.mro(cast("type", answer))[1:]
