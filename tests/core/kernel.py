"""A real kernel without a browser, spoken to as JupyterLab speaks."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from jupyter_client.manager import start_new_kernel

PATIENCE_S = 30


class LiveKernel:
    def __init__(self, client: Any, manager: Any) -> None:
        self._client, self._manager = client, manager
        self.subshell: str | None = None

    def run(self, code: str) -> str:
        """Run a cell to its end; what it printed.

        Raises:
            RuntimeError: if the cell raises.
        """
        return "".join(self.stream(self.start(code)))

    def start(self, code: str, metadata: dict[str, Any] | None = None) -> str:
        """Begin a cell, with what a front end says of it; its message id."""
        content = {
            "code": code, "silent": False, "store_history": True, "user_expressions": {},
            "allow_stdin": False, "stop_on_error": False,
        }  # fmt: skip
        message = self._client.session.msg("execute_request", content, metadata=metadata)
        self._client.shell_channel.send(message)
        return str(message["header"]["msg_id"])

    def stream(self, cell: str) -> Iterator[str]:
        """What a cell prints, as it comes, until it ends."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            message = self._client.get_iopub_msg(timeout=max(0.1, deadline - time.monotonic()))
            if message["parent_header"].get("msg_id") != cell:
                continue
            kind, content = message["msg_type"], message["content"]
            if kind == "stream":
                yield content["text"]
            elif kind == "error":
                raise RuntimeError(f"{content['ename']}: {content['evalue']}")
            elif kind == "status" and content["execution_state"] == "idle":
                return

    def open_subshell(self) -> None:
        """Ask for a subshell; comm messages go over it from now on."""
        self._client.control_channel.send(self._client.session.msg("create_subshell_request"))
        reply = self._client.get_control_msg(timeout=PATIENCE_S)["content"]
        assert reply["status"] == "ok", json.dumps(reply)
        self.subshell = reply["subshell_id"]

    def interrupt(self) -> None:
        """What the Stop button of a notebook does."""
        self._manager.interrupt_kernel()

    def say(self, comm_id: str, content: dict[str, Any]) -> None:
        """A custom message of a view to its widget."""
        self._send("comm_msg", {"comm_id": comm_id, "data": {"method": "custom", "content": content}})

    def close_comm(self, comm_id: str) -> None:
        """What a page says when it lets a widget go."""
        self._send("comm_close", {"comm_id": comm_id, "data": {}})

    def _send(self, kind: str, content: dict[str, Any]) -> None:
        message = self._client.session.msg(kind, content)
        if self.subshell is not None:
            message["header"]["subshell_id"] = self.subshell
        self._client.shell_channel.send(message)


@contextmanager
def running() -> Iterator[LiveKernel]:
    manager, client = start_new_kernel(kernel_name="python3", startup_timeout=60)
    try:
        yield LiveKernel(client, manager)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
