"""The browser of the measures, and marks that tell when a page was ready."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.bench.machine import chromium
from tests.browser.conftest import FLAGS
from tests.browser.lab import Lab
from tests.browser.server import Jupyter

RESTORED = "bench:restored"

# JupyterLab puts itself on the window right after it began to start.
_MARK_RESTORED = f"""
let app;
Object.defineProperty(window, "jupyterapp", {{
  get: () => app,
  set: (value) => {{
    app = value;
    app.restored.then(() => performance.mark("{RESTORED}"));
  }},
}});
"""


class Bare(Jupyter):
    """A server with all front end extensions but Torchloupe's.

    Disabling its plugins would not do: JupyterLab loads the script of a disabled extension all the same.
    """

    def _options(self) -> list[str]:
        from jupyter_core.paths import jupyter_path

        folder = self.home / "labextensions"
        folder.mkdir(exist_ok=True)
        found: dict[str, Path] = {}
        for known in jupyter_path("labextensions"):
            for path in sorted(Path(known).glob("*")):
                found.setdefault(path.name, path)
        for name, path in found.items():
            if name != "torchloupe" and not (folder / name).exists():
                (folder / name).symlink_to(path.resolve())
        return [*super()._options(), f"--LabApp.labextensions_path={folder}"]


@contextmanager
def served(kind: type[Jupyter] = Jupyter) -> Iterator[Jupyter]:
    """A JupyterLab server with folders of its own."""
    with tempfile.TemporaryDirectory(prefix="torchloupe-bench-") as home, kind.started(Path(home)) as jupyter:
        yield jupyter


@contextmanager
def browsing() -> Iterator[Browser]:
    """Chromium without a window.

    Raises:
        FileNotFoundError: if there is none.
    """
    path = chromium()
    if path is None:
        raise FileNotFoundError("this measure needs Chromium; on Debian: apt install chromium")
    with ExitStack() as stack:
        playwright = stack.enter_context(sync_playwright())
        yield stack.enter_context(playwright.chromium.launch(executable_path=path, args=FLAGS))


@contextmanager
def fresh_page(browser: Browser, jupyter: Jupyter) -> Iterator[Lab]:
    """A page with an empty cache, in which `RESTORED` will be marked."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    try:
        page = context.new_page()
        page.set_default_timeout(120_000)
        page.add_init_script(_MARK_RESTORED)
        yield Lab(page, jupyter)
    finally:
        context.close()
