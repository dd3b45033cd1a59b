"""Open lenses look again after each cell, and trouble in one is nobody else's."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest
from IPython.core.interactiveshell import InteractiveShell

from tests.core.tiny import TinyLens, Wire, wire
from torchloupe.core import watch


@pytest.fixture
def shell(wires: list[Wire], monkeypatch: pytest.MonkeyPatch) -> Iterator[InteractiveShell]:
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    monkeypatch.setattr(watch, "_listening", False)
    yield shell
    InteractiveShell.clear_instance()


def run(shell: InteractiveShell, cell: str = "1") -> None:
    shell.run_cell(cell).raise_error()


def test_a_lens_looks_again_after_each_cell(shell: InteractiveShell) -> None:
    lens = TinyLens()
    for number in range(1, 4):
        run(shell)
        assert lens.looked == number


def test_a_lens_looks_again_after_a_cell_that_failed(shell: InteractiveShell) -> None:
    lens = TinyLens()
    with pytest.raises(ZeroDivisionError):
        run(shell, "1 / 0")
    assert lens.looked == 1


def test_a_lens_made_in_a_cell_is_watched(shell: InteractiveShell) -> None:
    run(shell, "from tests.core.tiny import TinyLens\nlens = TinyLens()")
    run(shell, "seen = lens.looked")
    run(shell, "seen = lens.looked")
    assert shell.user_ns["seen"] >= 1


def test_many_lenses_register_once(shell: InteractiveShell) -> None:
    for _ in range(5):
        TinyLens()
    assert shell.events.callbacks["post_run_cell"].count(watch._after_cell) == 1


def test_a_closed_lens_looks_no_more(shell: InteractiveShell) -> None:
    lens = TinyLens()
    run(shell)
    lens.close()
    run(shell)
    assert lens.looked == 1


def test_watching_keeps_no_lens_alive(shell: InteractiveShell) -> None:
    class Plain:
        def look_again(self) -> None: ...

    lens = Plain()
    watch.add(lens)
    gone = weakref.ref(lens)
    del lens
    gc.collect()
    assert gone() is None
    run(shell)


def test_a_refresh_that_raises_stays_in_its_lens(
    shell: InteractiveShell, capfd: pytest.CaptureFixture[str]
) -> None:
    class Broken(TinyLens):
        def refresh(self) -> None:
            raise RuntimeError("cannot look")

    lenses = [TinyLens(), Broken(), TinyLens()]
    run(shell, "x = 41 + 1;")
    assert shell.user_ns["x"] == 42
    assert capfd.readouterr() == ("", "")
    assert [lens.looked for lens in lenses] == [1, 0, 1]
    assert wire(lenses[1]).replies == [{"type": "fault", "text": "RuntimeError: cannot look"}]


def test_outside_a_shell_nothing_listens(wires: list[Wire], monkeypatch: pytest.MonkeyPatch) -> None:
    InteractiveShell.clear_instance()
    monkeypatch.setattr(watch, "_listening", False)
    TinyLens()
    assert not watch._listening
