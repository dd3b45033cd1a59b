"""What the numbers were measured on."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import psutil

PACKAGES = (
    "torch",
    "jupyterlab",
    "ipykernel",
    "ipywidgets",
    "anywidget",
    "torchloupe",
    "playwright",
    "lovely-tensors",
)
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")


def facts() -> dict[str, Any]:
    """Processor, memory, load and versions, now."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": _said("git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty"),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gib": round(psutil.virtual_memory().total / 2**30, 1),
        "load": load(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "chromium": _said(chromium() or "chromium", "--version"),
        **{name: _version(name) for name in PACKAGES},
    }


def load() -> float:
    """Processes that wanted to run during the last minute, on average; above `cores` the machine is busy."""
    return round(psutil.getloadavg()[0], 2)


def chromium() -> str | None:
    """The browser the measures use."""
    return next((found for name in CHROMIUM if (found := shutil.which(name))), None)


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _said(*command: str) -> str | None:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def _processor() -> str:
    about = Path("/proc/cpuinfo")
    lines = about.read_text().splitlines() if about.is_file() else []
    return next(
        (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")),
        platform.processor(),
    )
