"""The operation bar: each operation as code, its arguments, their bounds, and how values travel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import torch

from . import arguments as typed
from . import bounds as legal
from .record import StridesRecord
from .state import Carry, Family

Texts = list[str]


class Call(Protocol):
    """Applies an operation to a tensor, with arguments as typed."""

    def __call__(self, x: torch.Tensor, texts: Texts) -> torch.Tensor:
        """Return the result, or raise what PyTorch raises."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of a tensor."""

    form: str
    """The code after the tensor's name, `{}` where the arguments stand."""
    call: Call
    """Applies it to a tensor, with arguments as typed."""
    family: Family
    carry: Carry = "index"
    """How a copy's element finds its source element. A view's are in the same cell."""
    bounds: legal.Bounds = legal.none
    numeric: bool = True
    """Whether the arguments are whole numbers, each edited on its own."""


def _counted(name: str, count: int, method: Callable[..., torch.Tensor]) -> Call:
    def call(x: torch.Tensor, texts: Texts) -> torch.Tensor:
        return method(x, *typed.exactly(count, typed.integers(texts), f".{name}(…)"))

    return call


def _spread(method: Callable[..., torch.Tensor]) -> Call:
    return lambda x, texts: method(x, *typed.integers(texts))


def _listed(method: Callable[..., torch.Tensor]) -> Call:
    return lambda x, texts: method(x, typed.integers(texts))


def _as_strided(x: torch.Tensor, texts: Texts) -> torch.Tensor:
    numbers = typed.integers(texts)
    rank = len(numbers) // 2
    typed.exactly(2 * rank + 1, numbers, ".as_strided(…)")
    typed.not_negative(numbers[:rank])
    return x.as_strided(numbers[:rank], numbers[rank : 2 * rank], numbers[-1])


_T = torch.Tensor
OPERATIONS: dict[str, Operation] = {
    "transpose": Operation(
        ".transpose({})", _counted("transpose", 2, _T.transpose), "reorder", bounds=legal.axes
    ),
    "permute": Operation(".permute({})", _listed(_T.permute), "reorder", bounds=legal.axes),
    "T": Operation(".T", lambda x, texts: x.T, "reorder"),
    "mT": Operation(".mT", lambda x, texts: x.mT, "reorder"),
    "flip": Operation(".flip({})", _listed(_T.flip), "reorder", "flip", legal.axes),
    "view": Operation(".view({})", _listed(_T.view), "reshape", "ravel", legal.sizes),
    "reshape": Operation(".reshape({})", _listed(_T.reshape), "reshape", "ravel", legal.sizes),
    "flatten": Operation(".flatten({})", _spread(_T.flatten), "reshape", "ravel", legal.axes),
    "unsqueeze": Operation(
        ".unsqueeze({})", _counted("unsqueeze", 1, _T.unsqueeze), "reshape", bounds=legal.new_axis
    ),
    "squeeze": Operation(".squeeze({})", _spread(_T.squeeze), "reshape", bounds=legal.axes),
    "index": Operation("[{}]", lambda x, texts: x[typed.index(texts[0])], "pick", numeric=False),
    "select": Operation(".select({})", _counted("select", 2, _T.select), "pick", bounds=legal.select),
    "narrow": Operation(".narrow({})", _counted("narrow", 3, _T.narrow), "pick", bounds=legal.narrow),
    "as_strided": Operation(".as_strided({})", _as_strided, "pick", bounds=legal.as_strided),
    "view_dtype": Operation(
        ".view({})", lambda x, texts: x.view(typed.dtype(texts[0])), "pick", numeric=False
    ),
    "expand": Operation(".expand({})", _listed(_T.expand), "repeat", bounds=legal.expand),
    "unfold": Operation(".unfold({})", _counted("unfold", 3, _T.unfold), "repeat", bounds=legal.unfold),
    "contiguous": Operation(".contiguous()", lambda x, texts: x.contiguous(), "copy"),
    "clone": Operation(".clone()", lambda x, texts: x.clone(), "copy"),
    "add_": Operation(".add_({})", _spread(_T.add_), "copy"),
    "channels_last": Operation(
        ".to(memory_format=torch.channels_last)",
        lambda x, texts: x.to(memory_format=torch.channels_last),
        "copy",
    ),
    "channels_last_3d": Operation(
        ".to(memory_format=torch.channels_last_3d)",
        lambda x, texts: x.to(memory_format=torch.channels_last_3d),
        "copy",
    ),
}


def texts_of(operation: str, texts: Texts) -> Texts:
    """Arguments as the code line shows them: one text per number, or the one expression as it is."""
    if OPERATIONS[operation].numeric:
        return [str(number) for number in typed.integers(texts)]
    return [texts[0].strip()] if texts else [""]


def ranges(operation: str, source: StridesRecord, texts: Texts) -> list[legal.Range]:
    """The legal range of each argument, `(None, None)` where it is not known."""
    known = OPERATIONS[operation]
    return known.bounds(source, typed.integers(texts)) if known.numeric else [(None, None) for _ in texts]
