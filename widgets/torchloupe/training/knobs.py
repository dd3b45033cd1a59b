"""Knobs: numbers of a running loop that a person turns."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch

from ..core.safe import one_line
from ..core.words import Words

_WORDS = Words(__package__)


class Knob:
    """A number that may change between two steps.

    Read it with `float(knob)` or `knob.value`. When its name is a key of the optimizer's parameter groups,
    it *is* that number of the first group, and the other groups keep their ratio to it.

    Attributes:
        name: `lr`.
        low: where its slider begins.
        high: where its slider ends.
        log: whether the slider is logarithmic.
        history: step and value of each change, the value it began with first.
    """

    def __init__(
        self, name: str, value: float, low: float, high: float, log: bool, groups: Groups | None
    ) -> None:
        self.name, self.low, self.high, self.log = name, low, high, log
        self.groups = groups
        self._value = value
        self.history: list[tuple[int, float]] = [(0, value)]

    @property
    def value(self) -> float:
        """What is in effect now; a scheduler's changes included."""
        return self.groups.value(self.name) if self.groups else self._value

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        return f"{self.name} = {self.value:g}"

    def check(self, value: float) -> None:
        """Refuse a value it cannot have; see `finite`."""
        if finite(self.name, value) <= 0 and self.log:
            raise ValueError(_WORDS("error.knob_log", name=one_line(self.name)))

    def turn(self, value: float, step: int) -> None:
        """Put a value in effect, from `step` on."""
        self.write(value)
        self.history.append((step, value))

    def write(self, value: float) -> None:
        """Put a value in effect that was in effect before, or will be noted."""
        if self.groups:
            self.groups.write(self.name, value)
        self._value = value

    def put_back(self, value: float) -> None:
        """It is `value` again, as the optimizer's groups are already."""
        self._value = value

    def note(self, step: int) -> None:
        """A branch begins at `step`: what it has there is its history's newest, if that differs."""
        if self.groups is None and self.history[-1][1] != self._value:
            self.history.append((step, self._value))


@dataclass(frozen=True)
class Groups:
    """The parameter groups of an optimizer, and the scheduler that moves them."""

    optimizer: torch.optim.Optimizer
    scheduler: Any = None

    def has(self, key: str) -> bool:
        """Whether every group has a number under `key`."""
        groups = self.optimizer.param_groups
        return bool(groups) and all(_is_number(group.get(key)) for group in groups)

    def value(self, key: str) -> float:
        """The number of the first group."""
        return float(self.optimizer.param_groups[0][key])

    def write(self, key: str, value: float) -> None:
        """Give the first group a value and scale the others with it; a scheduler's base rates too.

        Where the first group has 0, all get the value.
        """
        before = self.value(key)
        factor = value / before if before else None
        for group in self.optimizer.param_groups:
            _put(group, key, value if factor is None else float(group[key]) * factor)
        _put(self.optimizer.param_groups[0], key, value)
        if key == "lr" and factor is not None:
            self._scale_scheduler(factor)

    @property
    def has_scheduler(self) -> bool:
        """Whether a scheduler moves the learning rate."""
        return self.scheduler is not None

    def _scale_scheduler(self, factor: float) -> None:
        if self.scheduler is None:
            return
        for group in self.optimizer.param_groups:
            # OneCycleLR reckons each rate from these.
            for key in ("initial_lr", "max_lr", "min_lr"):
                if _is_number(group.get(key)):
                    _put(group, key, float(group[key]) * factor)
        for scheduler in _all_schedulers(self.scheduler):
            for name in ("base_lrs", "max_lrs", "min_lrs"):
                rates = getattr(scheduler, name, None)
                if isinstance(rates, list):
                    setattr(scheduler, name, [rate * factor for rate in rates])
            for name in ("eta_min",):
                if _is_number(getattr(scheduler, name, None)):
                    setattr(scheduler, name, getattr(scheduler, name) * factor)


def made(
    name: Any, value: Any, groups: Groups | None, *, low: Any = None, high: Any = None, log: bool = False
) -> Knob:
    """A knob, refused where it could not be turned.

    Raises:
        TypeError: if the name is no string or a number is no real number.
        ValueError: if a number is not finite, the range is empty, or a logarithmic one reaches 0.
    """
    if not isinstance(name, str) or not name:
        raise TypeError(_WORDS("error.knob_name", kind=one_line(type(name).__name__)))
    bound = groups if groups is not None and groups.has(name) else None
    if value is None and bound is not None:
        value = bound.value(name)
    number = finite(name, value)
    if log and number <= 0:
        raise ValueError(_WORDS("error.knob_log", name=one_line(name)))
    least = finite(name, low) if low is not None else (number / 100 if log else min(0.0, 2 * number))
    most = finite(name, high) if high is not None else (number * 100 if log else max(2 * number, 1.0))
    if log and least <= 0:
        raise ValueError(_WORDS("error.knob_log", name=one_line(name)))
    if not least < most:
        raise ValueError(_WORDS("error.knob_range", name=one_line(name), low=least, high=most))
    return Knob(name, number, least, most, log, bound)


def finite(name: str, value: Any) -> float:
    """A knob's value as a plain number.

    Raises:
        TypeError: if it is no real number.
        ValueError: if it is not finite.
    """
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        kind = one_line(type(value).__name__)
        raise TypeError(_WORDS("error.knob_kind", name=one_line(name), kind=kind))
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(_WORDS("error.knob_finite", name=one_line(name), value=str(number)))
    return number


def _all_schedulers(scheduler: Any) -> Iterator[Any]:
    """A scheduler and those it is made of (`SequentialLR`, `ChainedScheduler`)."""
    yield scheduler
    for inner in getattr(scheduler, "_schedulers", ()):
        yield from _all_schedulers(inner)


def _is_number(value: Any) -> bool:
    if isinstance(value, torch.Tensor):
        return value.numel() == 1 and value.is_floating_point()
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _put(group: dict[str, Any], key: str, value: float) -> None:
    if isinstance(group[key], torch.Tensor):
        group[key].fill_(value)
    else:
        group[key] = value
