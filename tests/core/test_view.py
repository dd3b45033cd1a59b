"""Where the built view of a room comes from."""

from __future__ import annotations

from pathlib import Path

import pytest

from torchloupe.core.view import SCRIPT, built


def test_a_view_is_its_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANYWIDGET_HMR", raising=False)
    (tmp_path / SCRIPT).write_text("export default {} // 中文", "utf-8")
    assert built(str(tmp_path / "lens.py"), SCRIPT) == "export default {} // 中文"


@pytest.mark.parametrize(("value", "kind"), [("1", Path), ("0", str), ("", str)])
def test_only_hot_reload_gets_a_path_to_watch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str, kind: type
) -> None:
    monkeypatch.setenv("ANYWIDGET_HMR", value)
    (tmp_path / SCRIPT).write_text("", "utf-8")
    assert isinstance(built(str(tmp_path / "lens.py"), SCRIPT), kind)


def test_a_view_that_was_not_built_says_what_builds_it(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"view\.js is missing: run `make build`"):
        built(str(tmp_path / "lens.py"), SCRIPT)
