"""Runs a program in a fresh kernel, where a lens really opens a comm and sends its view."""

from __future__ import annotations

import ast
import json
import subprocess
from typing import Any

from jupyter_client.manager import start_new_kernel

PATIENCE_S = 120


def answer(program: str) -> Any:
    """Run `program` as one cell of a fresh kernel.

    Args:
        program: leaves what it found in `found`, as something JSON can hold.

    Raises:
        RuntimeError: with the traceback, if it fails.
    """
    manager, client = start_new_kernel(startup_timeout=PATIENCE_S, stderr=subprocess.DEVNULL)
    try:
        reply = client.execute_interactive(
            f"{program}\nimport json\nfound_as_json = json.dumps(found)",
            user_expressions={"found": "found_as_json"},
            timeout=PATIENCE_S,
            output_hook=lambda _message: None,
        )["content"]
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    if reply["status"] != "ok":
        raise RuntimeError("\n".join(reply.get("traceback", [reply["status"]])))
    return json.loads(ast.literal_eval(reply["user_expressions"]["found"]["data"]["text/plain"]))
