"""No sentence of the extension lacks a translation."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

REPO = Path(__file__).parents[2]
SOURCES = sorted((REPO / "extension" / "src").rglob("*.ts*"))
WORDS = json.loads((REPO / "extension" / "src" / "words.json").read_text("utf-8"))
LOCALE_FILE = REPO / "widgets" / "torchloupe" / "locale" / "zh_CN" / "LC_MESSAGES" / "torchloupe.json"
LOCALE = json.loads(LOCALE_FILE.read_text("utf-8"))
CHINESE = re.compile(r"[\u4e00-\u9fff]")
SLOT = re.compile(r"\{(\w+)")
# Names stand alone in both languages.
NAMES = {"Torchloupe"}


@pytest.mark.parametrize("id", WORDS)
def test_entry_has_both_languages_with_the_same_slots(id: str) -> None:
    entry = WORDS[id]
    assert set(entry) == {"en", "zh-CN"}
    assert not CHINESE.search(entry["en"])
    assert CHINESE.search(entry["zh-CN"]) or entry["zh-CN"] in NAMES
    assert set(SLOT.findall(entry["en"])) == set(SLOT.findall(entry["zh-CN"]))


def test_entries_are_sorted_and_all_used() -> None:
    assert list(WORDS) == sorted(WORDS)
    code = "\n".join(source.read_text("utf-8") for source in SOURCES)
    assert [id for id in WORDS if f'"{id}"' not in code] == []


def test_locale_file_is_one_jupyterlab_reads() -> None:
    assert LOCALE[""]["language"] == "zh-CN"
    assert LOCALE[""]["domain"] == "torchloupe"
    assert LOCALE[""]["plural_forms"] == "nplurals=1; plural=0;"


def test_every_label_is_translated_and_no_translation_is_left_over() -> None:
    asked = set(code_labels()) | set(schema_labels())
    translated = set(LOCALE) - {""}
    assert asked - translated == set(), "labels without a translation"
    assert translated - asked == set(), "translations without a label"
    for text, translations in LOCALE.items():
        if text and text.split("\u0004")[-1] not in NAMES:
            assert CHINESE.search(translations[0]), text


def code_labels() -> list[str]:
    """What the code asks the translator for."""
    call = re.compile(r"\b__\(\s*\"([^\"]+)\"")
    return [text for source in SOURCES for text in call.findall(source.read_text("utf-8"))]


def schema_labels() -> list[str]:
    """What JupyterLab translates of a settings schema, by the selectors of jupyterlab-server."""
    found: list[str] = []
    for file in sorted((REPO / "extension" / "schema").glob("*.json")):
        schema = json.loads(file.read_text("utf-8"))
        found += [f"schema\u0004{schema[key]}" for key in ("title", "description")]
        found += [f"settings\u0004{schema['jupyter.lab.setting-icon-label']}"]
        for part in schema["properties"].values():
            found += [f"settings\u0004{part[key]}" for key in ("title", "description")]
        for menu in schema.get("jupyter.lab.menus", {}).get("main", []):
            found += [f"menu\u0004{label}" for label in _submenus(menu)]
    return found


def _submenus(menu: dict[str, Any]) -> list[str]:
    items = menu.get("items", []) + menu.get("submenu", {}).get("items", [])
    own = [menu["submenu"]["label"]] if "submenu" in menu else []
    return own + [label for item in items for label in _submenus(item)]
