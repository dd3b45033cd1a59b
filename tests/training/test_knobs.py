"""Knobs against PyTorch's own schedulers: what a turned learning rate does to every rate after it."""

import math
from fractions import Fraction

import pytest
import torch
from torch.optim import lr_scheduler as schedules

from torchloupe.training.run import Run


def optimizer(*rates, kind=torch.optim.SGD, **keywords):
    groups = [{"params": [torch.nn.Parameter(torch.ones(1))], "lr": rate} for rate in rates]
    return kind(groups, **keywords)


def stepped(run, knob, turns, steps):
    """The values in effect in each step, with turns asked for in the step before."""
    seen = []
    for step in run.loop(range(steps)):
        seen.append(float(knob))
        if step in turns:
            run.orders.set_knob(knob.name, turns[step])
    return seen


def test_a_knob_of_ones_own_changes_at_the_next_step_and_is_marked(tmp_path):
    run = Run("r", tmp_path)
    knob = run.knob("dropout", 0.1, low=0, high=0.9)
    assert stepped(run, knob, {1: 0.5, 3: 0.25}, 6) == [0.1, 0.1, 0.5, 0.5, 0.25, 0.25]
    assert knob.history == [(0, 0.1), (2, 0.5), (4, 0.25)]
    flags = [(flag.kind, flag.step, flag.sentence.args) for flag in run.branch.flags]
    assert flags == [
        ("knob", 2, {"name": "dropout", "old": "0.1", "new": "0.5"}),
        ("knob", 4, {"name": "dropout", "old": "0.5", "new": "0.25"}),
    ]
    assert (knob.low, knob.high, repr(knob)) == (0, 0.9, "dropout = 0.25")
    assert run.knob("dropout") is knob and run.knob("dropout", 0.7) is knob and knob.value == 0.7


def test_groups_keep_their_ratio(tmp_path):
    adam = optimizer(1e-3, 1e-4, 5e-3, kind=torch.optim.Adam, weight_decay=0.1)
    run = Run("r", tmp_path, optimizer=adam)
    knob, decay = run.knob("lr"), run.knob("weight_decay")
    assert (knob.value, decay.value) == (1e-3, 0.1)
    stepped(run, knob, {0: 2e-3}, 2)
    assert [group["lr"] for group in adam.param_groups] == pytest.approx([2e-3, 2e-4, 1e-2], rel=1e-12)
    run.turn("lr", 0.0)
    assert [group["lr"] for group in adam.param_groups] == [0, 0, 0]
    run.turn("lr", 1e-3)
    run.turn("weight_decay", 0.3)
    assert [(group["lr"], group["weight_decay"]) for group in adam.param_groups] == [(1e-3, 0.3)] * 3


def test_a_value_given_at_once_is_written(tmp_path):
    sgd = optimizer(1e-3, 1e-4)
    run = Run("r", tmp_path, optimizer=sgd)
    assert run.knob("lr", 1e-2).value == 1e-2
    assert [group["lr"] for group in sgd.param_groups] == pytest.approx([1e-2, 1e-3])


def test_a_rate_in_a_tensor_is_written_in_place(tmp_path):
    sgd = optimizer(torch.tensor(0.1, dtype=torch.float64))
    rate = sgd.param_groups[0]["lr"]
    run = Run("r", tmp_path, optimizer=sgd)
    knob = run.knob("lr")
    run.turn("lr", 0.5)
    assert rate.item() == knob.value == 0.5 and sgd.param_groups[0]["lr"] is rate


def test_a_key_that_is_no_number_is_a_knob_of_ones_own(tmp_path):
    adam = optimizer(1e-3, kind=torch.optim.Adam)
    run = Run("r", tmp_path, optimizer=adam)
    run.knob("betas", 0.5)
    run.knob("amsgrad", 1.0)
    run.turn("betas", 0.7)
    assert adam.param_groups[0]["betas"] == (0.9, 0.999) and adam.param_groups[0]["amsgrad"] is False


SCHEDULES = {
    "StepLR": lambda o: schedules.StepLR(o, 3, gamma=0.5),
    "ExponentialLR": lambda o: schedules.ExponentialLR(o, 0.9),
    "LambdaLR": lambda o: schedules.LambdaLR(o, lambda step: 1 / (1 + step)),
    "CosineAnnealingLR": lambda o: schedules.CosineAnnealingLR(o, 10, eta_min=0.01),
    "CosineAnnealingWarmRestarts": lambda o: schedules.CosineAnnealingWarmRestarts(o, 4, eta_min=0.01),
    "OneCycleLR": lambda o: schedules.OneCycleLR(o, max_lr=0.4, total_steps=12),
    "CyclicLR": lambda o: schedules.CyclicLR(o, 0.1, 0.4, step_size_up=3, cycle_momentum=False),
    "PolynomialLR": lambda o: schedules.PolynomialLR(o, 10),
    "ConstantLR": lambda o: schedules.ConstantLR(o, 0.5, 4),
    "SequentialLR": lambda o: schedules.SequentialLR(
        o, [schedules.LinearLR(o, 0.1, total_iters=3), schedules.ExponentialLR(o, 0.9)], [3]
    ),
    "ChainedScheduler": lambda o: schedules.ChainedScheduler(
        [schedules.LinearLR(o, 0.1, total_iters=3), schedules.ExponentialLR(o, 0.9)]
    ),
}


@pytest.mark.filterwarnings("ignore:.*lr_scheduler.step.*")
@pytest.mark.filterwarnings("ignore:The epoch parameter")
@pytest.mark.parametrize("name", SCHEDULES)
def test_with_a_scheduler_every_later_rate_is_scaled(tmp_path, name):
    def rates(turn):
        sgd = optimizer(0.2, 0.02)
        scheduler = SCHEDULES[name](sgd)
        run = Run(None, tmp_path, optimizer=sgd, scheduler=scheduler)
        knob, seen = run.knob("lr"), []
        for step in run.loop(range(10)):
            if step == 4 and turn:
                run.turn("lr", float(knob) * 3)
            seen.append([group["lr"] for group in sgd.param_groups])
            sgd.step()
            scheduler.step()
        run.close()
        return torch.tensor(seen, dtype=torch.float64), [flag.sentence.id for flag in run.branch.flags]

    (plain, _), (turned, flags) = rates(False), rates(True)
    assert torch.equal(turned[:4], plain[:4])
    assert torch.allclose(turned[4:], plain[4:] * 3, rtol=1e-9)
    assert flags == ["flag.knob_scheduler"]


@pytest.mark.parametrize(
    ("arguments", "keywords", "error", "words"),
    [
        ((3, 1.0), {}, TypeError, "name"),
        (("", 1.0), {}, TypeError, "name"),
        (("x",), {}, TypeError, "NoneType"),
        (("x", "1"), {}, TypeError, "str"),
        (("x", True), {}, TypeError, "bool"),
        (("x", math.nan), {}, ValueError, "nan"),
        (("x", 0.0), {"log": True}, ValueError, "above 0"),
        (("x", 1.0), {"log": True, "low": 0}, ValueError, "above 0"),
        (("x", 1.0), {"low": 2, "high": 1}, ValueError, "below high"),
        (("x", 1.0), {"high": math.inf}, ValueError, "inf"),
    ],
)
def test_what_cannot_be_turned_is_refused(tmp_path, arguments, keywords, error, words):
    run = Run("r", tmp_path)
    with pytest.raises(error, match=words):
        run.knob(*arguments, **keywords)
    assert run.knobs == {}


def test_a_range_is_reckoned_where_none_is_given(tmp_path):
    run = Run("r", tmp_path)
    logarithmic, plain, negative = (
        run.knob("a", 1e-3, log=True),
        run.knob("b", Fraction(1, 2)),
        run.knob("c", -2),
    )
    assert (logarithmic.low, logarithmic.high) == (pytest.approx(1e-5), pytest.approx(0.1))
    for knob in (logarithmic, plain, negative):
        assert knob.low <= knob.value <= knob.high


def test_a_value_for_no_knob_ends_nothing(tmp_path):
    run = Run("r", tmp_path)
    run.knob("p", 1.0, log=True)
    for _ in run.loop(range(3)):
        for name, value, error in (
            ("nobody", 3.0, KeyError),
            ("p", math.nan, ValueError),
            ("p", 0.0, ValueError),
            ("p", "x", TypeError),
        ):
            with pytest.raises(error):
                run.orders.set_knob(name, value)
    assert run.state == "finished" and run.knobs["p"].history == [(0, 1.0)]
