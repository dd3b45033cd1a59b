"""Small notebooks the browser tests write into the server's folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

# A lens as small as one can be: the same output bundle, a button that counts in the kernel.
TINY_LENS = """
import base64, anywidget, traitlets

class Tiny(anywidget.AnyWidget):
    _esm = '''export default {
      initialize({ model }) { model.on("msg:custom", () => undefined); },
      render({ model, el }) {
        const count = document.createElement("button");
        const draw = () => { count.textContent = `live ${model.get("count")}`; };
        count.addEventListener("click", () => {
          model.set("count", model.get("count") + 1);
          model.save_changes();
        });
        model.on("change:count", draw);
        draw();
        const again = document.createElement("button");
        again.textContent = "ask to run again";
        again.addEventListener("click",
          () => el.dispatchEvent(new CustomEvent("torchloupe-run-cell", { bubbles: true })));
        el.append(count, again);
      },
    }'''
    count = traitlets.Int(0).tag(sync=True)

    def _repr_mimebundle_(self, **_):
        svg = ('<svg xmlns="http://www.w3.org/2000/svg" width="240" height="60" viewBox="0 0 240 60">'
               '<rect width="240" height="60" fill="#00a060"/></svg>')
        return {
            "application/vnd.torchloupe.lens+json": {"model_id": self.model_id, "room": "tiny"},
            "application/vnd.jupyter.widget-view+json":
                {"version_major": 2, "version_minor": 0, "model_id": self.model_id},
            "image/svg+xml": svg,
            "text/plain": "a tiny lens",
        }

runs = globals().get("runs", 0) + 1
tiny = Tiny(count=100 * runs)
tiny
"""


def prose(pair: str, english: str, chinese: str) -> list[Any]:
    """A pair of prose cells."""
    texts = (("en", english), ("zh-CN", chinese))
    return [
        new_markdown_cell(text, id=f"{pair}-{lang[:2]}", metadata={"torchloupe": {"id": pair, "lang": lang}})
        for lang, text in texts
    ]


def code(id: str, source: str, **ours: str) -> Any:
    """A code cell."""
    return new_code_cell(source, id=id, metadata={"torchloupe": ours} if ours else {})


def shown(id: str, data: dict[str, Any]) -> Any:
    """A code cell that ran in an earlier session and showed `data`."""
    return new_code_cell("1", id=id, execution_count=1, outputs=[new_output("display_data", data)])


def write(path: Path, *cells: Any) -> Path:
    """Write a Python notebook."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    flat = [cell for group in cells for cell in (group if isinstance(group, list) else [group])]
    nbformat.write(new_notebook(cells=flat, metadata={"kernelspec": kernel}), path)
    return path


def bilingual(path: Path) -> Path:
    """Two sections in two languages, with code between."""
    return write(
        path,
        prose("title", "# Apples", "# 苹果"),
        prose("first", "## Red ones\n\nsweet and round", "## 红苹果\n\n又甜又圆 sweet"),
        code("one", "1 + 1"),
        prose("after", "An apple a day.", "一天一苹果。"),
        prose("second", "## Green ones\n\nsour", "## 青苹果\n\n酸"),
        code("two", "2 + 2"),
        prose("end", "Last words.", "最后几句。"),
    )


def tiny_lens(path: Path) -> Path:
    """One cell that shows the tiny lens."""
    return write(path, code("lens", TINY_LENS.strip()))
