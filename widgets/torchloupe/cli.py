"""The command `torchloupe`: `lab` opens the course, `doctor` tells what works here."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from .core import language
from .core.words import Words

DEFAULT_FOLDER = Path("torchloupe-course")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        arguments: as typed after `torchloupe`; those of this process by default.

    Returns:
        The exit status: 0 when it went well.
    """
    if not _writes("检查"):
        language.language("en")
    options, extra = _parser().parse_known_args(arguments)
    if options.language:
        os.environ["TORCHLOUPE_LANG"] = options.language
    if options.command == "doctor":
        from .doctor import doctor

        return doctor()
    extra = [argument for argument in extra if argument != "--"]
    return _lab(options.folder, [*(["--no-browser"] if options.no_browser else []), *extra])


def _writes(text: str) -> bool:
    """Whether this terminal can show `text`."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def _parser() -> argparse.ArgumentParser:
    words = Words("torchloupe")
    parser = argparse.ArgumentParser(
        prog="torchloupe", description=words("cli.torchloupe"), allow_abbrev=False
    )
    spoken = argparse.ArgumentParser(add_help=False)
    spoken.add_argument("--language", choices=language.LANGUAGES, help=words("cli.language"))
    commands = parser.add_subparsers(dest="command", required=True, metavar="lab | doctor")
    lab = commands.add_parser(
        "lab", parents=[spoken], help=words("cli.lab"), description=words("cli.lab.more"), allow_abbrev=False
    )
    lab.add_argument(
        "folder", nargs="?", type=Path, default=DEFAULT_FOLDER, metavar="DIR", help=words("cli.folder")
    )
    lab.add_argument("--no-browser", action="store_true", help=words("cli.no-browser"))
    commands.add_parser("doctor", parents=[spoken], help=words("cli.doctor"), description=words("cli.doctor"))
    return parser


def _lab(folder: Path, extra: list[str]) -> int:
    from .course.layout import lay_out

    words = Words("torchloupe")
    course = folder.expanduser().absolute()
    try:
        written = lay_out(course)
    except OSError as error:
        print(words("lab.failed", folder=str(course), error=str(error)), file=sys.stderr)
        return 1
    told = words("lab.laid-out" if written else "lab.kept", folder=str(course), count=len(written))
    print(told, flush=True)

    from jupyterlab.labapp import main as jupyterlab

    jupyterlab([f"--ServerApp.root_dir={course}", *extra])
    return 0
