"""Each room's `state.ts` says what its `state.py` says."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType

import pytest

from torchloupe.core import schema


@pytest.mark.parametrize("room", schema.rooms())
def test_state_ts_is_current(room: str) -> None:
    written = (schema.PACKAGE / room / "state.ts").read_text("utf-8")
    assert written == schema.typescript(room), "state.ts is stale: run `make state`"


def test_every_room_with_a_view_describes_its_state() -> None:
    assert schema.rooms() == sorted(view.parent.name for view in schema.PACKAGE.glob("*/view.ts"))


def test_every_field_is_required_and_no_property_keeps_a_title() -> None:
    @dataclass(frozen=True)
    class Frame:
        size: int
        name: str = "x"

    module = ModuleType("room")
    module.__dict__.update(Frame=Frame)
    module.__file__ = __file__
    described = schema.schema(module)
    assert described["required"] == ["size", "name"]
    assert described["properties"] == {
        "size": {"type": "integer"},
        "name": {"default": "x", "type": "string"},
    }
