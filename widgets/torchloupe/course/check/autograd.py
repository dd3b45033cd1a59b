"""Checks of chapter 02-autograd: a gradient predicted, a derivative written, a mean without a graph."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import cast

import torch
from torch import Tensor

from ...core.safe import one_line
from ...core.words import Sentence
from ..verdict import Verdict
from .answer import is_tensor, kind, state, told


def predict_gradient(leaf: Tensor, gradient: object) -> Verdict:
    """Check a predicted `leaf.grad` of a leaf with one element.

    Args:
        leaf: the leaf, after its backward passes.
        gradient: the prediction, a number or a tensor with one element; None while it is open.
    """
    exercise = "predict-gradient"
    try:
        found = _gradient_fault(leaf, gradient)
    except Exception as error:
        found = Sentence("check.incomparable", {"error": told(error)})
    if found is None:
        return Verdict(exercise, "passed", Sentence("check.predict-gradient.passed"), (leaf,), ("w",))
    return Verdict(exercise, state(found), found, (leaf,), ("w",))


def chain_rule(function: object) -> Verdict:
    """Check a hand-written derivative of `sin(x)**2`, element by element, against autograd's.

    Args:
        function: takes a tensor of any shape, returns its derivative with the same shape.
    """
    exercise = "chain-rule"
    try:
        found = _derivative_fault(function)
    except Exception as error:
        found = Sentence("check.raised", {"call": "slope_of(x)", "error": told(error)})
    if found is None:
        return Verdict(exercise, "passed", Sentence("check.chain-rule.passed"))
    return Verdict(exercise, state(found), found)


def mean_loss(function: object) -> Verdict:
    """Check a function that takes a list of losses and returns their mean without a graph.

    Args:
        function: takes a list of 0-dim tensors that require a gradient.

    Returns:
        A verdict whose last tensor is the answer, or the graph-holding mean while there is none.
    """
    exercise = "mean-loss"
    weight = torch.tensor([1.0, 2.0], requires_grad=True)
    losses = [(weight * step).sum() for step in (1.0, 3.0, 5.0)]
    answer: object = None
    try:
        if not callable(function):
            found: Sentence | None = Sentence("check.not-a-function", {"kind": kind(function)})
        else:
            answer = cast("Callable[[list[Tensor]], object]", function)(losses)
            found = _mean_fault(losses, weight, answer)
    except Exception as error:
        found = Sentence("check.raised", {"call": "mean_loss(losses)", "error": told(error)})
    shown = answer if is_tensor(answer) else torch.stack(losses).mean()
    passed = Sentence("check.mean-loss.passed")
    outcome = state(found) if found else "passed"
    return Verdict(exercise, outcome, found or passed, (shown,), ("mean",))


def _gradient_fault(leaf: Tensor, gradient: object) -> Sentence | None:
    if gradient is None:
        return Sentence("check.predict-gradient.open")
    if isinstance(gradient, Tensor) and gradient.numel() == 1:
        gradient = gradient.item()
    if isinstance(gradient, bool) or not isinstance(gradient, numbers.Real):
        return Sentence("check.gradient.kind", {"kind": kind(gradient)})
    assert leaf.grad is not None
    want, w, got = leaf.grad.item(), leaf.item(), float(gradient)
    if got == want:
        return None
    likely = {3 * w * w: "last-only", 2 * w: "first-only", w * w + w * w * w: "values"}
    return Sentence(f"check.gradient.{likely.get(got, 'wrong')}", {"got": one_line(gradient, 20)})


def _derivative_fault(function: object) -> Sentence | None:
    if not callable(function):
        return Sentence("check.not-a-function", {"kind": kind(function)})
    x = torch.linspace(-3, 3, 13, dtype=torch.double).reshape(1, 13).requires_grad_()
    (want,) = torch.autograd.grad((x.sin() ** 2).sum(), x)
    given = x.detach().clone()
    answer = cast("Callable[[Tensor], object]", function)(given)
    call = "slope_of(x)"
    if answer is None:
        return Sentence("check.chain-rule.open")
    if not is_tensor(answer):
        return Sentence("check.not-a-tensor", {"call": call, "kind": kind(answer)})
    if answer.shape != want.shape:
        shapes = {"got": str(tuple(answer.shape)), "want": str(tuple(want.shape))}
        return Sentence("check.shape", {"call": call, **shapes})
    if torch.allclose(answer.detach().double(), want, rtol=1e-4, atol=1e-6):
        return None
    s, c = given.sin(), given.cos()
    likely = {"inner": 2 * s, "outer": c, "factor": s * c, "power": c**2, "sign": -2 * s * c}
    for name, guess in likely.items():
        if torch.allclose(answer.detach().double(), guess, rtol=1e-4, atol=1e-6):
            return Sentence(f"check.chain-rule.{name}")
    at = int((answer.detach().double() - want).abs().argmax())
    numbers_at = {"x": f"{given.flatten()[at].item():.1f}", "want": f"{want.flatten()[at].item():.3f}"}
    return Sentence("check.chain-rule.wrong", {**numbers_at, "got": f"{answer.flatten()[at].item():.3f}"})


def _mean_fault(losses: list[Tensor], weight: Tensor, answer: object) -> Sentence | None:
    call, want = "mean_loss(losses)", torch.stack([loss.detach() for loss in losses]).mean()
    if answer is None:
        return Sentence("check.mean-loss.open")
    if not is_tensor(answer):
        return Sentence(
            "check.mean-loss.number" if isinstance(answer, float) else "check.not-a-tensor",
            {
                "call": call,
                "kind": kind(answer),
            },
        )
    if answer.shape != want.shape:
        shapes = {"got": str(tuple(answer.shape)), "want": str(tuple(want.shape))}
        return Sentence("check.shape", {"call": call, **shapes})
    if not torch.allclose(answer.detach(), want):
        return Sentence("check.mean-loss.value", {"got": f"{answer.item():g}", "want": f"{want.item():g}"})
    if answer.requires_grad:
        return Sentence("check.mean-loss.graph")
    if not all(loss.requires_grad for loss in losses):
        return Sentence("check.mean-loss.cut")
    return None
