"""The file with which the view's model is tested says what the kernel says now."""

from __future__ import annotations

import json

import pytest

from .first_twins import FILE, records, told

TWINS = json.loads(FILE.read_text("utf-8"))


@pytest.mark.parametrize("name", TWINS)
def test_the_file_is_fresh(name: str) -> None:
    assert json.loads(json.dumps(told(records()[name]))) == TWINS[name]
