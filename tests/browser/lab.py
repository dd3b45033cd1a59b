"""JupyterLab as a person meets it: open a page, run a notebook, look at what is visible."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import ConsoleMessage, Locator, Page, Request

from tests.browser.server import Jupyter

SHOTS = Path(__file__).parents[2] / "build" / "screenshots"
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}

# What the page's current notebook is; undefined while another kind of document is in front.
_PANEL = "window.jupyterapp.shell.currentWidget"
_CONNECTED = f"""() => {{
  const session = {_PANEL}?.sessionContext;
  const kernel = session?.session?.kernel;
  return session?.isReady && kernel?.connectionStatus === 'connected' && kernel.status === 'idle';
}}"""
_ALL_RUN = f"""() => [...{_PANEL}.content.model.cells].every((cell) =>
  cell.type !== 'code' || cell.sharedModel.getSource().trim() === ''
  || (cell.executionState === 'idle' && cell.executionCount !== null))"""
_STORED = """async (path) =>
  (await (await fetch('/lab/api/workspaces/default')).text()).includes(path)"""


class Lab:
    """One page of JupyterLab.

    Attributes:
        page: Playwright's page, for everything that has no method here.
        jupyter: the server behind it.
    """

    def __init__(self, page: Page, jupyter: Jupyter) -> None:
        self.page = page
        self.jupyter = jupyter
        self._errors: list[str] = []
        self._strayed: list[str] = []
        self._tolerated: list[str] = []
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self._errors.append(f"{error.name}: {error.message}"))
        page.on("request", self._watch)

    def open(
        self,
        path: str = "",
        *,
        theme: Literal["light", "dark"] = "light",
        locale: str = "en",
        width: int = 1400,
        disabled: tuple[str, ...] = (),
        settings: dict[str, dict[str, Any]] | None = None,
    ) -> Lab:
        """Load JupyterLab with a fresh layout, and open the document at `path` if one is named.

        Args:
            path: a file below the server's root.
            theme: JupyterLab's theme.
            locale: JupyterLab's own language, such as `zh_CN`.
            width: of the window, in CSS pixels.
            disabled: ids of plugins that are off, such as `torchloupe:lens`.
            settings: user settings by plugin id.
        """
        self.page.set_viewport_size({"width": width, "height": 900})
        self.jupyter.set("@jupyterlab/apputils-extension:themes", {"theme": THEMES[theme]})
        self.jupyter.set("@jupyterlab/translation-extension:plugin", {"locale": locale})
        for plugin, values in (settings or {}).items():
            self.jupyter.set(plugin, values)
        self.jupyter.disable(*disabled)
        self.page.goto(f"{self.jupyter.url}/lab?reset&token={self.jupyter.token}")
        self._ready()
        self.page.wait_for_function("() => !location.search.includes('reset')")
        if path:
            self.open_document(path)
        return self

    def reload(self) -> None:
        """Reload the page; the document in front and running kernels come back."""
        path = self.page.evaluate(f"() => {_PANEL}.context.path")
        # The layout is stored a moment after it changed; without it nothing would come back.
        self.page.wait_for_function(_STORED, arg=f":{path}", polling=100)
        self.page.reload()
        self._ready()
        self.page.wait_for_function(f"() => {_PANEL}?.context?.isReady")

    def open_document(self, path: str) -> None:
        """Open a file as the file browser would and wait until it is on the page."""
        self.page.evaluate("path => {window.jupyterapp.commands.execute('docmanager:open', {path})}", path)
        self.page.wait_for_function(
            f"path => {_PANEL}?.context?.path === path && {_PANEL}.context.isReady", arg=path
        )

    def open_chapter(self, title: str) -> None:
        """Open a chapter from the course panel by its title, in the language the panel shows."""
        self.page.get_by_role("treeitem", name=title).first.click()
        self.page.wait_for_function(f"() => {_PANEL}?.content?.model && {_PANEL}.context.isReady")

    def await_kernel(self) -> None:
        """Wait until the notebook's kernel is connected; running before that asks for a kernel."""
        self.page.wait_for_function(_CONNECTED)

    def run_all(self, timeout_s: float = 120) -> None:
        """Run every cell of the notebook in front and wait for the last."""
        self.await_kernel()
        # The promise is not awaited here: it has no timeout, the next line has.
        self.page.evaluate("() => {window.jupyterapp.commands.execute('notebook:run-all-cells')}")
        self.page.wait_for_function(_ALL_RUN, timeout=timeout_s * 1000)

    def restart_kernel(self) -> None:
        """Restart the notebook's kernel and wait until it is connected again."""
        # JupyterLab's own debugger asks the old kernel once more and complains that it is gone.
        self.tolerate("Could not restore the debugger state")
        # JupyterLab asks for a subshell for each kind of comm; a restart in that moment cancels the
        # request, which its comm handler reports as an error though the next kernel is asked again.
        self.tolerate("Canceled future for create_subshell_request")
        self.page.evaluate(f"() => {_PANEL}.sessionContext.restartKernel().then(() => undefined)")
        self.await_kernel()

    def save(self) -> None:
        """Save the document in front with Ctrl+S and wait until it is clean."""
        self.page.evaluate(f"() => {_PANEL}.context.save().then(() => undefined)")

    @property
    def dirty(self) -> bool:
        """Whether the document in front has unsaved changes."""
        return bool(self.page.evaluate(f"() => {_PANEL}.context.model.dirty"))

    @property
    def notebook(self) -> Locator:
        """The notebook in front."""
        return self.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook")

    def cell(self, text: str) -> Locator:
        """The visible cell that shows `text`."""
        return self.notebook.locator(".jp-Cell").filter(has_text=text).filter(visible=True)

    def text(self, text: str) -> Locator:
        """The visible words in the notebook's cells, for a click where nothing else is."""
        return self.notebook.locator(".jp-Cell").get_by_text(text).filter(visible=True).first

    def select(self, text: str) -> None:
        """Click a cell's text: the cell becomes the active one, in command mode when it is prose."""
        self.text(text).click()

    def course_panel(self) -> Locator:
        """The course panel at the left."""
        return self.page.get_by_role("region", name=re.compile("^(Course|课程)$"))

    def show_course(self) -> Locator:
        """Bring the course panel to the front, as a click on its tab does."""
        panel = self.course_panel()
        if not panel.is_visible():
            self.page.get_by_role("tab", name=re.compile("^(Course|课程)$")).click()
        panel.wait_for()
        return panel

    def screenshot(self, name: str) -> Path:
        """Write `build/screenshots/<name>.png`."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SHOTS / f"{name}.png")
        return SHOTS / f"{name}.png"

    def saved(self, path: str) -> dict[str, Any]:
        """A notebook as it stands on disk."""
        found: dict[str, Any] = json.loads((self.jupyter.root / path).read_text("utf-8"))
        return found

    def tolerate(self, text: str) -> None:
        """Expect console errors that contain `text`."""
        self._tolerated.append(text)

    def check_guards(self) -> None:
        """Fail on console errors and on requests that left this machine."""
        errors = [error for error in self._errors if not any(text in error for text in self._tolerated)]
        assert not errors, "console errors:\n" + "\n".join(errors)
        assert not self._strayed, f"requests left 127.0.0.1: {self._strayed}"

    def _ready(self) -> None:
        self.page.wait_for_function("() => window.jupyterapp?.restored", timeout=60_000)
        self.page.evaluate("() => window.jupyterapp.restored.then(() => undefined)")
        self.page.locator("#jupyterlab-splash").wait_for(state="detached")

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._errors.append(f"{message.text} ({message.location.get('url', '')})")

    def _watch(self, request: Request) -> None:
        if not request.url.startswith((self.jupyter.url, "data:", "blob:")):
            self._strayed.append(request.url)
