"""A saved tensor whose bytes changed while its version did not: the gradient is wrong, silently."""

from __future__ import annotations

import torch

from .explain_cause import Story
from .explain_changes import Change
from .explain_graph import nodes_of, saved_by, slot_of
from .explain_lines import Spot
from .explain_recording import Call, Recording, call_of, print_of


def behind(roots: list[torch.Tensor], recording: Recording, backward: Spot | None) -> Story | None:
    """The first saved tensor that was changed behind autograd, before a backward runs.

    Only small tensors on the CPU are compared, and only those that were an argument or the result of a
    recorded call. A tensor whose version changed too is left to PyTorch, which refuses.
    """
    if not any(call.prints for call in recording.calls):
        return None
    for place, node in enumerate(nodes_of(roots)):
        call = call_of(recording.calls, node._sequence_nr())  # noqa: SLF001
        if call is None or not call.prints:
            continue
        known = {(key, offset, nbytes): crc for key, offset, nbytes, crc in call.prints}
        for saved in saved_by(node):
            now = print_of(saved.tensor.detach())
            if now is None:
                continue
            slot = slot_of(place, node, saved)
            changes = _since(recording, call, slot.key)
            rebound = now[:3] not in known and any(change.name == "data" for change in changes)
            if known.get(now[:3], now[3]) == now[3] and not rebound:
                continue
            if any(not change.behind for change in changes):
                continue
            return Story("behind", "", slot, call, changes, 0, 0, backward, 0, True, None)
    return None


def _since(recording: Recording, call: Call, key: int | None) -> tuple[Change, ...]:
    return tuple(change for change in recording.changes if change.key == key and change.order > call.order)
