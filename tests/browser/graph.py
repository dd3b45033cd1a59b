"""The autograd lens on a page: open it, ask for its parts by role, look at the pixels of its canvas."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, expect

from tests.browser import notebooks
from tests.browser.lab import Lab

IMPORTS = "import torch\nimport torchloupe as loupe\ntorch.set_num_threads(1)\n"
POLYNOMIAL = IMPORTS + (
    "x = torch.tensor(2., requires_grad=True)\n"
    "with loupe.autograd.trace(source=True):\n    y = x**2 + 3*x + 1\n"
)

_PIXEL = """([canvas, x, y]) => {
  const ratio = canvas.width / canvas.clientWidth;
  const box = canvas.getBoundingClientRect();
  const at = [Math.round((x - box.left) * ratio), Math.round((y - box.top) * ratio)];
  return [...canvas.getContext('2d').getImageData(...at, 1, 1).data].slice(0, 3);
}"""
_TOKEN = """([lens, name]) => {
  const spot = document.createElement('canvas').getContext('2d');
  spot.fillStyle = getComputedStyle(lens).getPropertyValue(name).trim();
  spot.fillRect(0, 0, 1, 1);
  return [...spot.getImageData(0, 0, 1, 1).data].slice(0, 3);
}"""


def write(folder: Path, *sources: str) -> None:
    """A notebook `graph.ipynb` with one cell for each source."""
    notebooks.write(
        folder / "graph.ipynb", *[notebooks.code(f"cell{at}", text) for at, text in enumerate(sources)]
    )


def show(lab: Lab, folder: Path, *sources: str, **options: Any) -> Locator:
    """Open a notebook, run all of it, and wait for the first autograd lens."""
    write(folder, *sources)
    lab.open("graph.ipynb", **options)
    lab.run_all()
    return drawn(lab)


def start(lab: Lab, folder: Path, *sources: str, **options: Any) -> Locator:
    """Open a notebook and begin to run it, without waiting for its end: a live lens keeps its cell busy."""
    write(folder, *sources)
    lab.open("graph.ipynb", **options)
    lab.await_kernel()
    lab.page.evaluate("() => {window.jupyterapp.commands.execute('notebook:run-all-cells')}")
    return drawn(lab)


def drawn(lab: Lab) -> Locator:
    """The first lens, once all of its graph has come."""
    lens = lab.page.locator(".torchloupe-autograd").first
    lens.get_by_role("treeitem").first.wait_for(state="attached")
    expect(lens).to_have_attribute("aria-busy", "false")
    return lens


def box(lens: Locator, name: str) -> Locator:
    """The box whose spoken name begins with `name`."""
    return lens.get_by_role("treeitem", name=re.compile("^" + re.escape(name)))


def control(lens: Locator, name: str) -> Locator:
    """A button of the row of controls."""
    return lens.get_by_role("toolbar").get_by_role("button", name=name, exact=True)


def chip(lens: Locator, text: str) -> None:
    """Wait until the state in the top row reads `text`."""
    expect(lens.locator(".tl-head")).to_contain_text(text)


def border(lens: Locator, name: str) -> str:
    """The token nearest to the colour of a box's left border, which is blended with its ground."""
    spot = box(lens, name).first.bounding_box()
    assert spot is not None
    middle = spot["y"] + spot["height"] / 2
    line = [pixel(lens, spot["x"] + step / 2, middle) for step in range(-5, 6)]
    tokens = {each: token(lens, each) for each in ("--tl-here", "--tl-done", "--tl-refused")}
    return min(tokens, key=lambda each: min(math.dist(tokens[each], colour) for colour in line))


def pixel(lens: Locator, x: float, y: float) -> list[int]:
    """The colour of the canvas at a point of the page."""
    canvas = lens.locator(".tl-graph canvas").first.element_handle()
    found: list[int] = lens.page.evaluate(_PIXEL, [canvas, x, y])
    return found


def token(lens: Locator, name: str) -> list[int]:
    """A colour of the palette, as this page has it."""
    found: list[int] = lens.page.evaluate(_TOKEN, [lens.element_handle(), name])
    return found
