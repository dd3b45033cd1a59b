"""Lets a person act on a running cell.

JupyterLab sends widget messages over a kernel subshell, so they arrive while a cell is busy. ipykernel 7.4
routes a message back to the shell that last sent on its comm (`BaseComm._reply_subshell_for`), which for a
widget made in a cell is the busy main shell, so it would wait for the cell to end. `answer_while_busy`
undoes that for one comm. It touches nothing on versions that have no such route.
"""

from __future__ import annotations

from typing import Any

_ROUTE = "_reply_subshell_for"


def answer_while_busy(comm: object | None) -> bool:
    """Deliver this comm's messages on the subshell the front end chose.

    Args:
        comm: the comm of a widget, or None when there is no kernel.

    Returns:
        True when the comm needed the remedy and has it now.
    """
    if comm is None or not hasattr(type(comm), _ROUTE):
        return False

    def keep_default(_message: object, default: Any) -> Any:
        return default

    setattr(comm, _ROUTE, keep_default)
    return True


def subshells_supported() -> bool:
    """Whether the running kernel can take a message while a cell is busy.

    False outside a kernel, and on ipykernel before 7, where a lens acts only between cells.
    """
    try:
        from ipykernel.kernelbase import Kernel
    except ImportError:
        return False
    return bool(Kernel.initialized() and getattr(Kernel.instance(), "_supports_kernel_subshells", False))
