"""Whether a person may be looking: nothing may wait for a click that can never come.

JupyterLab and Notebook put the cell's id into the metadata of the request that runs it (`CodeCell.execute`,
`cellId`); nbclient, nbconvert and papermill send none. And a view that has spoken once proves a front end.
"""

from __future__ import annotations

import sys
from typing import Any

_a_view_spoke = False


def saw_a_view() -> None:
    """A view of some lens has sent a message."""
    global _a_view_spoke
    _a_view_spoke = True


def present() -> bool:
    """Whether the running cell may have a person in front of it. False outside a kernel."""
    running = _kernel()
    if running is None:
        return False
    metadata = (running.get_parent("shell") or {}).get("metadata") or {}
    return bool(metadata.get("cellId")) or _a_view_spoke


def _kernel() -> Any:
    base = sys.modules.get("ipykernel.kernelbase")
    if base is None or not base.Kernel.initialized():
        return None
    return base.Kernel.instance()
