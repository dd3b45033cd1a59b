"""A graph of 100,000 nodes in the browser: it opens, opens further, and is searched."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.graph import IMPORTS, pixel, show, token
from tests.browser.lab import Lab

LSTM = IMPORTS + (
    "cell = torch.nn.LSTMCell(4, 8)\nh = c = torch.zeros(1, 8)\n"
    "for _ in range(6700):\n    h, c = cell(torch.zeros(1, 4), (h, c))\n"
    "loss = h.sum()\nlens = loupe.autograd.show(loss, cell)\nlens"
)


def test_a_hundred_thousand_nodes_open_and_open_further(folder: Path, lab: Lab) -> None:
    lens = show(lab, folder, LSTM)
    count = lens.locator(".tl-count")
    expect(count).to_contain_text(re.compile(r"^100,5\d\d nodes, \d+ drawn$"))
    expect(lens.get_by_role("region", name="Card")).to_contain_text("parameters", timeout=60_000)
    before = str(count.text_content())
    fold = lens.get_by_role("treeitem", name=re.compile("identical blocks")).first
    fold.focus()
    lab.page.keyboard.press("Enter")
    expect(count).not_to_have_text(before)
    items = lens.get_by_role("treeitem")
    assert items.count() <= 64
    lab.page.keyboard.press("/")
    lab.page.keyboard.type("sigmoid")
    expect(lens.locator(".tl-search")).to_contain_text("20,100 hits", timeout=60_000)
    lab.page.keyboard.press("Enter")
    expect(lens.get_by_role("region", name="Card")).to_contain_text("SigmoidBackward0")
    selected = lens.locator('[role=treeitem][aria-selected="true"]').bounding_box()
    assert selected is not None
    ring = pixel(lens, selected["x"] - 4, selected["y"] + selected["height"] / 2)
    assert ring == token(lens, "--tl-here")
