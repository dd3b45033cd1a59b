"""`torchloupe doctor`: what works on this machine, and how to mend what does not."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from packaging.version import Version

from .core.words import Sentence, Words

EXTENSION = "torchloupe"
SERVER_EXTENSION = "torchloupe.course.server"


@dataclass(frozen=True, slots=True)
class Finding:
    """What one look found."""

    name: Sentence
    detail: str
    fix: Sentence | None = None
    """How to mend it; None when it works."""
    essential: bool = True
    """Whether Torchloupe is of no use without it."""


Look = Callable[[], Finding]


def doctor() -> int:
    """Print a line for each finding and a fix for each that does not work.

    Returns:
        1 when something essential is missing, else 0.
    """
    say = Words("torchloupe").say
    good, bad, arrow = _marks()
    findings = []
    for finding in look():
        findings.append(finding)
        print(f"{bad if finding.fix else good} {say(finding.name)}: {finding.detail}")
        if finding.fix:
            print(f"    {arrow} {say(finding.fix)}")
    return int(any(finding.fix and finding.essential for finding in findings))


def look() -> Iterator[Finding]:
    """Each finding, as soon as it is found."""
    for one in (_python, _torch, _jupyterlab, _labextension, _server, _chapters, _kernel, _dot, _font):
        yield one()


def _python() -> Finding:
    found = ".".join(map(str, sys.version_info[:3]))
    fix = None if sys.version_info >= (3, 11) else Sentence("doctor.python.fix")
    return Finding(Sentence("doctor.python"), f"{found} ({sys.executable})", fix)


def _torch() -> Finding:
    name = Sentence("doctor.torch")
    try:
        import torch
    except (ImportError, OSError) as error:
        return Finding(name, str(error), Sentence("doctor.torch.fix"))
    devices = ["cpu"]
    devices += [f"cuda:{i} {torch.cuda.get_device_name(i)}" for i in range(torch.cuda.device_count())]
    devices += ["mps"] if torch.backends.mps.is_available() else []
    fix = None if _at_least(torch.__version__, 2, 13) else Sentence("doctor.torch.fix")
    return Finding(name, f"{torch.__version__} ({', '.join(devices)})", fix)


def _jupyterlab() -> Finding:
    found = _installed("jupyterlab")
    fits = found is not None and _at_least(found, 4, 6) and not _at_least(found, 5, 0)
    return Finding(
        Sentence("doctor.jupyterlab"), found or "-", None if fits else Sentence("doctor.jupyterlab.fix")
    )


def _labextension() -> Finding:
    from jupyter_core.paths import jupyter_path
    from jupyterlab_server.config import get_federated_extensions, get_page_config

    name = Sentence("doctor.labextension")
    places = jupyter_path("labextensions")
    found = get_federated_extensions(places).get(EXTENSION)
    if found is None:
        return Finding(name, "-", Sentence("doctor.labextension.fix"))
    disabled = get_page_config(places).get("disabledExtensions", {})
    names = disabled if isinstance(disabled, list) else [key for key, off in disabled.items() if off]
    off = [name for name in names if name.split(":")[0] == EXTENSION]
    fix = Sentence("doctor.labextension.enable", {"name": off[0]}) if off else None
    return Finding(name, f"{found['version']} ({found['ext_path']})", fix)


def _server() -> Finding:
    from jupyter_core.paths import jupyter_config_path
    from jupyter_server.extension.config import ExtensionConfigManager

    enabled: dict[str, bool] = ExtensionConfigManager(
        read_config_path=jupyter_config_path()
    ).get_jpserver_extensions()
    there = importlib.util.find_spec(SERVER_EXTENSION) is not None
    fix = None if there and enabled.get(SERVER_EXTENSION) else Sentence("doctor.server.fix")
    return Finding(Sentence("doctor.server"), SERVER_EXTENSION, fix)


def _chapters() -> Finding:
    from .course.chapters import chapters, shipped

    try:
        found = chapters()
    except (OSError, ValueError) as error:
        return Finding(Sentence("doctor.chapters"), str(error), Sentence("doctor.chapters.fix"))
    return Finding(Sentence("doctor.chapters"), f"{len(found)} ({shipped()})")


def _kernel() -> Finding:
    name = Sentence("doctor.kernel")
    found = _installed("ipykernel")
    if found is None or not _at_least(found, 7, 2):
        return Finding(name, found or "-", Sentence("doctor.kernel.fix"), essential=found is None)
    from ipykernel.comm.comm import BaseComm

    remedy = Words("torchloupe")(
        "doctor.kernel.remedy" if hasattr(BaseComm, "_reply_subshell_for") else "doctor.kernel.good"
    )
    return Finding(name, f"ipykernel {found}, {remedy}")


def _dot() -> Finding:
    found = shutil.which("dot")
    fix = None if found else Sentence("doctor.dot.fix")
    return Finding(Sentence("doctor.dot"), found or "-", fix, essential=False)


def _font() -> Finding:
    from .core.fonts import chinese_available

    there = chinese_available()
    detail = Words("torchloupe")("doctor.there") if there else "-"
    return Finding(
        Sentence("doctor.font"), detail, None if there else Sentence("doctor.font.fix"), essential=False
    )


def _installed(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _at_least(found: str, major: int, minor: int) -> bool:
    return Version(found).release[:2] >= (major, minor)


def _marks() -> tuple[str, str, str]:
    try:
        "✓✗→".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return "[ok]", "[!!]", "->"
    return "✓", "✗", "→"
