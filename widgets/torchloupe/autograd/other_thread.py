"""Runs a backward of another device in a thread of its own, so that the cell's thread hears an Interrupt.

On a GPU PyTorch's engine runs hooks in its own threads, and the thread that called it waits in C++, deaf.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch

from .gate import Gate

_LISTEN_S = 0.2


def run_aside(call: Callable[[], None], gate: Gate, devices: set[str]) -> None:
    """Run `call` in another thread with this thread's state, and wait for it in Python.

    Args:
        call: what to run.
        gate: closed for good when this thread is interrupted, so that `call` ends.
        devices: types of the devices it uses.
    """
    raised: list[BaseException] = []
    over = threading.Event()
    state = _state(devices)

    def run() -> None:
        try:
            with _set(state):
                call()
        except BaseException as error:  # carried over to the thread that waits
            raised.append(error)
        finally:
            over.set()

    threading.Thread(target=run, name="torchloupe-backward", daemon=True).start()
    try:
        _wait(over)
    except BaseException:
        gate.stop()
        _wait(over)
        raise
    if raised:
        raise raised[0]


def _wait(over: threading.Event) -> None:
    while not over.wait(_LISTEN_S):
        pass


class _State:
    """What a thread of PyTorch has for itself."""

    def __init__(self, devices: set[str]) -> None:
        self.grad = torch.is_grad_enabled()
        self.autocast = {
            device: (torch.is_autocast_enabled(device), torch.get_autocast_dtype(device))
            for device in devices
            if torch.amp.is_autocast_available(device)
        }
        self.cache = torch.is_autocast_cache_enabled()
        on_device = torch.accelerator.is_available() and bool(devices - {"cpu", "meta"})
        self.stream = torch.accelerator.current_stream() if on_device else None


def _state(devices: set[str]) -> _State:
    return _State(devices | {"cpu"})


@contextmanager
def _set(state: _State) -> Iterator[None]:
    if state.stream is not None:
        torch.accelerator.set_stream(state.stream)  # sets the device too
    for device, (enabled, dtype) in state.autocast.items():
        torch.set_autocast_enabled(device, enabled)
        torch.set_autocast_dtype(device, dtype)
    torch.set_autocast_cache_enabled(state.cache)
    with torch.set_grad_enabled(state.grad):
        yield
