"""A notebook that ran where nobody looks still shows its lens: no front end, no click to wait for."""

from __future__ import annotations

import base64
import io
import json
import re
from xml.etree import ElementTree as ET

import nbclient
import nbformat
import pytest
from PIL import Image

from torchloupe.core.lens import MIME

WIDGET = "application/vnd.jupyter.widget-view+json"
CELLS = [
    "import torch, torchloupe as loupe",
    "loupe.strides.show(torch.arange(6.).view(2, 3))",
    "x = torch.arange(6.).view(2, 3); lens = loupe.strides.show(x, x.T)\nlens",
    "x.add_(1); print(lens)",
    "lens.close(); lens",
]


@pytest.fixture(scope="module")
def notebook() -> nbformat.NotebookNode:
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    return nbclient.NotebookClient(made, timeout=60, kernel_name="python3").execute()


@pytest.mark.parametrize("cell", [1, 2])
def test_the_output_holds_a_picture_and_text_beside_the_widget(
    notebook: nbformat.NotebookNode, cell: int
) -> None:
    (output,) = notebook.cells[cell].outputs
    assert output.output_type == "execute_result"
    data = output.data
    assert set(data) == {MIME, WIDGET, "image/svg+xml", "image/png", "text/plain"}
    assert data[MIME]["model_id"] == data[WIDGET]["model_id"]
    ET.fromstring(data["image/svg+xml"])
    image = Image.open(io.BytesIO(base64.b64decode(data["image/png"]))).convert("L")
    assert image.width > 400
    assert image.getextrema()[0] < 100 < 200 < image.getextrema()[1], "something is drawn on something light"
    assert "(2, 3)" in data["text/plain"]


def test_the_text_follows_the_tensor(notebook: nbformat.NotebookNode) -> None:
    printed = "".join(output.text for output in notebook.cells[3].outputs if output.output_type == "stream")
    assert "(2, 3)" in printed and "(3, 2)" in printed


def test_a_closed_lens_is_still_text(notebook: nbformat.NotebookNode) -> None:
    data = notebook.cells[4].outputs[0].data
    assert set(data) == {"text/plain"}
    assert "(2, 3)" in data["text/plain"]


def test_an_exported_page_shows_the_picture_without_the_saved_widgets(
    notebook: nbformat.NotebookNode,
) -> None:
    from nbconvert import HTMLExporter

    stripped = nbformat.from_dict(json.loads(json.dumps(notebook)))
    stripped.metadata.pop("widgets", None)
    for cell in stripped.cells:
        for output in cell.outputs:
            output.get("data", {}).pop(WIDGET, None)
    page, _ = HTMLExporter().from_notebook_node(stripped)
    outputs = page[page.index("<main") :]
    assert len(re.findall(r"<img[^>]*data:image/(?:png|svg\+xml);base64|<svg", outputs)) == 2


def test_no_output_is_large(notebook: nbformat.NotebookNode) -> None:
    assert len(json.dumps(notebook.cells[1].outputs)) < 60_000
