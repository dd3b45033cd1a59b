"""Copies of what a step changes, and the way back: values are put in place, so that nothing else notices."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any, Protocol

import torch


class Stateful(Protocol):
    """Anything that gives its state and takes it back."""

    def state_dict(self) -> Any:
        """The state; may share memory with the object."""

    def load_state_dict(self, state: Any, /) -> Any:
        """Take a state back."""


class Model:
    """The parameters, their gradients, and the buffers of a module at one time."""

    def __init__(self, model: torch.nn.Module) -> None:
        self._values = {name: value.detach().clone() for name, value in _tensors(model)}
        self._gradients = {
            name: None if value.grad is None else value.grad.detach().clone()
            for name, value in model.named_parameters()
        }

    @property
    def nbytes(self) -> int:
        """Bytes of all copies."""
        return nbytes([self._values, self._gradients])

    @torch.no_grad()
    def restore(self, model: torch.nn.Module) -> None:
        """Write the values back into the same tensors."""
        for name, value in _tensors(model):
            value.detach().copy_(self._values[name])
        for name, parameter in model.named_parameters():
            gradient = self._gradients[name]
            if gradient is None or parameter.grad is None:
                parameter.grad = None if gradient is None else gradient.clone()
            else:
                parameter.grad.copy_(gradient)


class Optimizer:
    """The state and the settings of an optimizer at one time, in the dtypes they have."""

    def __init__(self, optimizer: torch.optim.Optimizer) -> None:
        self._states = [
            deepcopy(optimizer.state[parameter]) if parameter in optimizer.state else None
            for parameter in _parameters(optimizer)
        ]
        self._settings = [
            deepcopy({key: value for key, value in group.items() if key != "params"})
            for group in optimizer.param_groups
        ]

    @property
    def nbytes(self) -> int:
        """Bytes of all copies."""
        return nbytes(self._states)

    @torch.no_grad()
    def restore(self, optimizer: torch.optim.Optimizer) -> None:
        """Write state and settings back."""
        for parameter, state in zip(_parameters(optimizer), self._states, strict=True):
            if state is None:
                optimizer.state.pop(parameter, None)
            else:
                optimizer.state[parameter] = deepcopy(state)
        for group, settings in zip(optimizer.param_groups, self._settings, strict=True):
            for key, value in settings.items():
                if isinstance(value, torch.Tensor) and isinstance(group.get(key), torch.Tensor):
                    group[key].copy_(value)
                else:
                    group[key] = deepcopy(value)


class Other:
    """The state of a scheduler, a scaler or an object of the person's own at one time."""

    def __init__(self, part: Stateful) -> None:
        self._state = deepcopy(part.state_dict())

    @property
    def nbytes(self) -> int:
        """Bytes of the tensors in it."""
        return nbytes(self._state)

    def restore(self, part: Stateful) -> None:
        """Give the state back."""
        part.load_state_dict(deepcopy(self._state))


def nbytes(state: Any) -> int:
    """Bytes of all tensors in nested dicts, lists and tuples."""
    if isinstance(state, torch.Tensor):
        return state.numel() * state.element_size()
    if isinstance(state, dict):
        return sum(nbytes(part) for part in state.values())
    if isinstance(state, list | tuple):
        return sum(nbytes(part) for part in state)
    return 0


def _tensors(model: torch.nn.Module) -> Iterator[tuple[str, torch.Tensor]]:
    yield from model.named_parameters()
    yield from model.named_buffers()


def _parameters(optimizer: torch.optim.Optimizer) -> Iterator[torch.Tensor]:
    for group in optimizer.param_groups:
        yield from group["params"]
