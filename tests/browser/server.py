"""A JupyterLab server of the tests' own: no folder, setting or port is shared with a person's."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

START_S = 60


@dataclass(frozen=True)
class Jupyter:
    """A running server."""

    home: Path
    port: int
    token: str

    @property
    def root(self) -> Path:
        """The folder it serves."""
        return self.home / "root"

    @property
    def settings(self) -> Path:
        """The folder of its user settings."""
        return self.home / "settings"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @classmethod
    @contextmanager
    def started(cls, home: Path) -> Iterator[Jupyter]:
        """Start a server with all its folders in `home`, and stop it at the end."""
        server = cls(home, _free_port(), secrets.token_hex(16))
        server.clear()
        log = home / "server.log"
        with log.open("wb") as output:
            command = [sys.executable, "-m", "jupyterlab", *server._options()]
            process = subprocess.Popen(command, env=server._environment(), stdout=output, stderr=output)
        try:
            server._wait(process, log)
            yield server
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()

    def clear(self) -> None:
        """Empty the root and forget settings, workspaces and disabled plugins."""
        for folder in (
            self.root,
            self.settings,
            self.home / "workspaces",
            self.home / "config" / "labconfig",
        ):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
        self.set(
            "@jupyterlab/apputils-extension:notification", {"fetchNews": "false", "checkForUpdates": False}
        )

    def set(self, plugin: str, values: dict[str, Any]) -> None:
        """Store user settings of a plugin, read at the next page load."""
        package, name = plugin.split(":")
        file = self.settings / package / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values))

    def disable(self, *plugins: str) -> None:
        """Disable plugins from the next page load on."""
        page_config = self.home / "config" / "labconfig" / "page_config.json"
        page_config.write_text(json.dumps({"disabledExtensions": dict.fromkeys(plugins, True)}))

    def request(self, path: str, method: str = "GET", body: Any = None) -> Any:
        """Ask the server's REST interface; the answer's JSON, or None when it has none."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"token {self.token}", "Content-Type": "application/json"}
        asked = urllib.request.Request(f"{self.url}/{path}", data, headers, method=method)
        with urllib.request.urlopen(asked, timeout=30) as answer:
            content = answer.read()
        return json.loads(content) if content else None

    def stop_kernels(self) -> None:
        """Shut every kernel and session down."""
        for session in self.request("api/sessions"):
            self.request(f"api/sessions/{session['id']}", "DELETE")
        for kernel in self._kernels():
            self.request(f"api/kernels/{kernel['id']}", "DELETE")

    def _kernels(self) -> list[dict[str, Any]]:
        """The kernels that run; the server cannot list them in the moment in which one of them goes."""
        deadline = time.monotonic() + START_S
        while True:
            try:
                return list(self.request("api/kernels"))
            except urllib.error.HTTPError as error:
                if error.code != 500 or time.monotonic() > deadline:
                    raise

    def _options(self) -> list[str]:
        return [
            "--no-browser",
            "--allow-root",
            "--ip=127.0.0.1",
            f"--port={self.port}",
            "--ServerApp.port_retries=0",
            f"--IdentityProvider.token={self.token}",
            f"--ServerApp.root_dir={self.root}",
            "--LabApp.expose_app_in_browser=True",
            "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        ]

    def _environment(self) -> dict[str, str]:
        own = {
            "HOME": "user",
            "JUPYTER_CONFIG_DIR": "config",
            "JUPYTER_DATA_DIR": "data",
            "JUPYTER_RUNTIME_DIR": "runtime",
            "JUPYTERLAB_SETTINGS_DIR": "settings",
            "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
            "IPYTHONDIR": "ipython",
        }
        inherited = {name: value for name, value in os.environ.items() if name != "TORCHLOUPE_LANG"}
        return (
            inherited | {name: str(self.home / folder) for name, folder in own.items()} | {"LANG": "C.UTF-8"}
        )

    def _wait(self, process: subprocess.Popen[bytes], log: Path) -> None:
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline and process.poll() is None:
            try:
                self.request("api/status")
            except OSError:
                time.sleep(0.1)  # A starting server tells nobody when it is ready.
            else:
                return
        raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()[-4000:]}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
