"""The checks of chapters 02 and 03 against right answers and the wrong ones people really give."""

import pytest
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from tests.course.test_check import Hostile, assert_passed, assert_wrong, spoken  # noqa: F401
from torchloupe.course import check


def leaf():
    w = torch.tensor(3.0, requires_grad=True)
    (w * w).backward()
    (w * w * w).backward()
    return w


@pytest.mark.parametrize("right", [33, 33.0, torch.tensor(33.0), torch.tensor([33])])
def test_the_predicted_gradient_is_autograds(right, spoken):  # noqa: F811
    w = leaf()
    assert w.grad.item() == 33
    assert_passed(check.predict_gradient(w, right), spoken)


@pytest.mark.parametrize(
    ("answer", "id"),
    [
        (27, "check.gradient.last-only"),
        (6.0, "check.gradient.first-only"),
        (36, "check.gradient.values"),
        (7, "check.gradient.wrong"),
        ("33", "check.gradient.kind"),
        (True, "check.gradient.kind"),
        ([33], "check.gradient.kind"),
    ],
)
def test_wrong_gradients_are_told_apart(answer, id, spoken):  # noqa: F811
    assert_wrong(check.predict_gradient(leaf(), answer), id, spoken)


def test_nothing_predicted_yet(spoken):  # noqa: F811
    assert_wrong(check.predict_gradient(leaf(), None), "check.predict-gradient.open", spoken, "open")


@pytest.mark.parametrize(
    "right", [lambda x: 2 * x.sin() * x.cos(), lambda x: (2 * x).sin(), lambda x: (2 * x.float()).sin()]
)
def test_the_chain_rule(right, spoken):  # noqa: F811
    assert_passed(check.chain_rule(right), spoken)


@pytest.mark.parametrize(
    ("answer", "id"),
    [
        (lambda x: 2 * x.sin(), "check.chain-rule.inner"),
        (lambda x: x.cos(), "check.chain-rule.outer"),
        (lambda x: x.sin() * x.cos(), "check.chain-rule.factor"),
        (lambda x: x.cos() ** 2, "check.chain-rule.power"),
        (lambda x: -2 * x.sin() * x.cos(), "check.chain-rule.sign"),
        (lambda x: x, "check.chain-rule.wrong"),
        (lambda x: x.sum(), "check.shape"),
        (lambda x: 1.0, "check.not-a-tensor"),
        (lambda x: 1 / 0, "check.raised"),
        (3, "check.not-a-function"),
    ],
)
def test_wrong_derivatives_are_told_apart(answer, id, spoken):  # noqa: F811
    assert_wrong(check.chain_rule(answer), id, spoken)


def test_no_derivative_yet(spoken):  # noqa: F811
    assert_wrong(check.chain_rule(lambda x: None), "check.chain-rule.open", spoken, "open")


@pytest.mark.parametrize(
    "right",
    [
        lambda losses: torch.stack([loss.detach() for loss in losses]).mean(),
        lambda losses: torch.stack(losses).mean().detach(),
        lambda losses: sum(loss.detach() for loss in losses) / len(losses),
    ],
)
def test_a_mean_without_a_graph(right, spoken):  # noqa: F811
    verdict = check.mean_loss(right)
    assert_passed(verdict, spoken)
    assert verdict.tensors[-1].grad_fn is None


@pytest.mark.parametrize(
    ("answer", "id"),
    [
        (lambda losses: torch.stack(losses).mean(), "check.mean-loss.graph"),
        (lambda losses: sum(loss.item() for loss in losses) / 3, "check.mean-loss.number"),
        (lambda losses: losses[0].detach(), "check.mean-loss.value"),
        (lambda losses: torch.stack([loss.detach_() for loss in losses]).mean(), "check.mean-loss.cut"),
        (lambda losses: torch.stack([loss.detach() for loss in losses]), "check.shape"),
        (lambda losses: "9", "check.not-a-tensor"),
        (None, "check.not-a-function"),
        (lambda losses: losses[9], "check.raised"),
    ],
)
def test_wrong_means_are_told_apart(answer, id, spoken):  # noqa: F811
    verdict = check.mean_loss(answer)
    assert_wrong(verdict, id, spoken)
    assert isinstance(verdict.tensors[-1], torch.Tensor)


def test_no_mean_yet_shows_the_graph_that_is_kept(spoken):  # noqa: F811
    verdict = check.mean_loss(lambda losses: None)
    assert_wrong(verdict, "check.mean-loss.open", spoken, "open")
    assert verdict.tensors[-1].grad_fn is not None


def rule(forward, backward):
    """A Function that saves its input."""

    def saved(ctx, gradient):
        return backward(ctx.saved_tensors[0], gradient)

    members = {
        "forward": staticmethod(forward),
        "setup_context": staticmethod(lambda ctx, inputs, output: ctx.save_for_backward(*inputs)),
        "backward": staticmethod(saved),
    }
    return type("Rule", (Function,), members)


def cube(backward):
    return rule(lambda x: x**3, backward)


def swish(backward):
    return rule(lambda x: x * x.sigmoid(), backward)


def rounding(backward):
    return rule(lambda x: x.round(), backward)


def swish_slope(x):
    gate = x.sigmoid()
    return gate + x * gate * (1 - gate)


@pytest.mark.parametrize(
    ("checked", "function"),
    [
        (check.cube, cube(lambda x, g: g * 3 * x**2)),
        (check.swish, swish(lambda x, g: g * swish_slope(x))),
        (check.straight_through, rounding(lambda x, g: g)),
    ],
)
def test_right_rules_pass(checked, function, spoken):  # noqa: F811
    verdict = checked(function)
    assert_passed(verdict, spoken)
    assert verdict.tensors[-1].grad_fn is not None


@pytest.mark.parametrize(
    ("checked", "function", "id"),
    [
        (check.cube, cube(lambda x, g: g * x**2), "check.cube.factor"),
        (check.cube, cube(lambda x, g: g * 3 * x), "check.cube.power"),
        (check.cube, cube(lambda x, g: g * x), "check.rule.measured"),
        (check.cube, rule(lambda x: x**2, lambda x, g: g * 3 * x**2), "check.rule.value"),
        (check.cube, cube(lambda x, g: 1 / 0), "check.raised"),
        (check.cube, lambda x: x**3, "check.not-a-rule"),
        (check.cube, None, "check.not-a-rule"),
        (check.swish, swish(lambda x, g: g * x.sigmoid()), "check.swish.first-term"),
        (check.swish, swish(lambda x, g: swish_slope(x)), "check.rule.arrival"),
        (check.swish, swish(lambda x, g: g * swish_slope(x.detach())), "check.swish.second"),
        (check.swish, swish(lambda x, g: g * x), "check.rule.measured"),
        (check.straight_through, rounding(lambda x, g: torch.ones_like(g)), "check.rule.arrival"),
        (check.straight_through, rounding(lambda x, g: 0 * g), "check.straight-through.zero"),
        (check.straight_through, rounding(lambda x, g: -g), "check.straight-through.wrong"),
    ],
)
def test_wrong_rules_are_told_apart(checked, function, id, spoken):  # noqa: F811
    assert_wrong(checked(function), id, spoken)


@pytest.mark.parametrize(
    ("checked", "made", "id"),
    [
        (check.cube, cube, "check.cube.open"),
        (check.swish, swish, "check.swish.open"),
        (check.straight_through, rounding, "check.straight-through.open"),
    ],
)
def test_no_rule_yet(checked, made, id, spoken):  # noqa: F811
    verdict = checked(made(lambda x, g: None))
    assert_wrong(verdict, id, spoken, "open")
    assert verdict.tensors[-1].grad_fn is not None


def test_a_rule_that_cannot_be_differentiated_again_says_so(spoken):  # noqa: F811
    class Rule(Function):
        @staticmethod
        def forward(x):
            return x * x.sigmoid()

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)

        @staticmethod
        @once_differentiable
        def backward(ctx, gradient):
            return gradient * swish_slope(ctx.saved_tensors[0])

    verdict = check.swish(Rule)
    assert not verdict.passed


@pytest.mark.parametrize(
    "checked",
    [
        lambda answer: check.predict_gradient(leaf(), answer),
        check.chain_rule,
        check.mean_loss,
        check.cube,
        check.swish,
        check.straight_through,
    ],
)
def test_no_answer_makes_a_check_raise(checked, spoken):  # noqa: F811
    for answer in (
        Hostile(),
        object(),
        type,
        Function,
        float("nan"),
        lambda *_: Hostile(),
        lambda *_: object(),
    ):
        assert not checked(answer).passed
