"""Checks of chapter 03-functions: rules of custom Functions against measured slopes."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import torch
from torch import Tensor
from torch.autograd import Function, gradcheck, gradgradcheck

from ...core.words import Sentence
from ..verdict import Verdict
from .answer import is_rule, kind, state, told

_Value = Callable[[Tensor], Tensor]


def cube(function: object) -> Verdict:
    """Check the rule of a Function that computes `x**3`.

    Returns:
        A verdict whose last tensor is the sum of the Function's values, with its graph.
    """
    return _check("cube", function, lambda x: x**3, _cube_fault)


def swish(function: object) -> Verdict:
    """Check the rule of a Function that computes `x * sigmoid(x)`, also for second order.

    Returns:
        A verdict whose last tensor is the sum of the Function's values, with its graph.
    """
    return _check("swish", function, lambda x: x * x.sigmoid(), _swish_fault)


def straight_through(function: object) -> Verdict:
    """Check a Function that rounds forward and passes the gradient unchanged.

    Returns:
        A verdict whose last tensor is the sum of the Function's values, with its graph.
    """
    return _check("straight-through", function, torch.round, _straight_fault)


def _check(
    exercise: str, function: object, value: _Value, fault: Callable[[_Value], Sentence | None]
) -> Verdict:
    shown = value(_shown()).sum()
    if not is_rule(function):
        refused = Sentence("check.not-a-rule", {"kind": kind(function)})
        return Verdict(exercise, "wrong", refused, (shown,), ("total",))
    found: Sentence | None
    try:
        shown = _applied(function)(_shown()).sum()
        found = _value_fault(function, value) or _open(exercise, function) or fault(_applied(function))
    except Exception as error:
        found = Sentence("check.raised", {"call": f"{function.__name__}.apply(x)", "error": told(error)})
    if found is None:
        done = Sentence(f"check.{exercise}.passed")
        return Verdict(exercise, "passed", done, (shown,), ("total",))
    return Verdict(exercise, state(found), found, (shown,), ("total",))


def _shown() -> Tensor:
    return torch.tensor([-1.5, 0.4, 2.0], requires_grad=True)


def _inputs() -> Tensor:
    return torch.tensor([-2.3, -0.7, 0.4, 1.6], dtype=torch.double, requires_grad=True)


def _applied(function: type[Function]) -> _Value:
    """`apply`, which PyTorch leaves untyped."""
    return cast("_Value", function.apply)


def _value_fault(function: type[Function], value: _Value) -> Sentence | None:
    x = _inputs()
    if torch.allclose(_applied(function)(x).detach(), value(x.detach())):
        return None
    return Sentence("check.rule.value", {"name": function.__name__})


def _gradient(applied: _Value, x: Tensor) -> Tensor | None:
    return torch.autograd.grad(applied(x).sum(), x, allow_unused=True)[0]


def _open(exercise: str, function: type[Function]) -> Sentence | None:
    missing = _gradient(_applied(function), _inputs()) is None
    return Sentence(f"check.{exercise}.open") if missing else None


def _cube_fault(applied: _Value) -> Sentence | None:
    x = _inputs()
    if gradcheck(applied, x, raise_exception=False):
        return None
    got = _gradient(applied, x)
    assert got is not None
    if torch.allclose(got, x.detach() ** 2):
        return Sentence("check.cube.factor")
    if torch.allclose(got, torch.full_like(got, 3.0) * x.detach()):
        return Sentence("check.cube.power")
    return _measured("x = 1.6", got[-1], 3 * x.detach()[-1] ** 2)


def _swish_fault(applied: _Value) -> Sentence | None:
    x = _inputs()
    got, gate = _gradient(applied, x), x.detach().sigmoid()
    assert got is not None
    if not gradcheck(applied, x, raise_exception=False):
        if torch.allclose(got, gate):
            return Sentence("check.swish.first-term")
        if _ignores_arrival(applied):
            return Sentence("check.rule.arrival")
        return _measured("x = 1.6", got[-1], (gate + x.detach() * gate * (1 - gate))[-1])
    if not gradgradcheck(applied, x, raise_exception=False):
        return Sentence("check.swish.second")
    return None


def _straight_fault(applied: _Value) -> Sentence | None:
    x = _inputs()
    arriving = torch.tensor([1.0, -2.0, 0.0, 0.5], dtype=torch.double)
    (got,) = torch.autograd.grad(applied(x), x, arriving)
    if torch.equal(got, arriving):
        return None
    if torch.equal(got, torch.ones_like(got)):
        return Sentence("check.rule.arrival")
    if not got.any():
        return Sentence("check.straight-through.zero")
    return Sentence("check.straight-through.wrong")


def _ignores_arrival(applied: _Value) -> bool:
    """Whether a rule gives the same answer whatever gradient arrives."""
    x = _inputs()
    (once,) = torch.autograd.grad(applied(x).sum(), x)
    (twice,) = torch.autograd.grad(2 * applied(x).sum(), x)
    return torch.equal(once, twice)


def _measured(at: str, got: Tensor, want: Tensor) -> Sentence:
    return Sentence(
        "check.rule.measured", {"at": at, "got": f"{got.item():.4f}", "want": f"{want.item():.4f}"}
    )
