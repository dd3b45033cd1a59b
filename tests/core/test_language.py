"""One language: by hand, else the view's, else the environment's, else English."""

from __future__ import annotations

import threading

import pytest

import torchloupe
from torchloupe.core import language


@pytest.mark.parametrize(
    ("tag", "meant"),
    [
        ("en", "en"),
        ("en_GB.UTF-8", "en"),
        ("zh", "zh-CN"),
        ("zh_CN.UTF-8", "zh-CN"),
        ("zh-Hans", "zh-CN"),
        ("ZH-cn", "zh-CN"),
        ("zh.UTF-8", "zh-CN"),
        ("C", None),
        ("C.UTF-8", None),
        ("", None),
        ("fr-FR", None),
        ("zhx", None),
    ],
)
def test_a_tag_is_read_by_its_primary_part(tag: str, meant: str | None) -> None:
    assert language.parse(tag) == meant


def test_each_source_yields_to_the_one_above_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert language.current() == "en"
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert language.current() == "zh-CN"
    monkeypatch.setenv("TORCHLOUPE_LANG", "en")
    assert language.current() == "en"
    language.report("zh-Hans-CN")
    assert language.current() == "zh-CN"
    assert language.language("en") == "en"
    assert language.current() == "en"
    assert language.language("auto") == "zh-CN"


def test_an_environment_that_names_another_language_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCHLOUPE_LANG", "fr")
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert language.current() == "zh-CN"


def test_a_report_in_another_language_changes_nothing() -> None:
    language.report("zh-CN")
    language.report("fr-FR")
    assert language.current() == "zh-CN"


def test_reading_changes_nothing() -> None:
    language.language("zh-CN")
    assert language.language() == "zh-CN" == torchloupe.language()


@pytest.mark.parametrize("tag", ["fr", "zh", "zh_CN", "EN", ""])
def test_setting_what_we_do_not_have_is_refused_and_keeps_the_old(tag: str) -> None:
    language.language("zh-CN")
    with pytest.raises(ValueError, match=repr(tag)):
        language.language(tag)
    assert language.current() == "zh-CN"


def test_worded_in_nests_and_gives_back_after_an_error() -> None:
    language.language("zh-CN")

    def fail_inside() -> None:
        with language.worded_in("en"):
            with language.worded_in("zh-CN"):
                assert language.current() == "zh-CN"
            assert language.current() == "en"
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_inside()
    assert language.current() == "zh-CN"


def test_worded_in_is_for_its_own_thread_only() -> None:
    heard: list[str] = []
    with language.worded_in("zh-CN"):
        thread = threading.Thread(target=lambda: heard.append(language.current()))
        thread.start()
        thread.join()
    assert heard == ["en"]
