"""What the course panel asks the Jupyter server: the chapters of a folder, lay them out, reset one.

Every path is relative to the server's root and stays inside it. File work runs in a thread, so a slow disk
never holds up the server.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from jupyter_server.auth.decorator import authorized
from jupyter_server.base.handlers import APIHandler
from jupyter_server.utils import url_path_join
from tornado import web

from . import layout
from .chapters import NOTEBOOK, Chapter, chapters
from .progress import sections

Answer = TypeVar("Answer")


def course(root: Path, folder: Path) -> dict[str, Any]:
    """The chapters as they stand in `folder`, for the panel.

    Args:
        root: the server's root, which the paths in the answer start from.
        folder: the person's course folder, inside `root`.
    """
    listed = [_chapter(root, folder, chapter) for chapter in chapters()]
    return {"laid_out": any(chapter["state"] != "missing" for chapter in listed), "chapters": listed}


def _chapter(root: Path, folder: Path, chapter: Chapter) -> dict[str, Any]:
    theirs = folder / chapter.id / NOTEBOOK
    try:
        found = sections(theirs)
    except (OSError, ValueError):
        found = sections(chapter.folder / NOTEBOOK)
    return {
        "id": chapter.id,
        "number": chapter.number,
        "title": dict(chapter.titles),
        "path": theirs.relative_to(root).as_posix(),
        "state": layout.standing(folder, chapter),
        "sections": [asdict(section) for section in found],
    }


class _CourseHandler(APIHandler):
    auth_resource = "contents"

    @property
    def root(self) -> Path:
        return Path(self.settings["server_root_dir"]).expanduser().resolve()

    def folder(self, path: object) -> Path:
        """The folder a request names.

        Raises:
            web.HTTPError: 400 if `path` is no path, 403 if it leads out of the server's root.
        """
        if not isinstance(path, str) or "\0" in path:
            raise web.HTTPError(400, '"path" must be a folder below the server\'s root, such as "".')
        folder = (self.root / path).resolve()
        if not folder.is_relative_to(self.root):
            raise web.HTTPError(403, f"{path!r} is outside the folder that this server serves.")
        return folder

    def body(self) -> dict[str, Any]:
        """The JSON object a POST carries."""
        body = self.get_json_body()
        if not isinstance(body, dict):
            raise web.HTTPError(400, "The request must carry a JSON object.")
        return body

    async def work(self, act: Callable[[], Answer]) -> Answer:
        """Run blocking file work in a thread; what the disk refuses becomes an answer with the reason."""
        try:
            return await asyncio.to_thread(act)
        except LookupError as error:
            raise web.HTTPError(404, str(error.args[0])) from error
        except OSError as error:
            reason = f"{error.strerror or error}: {error.filename or ''}"
            raise web.HTTPError(500, reason.rstrip(": ")) from error


class CourseHandler(_CourseHandler):
    """`GET torchloupe/course?path=`: the chapters as they stand in a folder."""

    @web.authenticated
    @authorized  # type: ignore[untyped-decorator, unused-ignore]
    async def get(self) -> None:
        """Answer with the chapters."""
        folder = self.folder(self.get_query_argument("path", ""))
        self.finish(await self.work(lambda: course(self.root, folder)))


class LayoutHandler(_CourseHandler):
    """`POST torchloupe/course/layout {"path": ""}`: lay the course out, never over a person's file."""

    @web.authenticated
    @authorized  # type: ignore[untyped-decorator, unused-ignore]
    async def post(self) -> None:
        """Lay out, then answer as `GET` does."""
        folder = self.folder(self.body().get("path"))
        await self.work(lambda: layout.lay_out(folder))
        self.finish(await self.work(lambda: course(self.root, folder)))


class ResetHandler(_CourseHandler):
    """`POST torchloupe/course/reset {"path": "", "chapter": "01-strides"}`: put a shipped chapter back."""

    @web.authenticated
    @authorized  # type: ignore[untyped-decorator, unused-ignore]
    async def post(self) -> None:
        """Reset, then answer with the name the person's notebook is kept under; null if it had no change."""
        body = self.body()
        folder, chapter = self.folder(body.get("path")), str(body.get("chapter"))
        kept = await self.work(lambda: layout.reset(folder, chapter))
        self.finish({"aside": kept.name if kept else None})


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server_app: Any) -> None:
    base = url_path_join(server_app.web_app.settings["base_url"], "torchloupe", "course")
    routes = [(base, CourseHandler), (f"{base}/layout", LayoutHandler), (f"{base}/reset", ResetHandler)]
    server_app.web_app.add_handlers(".*$", routes)
