"""`run.start`: the same loop on a thread, for hosts whose cells cannot be reached while they run."""

from __future__ import annotations

import contextvars
import sys
import threading
from collections.abc import Callable
from typing import Any

from . import ending


class Background:
    """A function that runs on a thread of its own.

    Attributes:
        error: what it raised; None while it runs, or when it ended well or was stopped.
        result: what it returned.
    """

    def __init__(self, run: Callable[[], Any], name: str) -> None:
        self.error: BaseException | None = None
        self.result: Any = None
        context = contextvars.copy_context()
        # A kernel that shuts down waits for nobody; a script ends when its training has.
        in_kernel = "ipykernel" in sys.modules
        self._thread = threading.Thread(
            target=lambda: context.run(self._run, run), name=f"torchloupe-{name}", daemon=in_kernel
        )
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """Whether it has not ended yet."""
        return self._thread.is_alive()

    def join(self, timeout: float | None = None) -> bool:
        """Wait for its end.

        Args:
            timeout: seconds at most; for ever by default.

        Returns:
            Whether it has ended.
        """
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def __repr__(self) -> str:
        return f"<{self._thread.name}: {'running' if self.is_running else 'ended'}>"

    def _run(self, run: Callable[[], Any]) -> None:
        try:
            self.result = run()
        except ending.Stopped:
            ending.tell(None, threading.get_ident())
        except BaseException as error:
            self.error = error
            ending.tell(error, threading.get_ident())
            raise
        else:
            ending.tell(None, threading.get_ident())
