"""Find the tensors in what a model returned, each with the path that leads to it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import torch

from ..core.safe import one_line

MOST = 10_000
"""Parts looked at before the rest is left out."""
MOST_OTHERS = 32
"""Parts that are no tensors listed one by one."""
DEEPEST = 64


@dataclasses.dataclass(slots=True)
class Found:
    """The tensors and the other parts of an output, in order."""

    tensors: list[tuple[str, torch.Tensor]]
    """Path and tensor: `("aux.0", …)`; a tensor met twice stands under its first path."""
    others: list[str]
    """Path and value of each part that is no tensor: `n = 7`."""


def tensors_in(output: Any) -> Found:
    """Look through dicts and what is read like one, lists, tuples, namedtuples, dataclasses, namespaces.

    Cycles are followed once; at most `DEEPEST` levels and `MOST` parts are looked at. Of the containers' own
    code only their iteration is run.
    """
    found = Found([], [])
    met: dict[int, Any] = {}
    waiting: list[tuple[str, Any, int]] = [("", output, 0)]
    looked = left_out = 0
    while waiting:
        path, part, depth = waiting.pop()
        looked += 1
        inside = None if isinstance(part, torch.Tensor) else _parts(part)
        if isinstance(part, torch.Tensor) or inside is not None:
            if id(part) in met:
                continue
            met[id(part)] = part
        if isinstance(part, torch.Tensor):
            found.tensors.append((path, part))
        elif inside is None or depth == DEEPEST or looked > MOST:
            found.others.append(_told(path, part))
        else:
            room = max(0, MOST - looked - len(waiting))
            below = [(_joined(path, key), value, depth + 1) for key, value in inside[:room]]
            waiting += reversed(below)
            left_out += len(inside) - len(below)
    left_out += max(0, len(found.others) - MOST_OTHERS)
    if left_out > 0:
        found.others[MOST_OTHERS:] = [f"… {left_out:,}"]
    return found


def _parts(part: Any) -> list[tuple[Any, Any]] | None:
    if isinstance(part, type | torch.Size | torch.nn.Module):
        return None
    if dataclasses.is_dataclass(part) and not isinstance(part, Mapping):
        return [(field.name, getattr(part, field.name, None)) for field in dataclasses.fields(part)]
    if isinstance(part, Mapping) or (hasattr(part, "keys") and hasattr(part, "__getitem__")):
        return list(_items(part))
    if isinstance(part, tuple) and hasattr(part, "_fields"):
        return list(zip(part._fields, part, strict=False))
    if isinstance(part, list | tuple):
        return list(enumerate(part))
    if isinstance(part, SimpleNamespace):
        return list(vars(part).items())
    return None


def _items(part: Any) -> Iterator[tuple[Any, Any]]:
    """Items of anything read like a dict; a key whose value cannot be had is left out."""
    for key in list(part.keys()):
        with suppress(Exception):
            yield key, part[key]


def _joined(path: str, key: Any) -> str:
    name = one_line(key, 60)
    return f"{path}.{name}" if path else name


def _told(path: str, part: Any) -> str:
    value = one_line(part, 40) if isinstance(part, int | float | str | bool | None) else type(part).__name__
    return f"{path} = {value}" if path else value
