"""What core keeps for the whole process is as new for each test."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import comm
import pytest
from ipywidgets.widgets import widget

from tests.core.tiny import Wire
from torchloupe.core import language, watch


@pytest.fixture(autouse=True)
def _own_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "_chosen", None)
    monkeypatch.setattr(language, "_reported", None)
    monkeypatch.delenv("TORCHLOUPE_LANG", raising=False)
    monkeypatch.delenv("LANG", raising=False)


@pytest.fixture
def wires(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Wire]]:
    """The comms of the widgets a test makes, which are closed after it."""
    made: list[Wire] = []

    def create(*args: object, **keywords: object) -> Wire:
        made.append(Wire(*args, **keywords))
        return made[-1]

    monkeypatch.setattr(comm, "create_comm", create)
    before = set(widget._instances)
    yield made
    for made_here in [one for id, one in widget._instances.items() if id not in before]:
        made_here.close()
    gc.collect()
    for lens in list(watch._watched):
        watch.remove(lens)
