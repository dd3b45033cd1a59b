"""The data colours: one definition, enough contrast in each theme, and a ramp mixed as browsers mix it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core import colour
from torchloupe.core import palette

THEMES = ["light", "dark"]
TEXT = ["1", "2", "3", "4", "5", "ink", "ink2", "view", "refused", "held", "here"]
SYSTEM = {
    "Canvas", "CanvasText", "Highlight", "HighlightText", "LinkText", "ButtonText", "GrayText", "Mark",
}  # fmt: skip
WARM = [f"warm{step}" for step in range(7)]


@pytest.fixture(scope="module")
def tokens() -> dict[str, dict[str, str]]:
    return colour.blocks()


def test_python_reads_the_light_block(tokens: dict[str, dict[str, str]]) -> None:
    assert palette.light() == {
        name: value for name, value in tokens["light"].items() if value.startswith("#")
    }
    assert len(palette.light()) == len(tokens["light"]) - 1


def test_every_theme_defines_every_colour(tokens: dict[str, dict[str, str]]) -> None:
    light, dark, forced = (set(tokens[theme]) for theme in ("light", "dark", "forced"))
    assert light - dark == light - forced == {"focus"}, "the focus ring is JupyterLab's own in each theme"
    assert dark - light == forced - light == set()


def test_forced_colours_are_the_systems(tokens: dict[str, dict[str, str]]) -> None:
    assert set(tokens["forced"].values()) <= SYSTEM


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("token", TEXT)
def test_text_is_readable(tokens: dict[str, dict[str, str]], theme: str, token: str) -> None:
    own = tokens[theme]
    fields = ["paper", "field", "ramp0", *([f"{token}-field"] if f"{token}-field" in own else [])]
    assert {
        field: ratio for field in fields if (ratio := colour.contrast(own[token], own[field])) < 4.5
    } == {}


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("hue", ["1", "2", "3", "4", "5"])
def test_text_on_a_hue_is_readable(tokens: dict[str, dict[str, str]], theme: str, hue: str) -> None:
    assert colour.contrast(tokens[theme]["on"], tokens[theme][hue]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_values_are_readable_all_along_the_ramp(tokens: dict[str, dict[str, str]], theme: str) -> None:
    low, high = (colour.oklab(tokens[theme][name]) for name in ("ramp0", "ramp1"))
    for place in np.linspace(0, 1, 21):
        mixed = "#" + "".join(
            f"{round(channel):02x}" for channel in colour.from_oklab(low + (high - low) * place)
        )
        assert colour.contrast(tokens[theme]["ink"], mixed) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_edges_are_seen(tokens: dict[str, dict[str, str]], theme: str) -> None:
    """WCAG 1.4.11: a boundary that carries meaning."""
    assert colour.contrast(tokens[theme]["edge"], tokens[theme]["paper"]) >= 3


@pytest.mark.parametrize("theme", THEMES)
def test_a_warm_step_differs_from_the_next_in_lightness(
    tokens: dict[str, dict[str, str]], theme: str
) -> None:
    """More gradient is more ink on light paper and more light on dark; hue carries nothing."""
    lightness = [colour.oklab(tokens[theme][step])[0] for step in WARM]
    steps = np.diff(lightness) * (-1 if theme == "light" else 1)
    assert steps.min() >= 0.045


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("sight", [None, *colour.BLINDNESS])
def test_warm_steps_and_blue_are_told_apart_without_colour_sight(
    tokens: dict[str, dict[str, str]], theme: str, sight: str | None
) -> None:
    own = {name: colour.seen(tokens[theme][name], sight) for name in [*WARM, "warm-line", "here"]}
    steps = [own[step] for step in WARM]
    assert min(float(np.linalg.norm(b - a)) for a, b in pairwise(steps)) >= 0.045
    assert float(np.linalg.norm(own["warm-line"] - own["here"])) >= 0.1


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("step", WARM)
def test_a_number_on_a_warm_step_is_readable(
    tokens: dict[str, dict[str, str]], theme: str, step: str
) -> None:
    own = tokens[theme]
    assert max(colour.contrast(own[text], own[step]) for text in ("ink", "paper")) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_the_look_of_a_gradient_and_of_a_place_is_seen(tokens: dict[str, dict[str, str]], theme: str) -> None:
    own = tokens[theme]
    grounds = [own["paper"], own["field"]]
    assert min(colour.contrast(own["warm-line"], ground) for ground in grounds) >= 3
    assert min(colour.contrast(own["warm-ink"], ground) for ground in [*grounds, own["warm-field"]]) >= 4.5
    assert min(colour.contrast(own["done"], ground) for ground in grounds) >= 4.5
    assert min(colour.contrast(own["on"], own[badge]) for badge in ("done", "here")) >= 4.5
    assert colour.contrast(own["ink"], own["here-field"]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_hues_are_told_apart(tokens: dict[str, dict[str, str]], theme: str) -> None:
    hues = [colour.oklab(tokens[theme][str(number)]) for number in range(1, 6)]
    distances = [float(np.linalg.norm(a - b)) for at, a in enumerate(hues) for b in hues[at + 1 :]]
    assert min(distances) > 0.1


def test_the_sixth_tensor_takes_the_first_hue() -> None:
    assert [palette.hue(index) for index in range(5)] == [
        palette.light()[str(number)] for number in range(1, 6)
    ]
    assert palette.hue(5) == palette.hue(0)


@given(st.floats(0, 1))
def test_the_ramp_is_mixed_in_oklab(place: float) -> None:
    low, high = colour.oklab(palette.light()["ramp0"]), colour.oklab(palette.light()["ramp1"])
    exact = colour.from_oklab(low + (high - low) * place)
    assert np.abs(colour.channels(palette.ramp(place)) - exact).max() <= 0.75


@pytest.mark.parametrize(("place", "token"), [(0, "ramp0"), (1, "ramp1"), (-3, "ramp0"), (7, "ramp1")])
def test_the_ramp_ends_where_the_tokens_are(place: float, token: str) -> None:
    assert palette.ramp(place) == palette.light()[token]


RUNS = ["run1", "run2", "run3", "run4"]
APART = {
    "light": {"protanopia": 30, "deuteranopia": 30, "tritanopia": 13},
    "dark": {"protanopia": 26, "deuteranopia": 26, "tritanopia": 19},
}


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("token", [*RUNS, "wait"])
def test_a_run_can_be_named_in_its_colour(tokens: dict[str, dict[str, str]], theme: str, token: str) -> None:
    assert colour.contrast(tokens[theme][token], tokens[theme]["paper"]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("blindness", colour.BLINDNESS)
def test_runs_are_told_apart_by_everyone(
    tokens: dict[str, dict[str, str]], theme: str, blindness: str
) -> None:
    seen = [colour.seen_with(blindness, tokens[theme][run]) for run in RUNS]
    distances = [float(np.linalg.norm(a - b)) for at, a in enumerate(seen) for b in seen[at + 1 :]]
    assert min(distances) >= APART[theme][blindness]


@pytest.mark.parametrize("theme", THEMES)
def test_the_strip_is_loudest_at_both_ends(tokens: dict[str, dict[str, str]], theme: str) -> None:
    own = tokens[theme]
    loud = [colour.contrast(own[f"strip{step}"], own["paper"]) for step in range(9)]
    assert loud[:5] == sorted(loud[:5], reverse=True), "a smaller norm is never quieter"
    # Faint amber stands out by its hue: the healthy grey has none.
    assert loud[5:] == sorted(loud[5:]), "a larger norm is never quieter"
    chroma = [float(np.hypot(*colour.oklab(own[f"strip{step}"])[1:])) for step in range(9)]
    assert chroma[4] < 0.01
    assert min(chroma[:4] + chroma[5:]) > 0.03
    assert loud[4] < 2


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("blindness", colour.BLINDNESS)
def test_vanishing_is_not_exploding(tokens: dict[str, dict[str, str]], theme: str, blindness: str) -> None:
    seen = [colour.seen_with(blindness, tokens[theme][f"strip{step}"]) for step in range(9)]
    distances = [float(np.linalg.norm(low - high)) for low in seen[:3] for high in seen[6:]]
    assert min(distances) >= 13
