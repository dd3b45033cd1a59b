"""Sentences: slots, plural forms, ids."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from torchloupe.core import language
from torchloupe.core.words import Sentence, Words, fill, sentence_ids

CASES = json.loads(Path(__file__).with_name("fill_cases.json").read_text("utf-8"))
words = Words("tests.core")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["template"])
def test_fill_gives_what_both_twins_agreed_on(case: dict) -> None:
    if case["filled"] is None:
        with pytest.raises(KeyError):
            fill(case["template"], case["args"])
    else:
        assert fill(case["template"], case["args"]) == case["filled"]


@given(first=st.text(), second=st.text())
def test_no_argument_is_ever_read_as_a_template(first: str, second: str) -> None:
    assert fill("{a}/{b}", {"a": first, "b": second}) == f"{first}/{second}"


def test_words_follow_the_language_in_force() -> None:
    assert words("tiny.count", n=1, name="x") == "1 cell of x"
    language.language("zh-CN")
    assert words("tiny.count", n=1, name="x") == "x 的 1 个单元"
    assert words.say(Sentence("tiny.count", {"n": 2, "name": "x"})) == "x 的 2 个单元"


def test_an_unknown_id_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        words("tiny.none")
    with pytest.raises(KeyError):
        words.entries({"tiny.none"})


def test_entries_hold_every_language() -> None:
    assert words.entries({"tiny.title"}) == {"tiny.title": {"en": "tiny lens", "zh-CN": "小透镜"}}


def test_sentence_ids_are_found_at_any_depth() -> None:
    @dataclasses.dataclass(frozen=True)
    class State:
        one: Sentence
        many: list[Sentence]
        deep: dict[str, tuple[Sentence, ...]]
        none: Sentence | None = None
        id: str = "not a sentence"
        args: tuple[int, ...] = (1,)

    state = State(
        Sentence("a"), [Sentence("b"), Sentence("b", {"id": "no", "n": 1})], {"x": (Sentence("c"),)}
    )
    assert sentence_ids(dataclasses.asdict(state)) == {"a", "b", "c"}
    assert sentence_ids(dataclasses.asdict(Sentence("d"))) == {"d"}
    assert sentence_ids("text") == sentence_ids(None) == set()
