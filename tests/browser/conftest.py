"""One JupyterLab server and one Chromium for a worker; a fresh page, folder and settings for each test.

Fixtures:
    jupyter (session): `server.Jupyter`, a server on 127.0.0.1 with folders and a token of its own.
    browser (session): Playwright's handle on the system's Chromium, which can resolve no host name.
    folder: the server's root, emptied. Write notebooks there before `lab.open()`.
    course: `folder` with the shipped course laid out.
    lab: `lab.Lab`, a page at 1400 x 900. `lab.open(...)` loads JupyterLab with the settings, theme, locale,
        width or disabled plugins asked for. When the test ends, an error on the console or a request that
        leaves 127.0.0.1 fails it, and every kernel is shut down. `lab.tolerate(text)` names an error that
        the test provokes on purpose.

`lab.screenshot("name")` writes `build/screenshots/name.png`. All tests here carry the marker `browser`.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.lab import Lab
from tests.browser.server import Jupyter
from torchloupe.course import layout

HERE = Path(__file__).parent
TIMEOUT_MS = 30_000
"""For what a person would wait for on a busy machine; nothing waits longer than it must."""
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def jupyter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Jupyter]:
    with Jupyter.started(tmp_path_factory.mktemp("jupyter")) as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert chromium, "the browser tests need Chromium; on Debian: apt install chromium fonts-noto-cjk"
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield running
        running.close()


@pytest.fixture
def folder(jupyter: Jupyter) -> Path:
    jupyter.clear()
    return jupyter.root


@pytest.fixture
def course(folder: Path) -> Path:
    layout.lay_out(folder)
    return folder


@pytest.fixture
def lab(jupyter: Jupyter, browser: Browser, folder: Path) -> Iterator[Lab]:
    context = browser.new_context(viewport={"width": 1400, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(TIMEOUT_MS)
    expect.set_options(timeout=TIMEOUT_MS)
    opened = Lab(page, jupyter)
    yield opened
    context.close()
    jupyter.stop_kernels()
    opened.check_guards()
