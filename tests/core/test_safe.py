"""Text from outside becomes one visible line."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from torchloupe.core.safe import one_line


@given(st.text(st.characters()), st.integers(1, 60))
def test_whatever_comes_is_one_short_visible_line(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert len(line) <= limit
    assert not [c for c in line if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}]
    assert line == " ".join(line.split())
    line.encode("utf-8")


@given(st.text(st.characters(categories=["L", "Nd", "P", "S"]), max_size=40))
def test_what_is_fit_already_stays_as_it_is(text: str) -> None:
    assert one_line(text, 40) == text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\nb\t c\r\n", "a b c"),
        ("x\x1b[31mred", "x[31mred"),
        ("user\u202egnp.exe", "usergnp.exe"),
        ("a\u2066b\u2069", "ab"),
        ("a\u200bb\ufeff", "ab"),
        ("a\u2028b\u2029c", "a b c"),
        ("\x00 a", "a"),
        ("a \u200b b", "a b"),
        ("\ud800a", "a"),
        ("<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"),
        ("张量 x", "张量 x"),
        (None, "None"),
        (3, "3"),
    ],
)
def test_known_texts(text: object, line: str) -> None:
    assert one_line(text) == line


def test_a_long_text_ends_in_an_ellipsis() -> None:
    assert one_line("abcdef", 4) == "abc…"
    assert one_line("abcd", 4) == "abcd"
    assert one_line("x" * 10_000_000, 5) == "xxxx…"


class Raising:
    def __str__(self) -> str:
        raise RuntimeError("no")


class NotText:
    def __str__(self) -> str:
        return 3  # type: ignore[return-value]


@pytest.mark.parametrize("kind", [Raising, NotText])
def test_an_object_without_words_is_shown_by_its_type(kind: type) -> None:
    assert one_line(kind()) == f"<{kind.__name__}>"
