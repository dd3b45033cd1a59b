"""Curves against closed forms."""

import math

import pytest
import torch

from torchloupe.core import language
from torchloupe.course.curves import curve


def test_samples_are_the_functions_own():
    drawn = curve(lambda x: x**2 + 3 * x + 1, -5, 4, at=2.0)
    for x, value, slope in zip(drawn.x, drawn.value, drawn.slope, strict=True):
        assert value == pytest.approx(x * x + 3 * x + 1)
        assert slope == pytest.approx(2 * x + 3)
    assert (drawn.value_at, drawn.slope_at) == (11.0, 7.0)
    assert (drawn.x[0], drawn.x[-1]) == (-5.0, 4.0)


def test_text_says_the_point_in_both_languages():
    drawn = curve(torch.sin, 0, 3, at=0.0)
    assert str(drawn).endswith("At x = 0 the value is 0 and the slope 1.")
    with language.worded_in("zh-CN"):
        assert "斜率为 1" in str(drawn)


@pytest.mark.parametrize("function", [torch.log, torch.round, lambda x: x * 0, lambda x: 1 / x])
def test_gaps_jumps_and_flats_have_a_picture(function):
    drawn = curve(function, -2, 2, at=1.0)
    svg = drawn.picture().svg()
    assert "nan" not in svg and "inf" not in svg
    assert drawn.picture().png().startswith(b"\x89PNG")


def test_values_outside_the_domain_stay_what_pytorch_says():
    drawn = curve(torch.sqrt, -1, 1)
    assert math.isnan(drawn.value[0]) and math.isnan(drawn.value_at)
    assert drawn.value[-1] == 1.0


def test_the_rng_and_the_persons_grad_mode_do_not_matter():
    before = torch.get_rng_state()
    with torch.no_grad():
        assert curve(lambda x: x**3, 0, 2, at=1.0).slope_at == 3.0
    assert torch.equal(before, torch.get_rng_state())


def test_an_empty_range_is_refused():
    with pytest.raises(ValueError, match="low is 2, high is 2"):
        curve(torch.sin, 2, 2)
