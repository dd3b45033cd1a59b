"""From a cell's execute_reply to the first drawn frame of its lens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, Page

from tests.bench.page import browsing, fresh_page, served
from tests.bench.rounds import repeats
from tests.bench.row import Row
from tests.browser.lab import Lab
from tests.browser.notebooks import code, write
from tests.browser.server import Jupyter

LIMIT_FIRST_MS = 400
LIMIT_LATER_MS = 150
PAINT = "torchloupe:strides:paint"
NOTEBOOK = "paint.ipynb"
CELLS = (
    "import torch, torchloupe as loupe\nx = torch.arange(12.).reshape(3, 4)",
    "loupe.strides.show(x)",
    "loupe.strides.show(x, x.T)",
    "loupe.strides.show(torch.arange(24).reshape(2, 3, 4))",
    "loupe.strides.show(torch.arange(6.).as_strided((4, 3), (1, 1)))",
)

# Messages are marked as the browser receives them, before JupyterLab deals with them.
_LISTEN = """() => {
  const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  kernel.anyMessage.connect((_, { msg, direction }) => {
    const { msg_type } = msg.header;
    if (direction === "send" && msg_type !== "execute_request") return;
    performance.mark(`bench:${msg_type}`, { detail: { ...msg.metadata, date: msg.header.date } });
  });
}"""
_RUN = """(index) => {
  const { content } = window.jupyterapp.shell.currentWidget;
  for (const kind of ["execute_request", "execute_reply", "comm_open", "execute_result"])
    performance.clearMarks(`bench:${kind}`);
  content.activeCellIndex = index;
  window.jupyterapp.commands.execute("notebook:run-cell-and-select-next");
}"""
_DRAWN = """([name, count]) => {
  if (performance.getEntriesByName("bench:execute_reply").length === 0) return false;
  return performance.getEntriesByName(name).length >= count;
}"""
_MARKS = """(name) => {
  const of = (kind) => performance.getEntriesByName(kind).at(-1);
  const reply = of("bench:execute_reply");
  const pictures = [...document.querySelectorAll(".torchloupe-strides svg")];
  return {
    request: of("bench:execute_request").startTime,
    opened: of("bench:comm_open").startTime,
    result: of("bench:execute_result").startTime,
    reply: reply.startTime,
    kernel: new Date(reply.detail.date) - new Date(reply.detail.started),
    paint: of(name).startTime,
    drawn: pictures.some((picture) => picture.getBoundingClientRect().width > 0),
  };
}"""


@dataclass(frozen=True)
class Shown:
    """Moments of one lens, in milliseconds on the page's clock, and the time its cell took in the kernel."""

    request: float
    opened: float
    result: float
    reply: float
    kernel: float
    paint: float


def measure(share: float) -> list[Row]:
    pages: list[list[Shown]] = []
    with browsing() as browser, served() as jupyter:
        write(jupyter.root / NOTEBOOK, *(code(f"cell{n}", source) for n, source in enumerate(CELLS)))
        for _ in range(repeats(10, share)):
            pages.append(list(_page(browser, jupyter)))
            jupyter.stop_kernels()
    first = [page[0] for page in pages]
    later = [shown for page in pages for shown in page[1:]]
    note = "the frame after the one that drew it; negative would be a lens seen before its cell had ended"
    rows = []
    for name, shown, limit in (
        ("first lens of a page", first, LIMIT_FIRST_MS),
        ("later lenses", later, LIMIT_LATER_MS),
    ):
        rows += [
            Row.median(
                f"{name}, reply to paint", [s.paint - s.reply for s in shown], "ms", limit=limit, note=note
            ),
            Row.median(f"{name}, result to paint", [s.paint - s.result for s in shown], "ms"),
            Row.median(f"{name}, run to paint", [s.paint - s.request for s in shown], "ms"),
            Row.median(f"{name}, the cell in the kernel", [s.kernel for s in shown], "ms"),
        ]
    return rows


def _page(browser: Browser, jupyter: Jupyter) -> Iterator[Shown]:
    """The lenses of one fresh page with a fresh kernel."""
    with fresh_page(browser, jupyter) as lab:
        lab.open(NOTEBOOK)
        lab.await_kernel()
        lab.page.evaluate(_LISTEN)
        _run(lab, 0, lenses=0)
        for index in range(1, len(CELLS)):
            _run(lab, index, lenses=index)
            yield _marks(lab.page)


def _run(lab: Lab, index: int, lenses: int) -> None:
    lab.page.evaluate(_RUN, index)
    lab.page.wait_for_function(_DRAWN, arg=[PAINT, lenses], polling=50)
    lab.await_kernel()


def _marks(page: Page) -> Shown:
    found: dict[str, Any] = page.evaluate(_MARKS, PAINT)
    if not found.pop("drawn"):
        raise RuntimeError("a paint was marked, but no picture of a lens is on the page")
    return Shown(**found)
