"""`backward`: runs PyTorch's own engine under watch, node by node or straight to the end."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, Literal

from ..core import front_end
from ..core.control import subshells_supported
from ..core.words import Sentence
from . import failing, notes
from .capture import capture
from .explain_lines import shell
from .gate import Stopping
from .gradients import NONE, summarise
from .other_thread import run_aside
from .outputs import tensors_in
from .record import GraphRecord
from .report import words
from .request import Request, gradients_for
from .showing import named
from .stepping import BackwardStopped, Stepping
from .walk import find

if TYPE_CHECKING:
    from .lens import AutogradLens

PATIENCE_S = 8.0
"""How long a live backward waits for its lens to appear before it goes on by itself."""


def backward(
    output: Any,
    model: Any = None,
    *,
    mode: Literal["replay", "live"] = "replay",
    gradient: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> AutogradLens:
    """Run `output.backward()` and see every gradient on its way.

    PyTorch's own engine runs, so `.grad` gets bit for bit what a plain backward gives. Of each gradient a few
    numbers are kept, and its value when it has at most four elements; no gradient is kept alive.

    `mode="replay"` runs to the end, then one scrubs back and forth. `mode="live"` shows its lens and stops
    before each node until Step, Step out of module, Run to here or Run is pressed. Stop there raises
    `BackwardStopped` and puts every `.grad` back as it was, as do an error and Interrupt; for that an
    existing `.grad` is cloned just before the engine adds to it. Where nobody can press anything, live runs
    like replay.

    Args:
        output: a tensor, or any nesting of tensors, each a root as for `torch.autograd.backward`.
        model: the module that made it: its parameters' names and modules' paths are used.
        mode: `"replay"` or `"live"`.
        gradient: what to start with: a tensor of the shape of `output`, or one for each of several roots
            (None for those with one element).
        retain_graph: as for `Tensor.backward`.
        create_graph: as for `Tensor.backward`.
        inputs: the only tensors whose `.grad` is written; None means all leaves.

    Returns:
        The lens. `lens.record` is the `GraphRecord`, `lens.ledger` tells the steps in numbers.

    Raises:
        CaptureError: a `TypeError`, if there is no tensor in `output`.
        ValueError: if `mode` is another word or `gradient` does not fit the roots.
        BackwardStopped: if someone pressed Stop.
        RuntimeError: what `torch.autograd.backward` raises.

    Example:
        >>> import torch, torchloupe as loupe
        >>> x = torch.tensor(2.0, requires_grad=True)
        >>> lens = loupe.autograd.backward(x**2 + 3 * x + 1)
        >>> x.grad
        tensor(7.)
        >>> [lens.record.nodes[node].type for node in lens.ledger.order][:2]
        ['AddBackward0', 'AddBackward0']
    """
    if mode not in ("replay", "live"):
        raise ValueError(words("backward.mode", mode=repr(mode)))
    record = capture(output, model, name=named(1))
    roots = [tensor for _, tensor in tensors_in(output).tensors]
    request = Request(roots, gradients_for(output, gradient), retain_graph, create_graph, inputs)
    return _Run(record, request, model, mode == "live").lens


class _Run:
    """One call of `backward`."""

    def __init__(self, record: GraphRecord, request: Request, model: Any, live: bool) -> None:
        self.record, self.request = record, request
        self.stepping = Stepping(record, live=live, create_graph=request.create_graph)
        nodes = find(record) or []
        self.added = _written_before(record, nodes)
        self._lens: AutogradLens | None = None
        self.stepping.notes = notes.at_start(record, request)
        if live:
            self._meet_the_person()
        self._run(nodes, model)

    @property
    def lens(self) -> AutogradLens:
        """Made when it is first needed, so that a replay opens with its whole course."""
        if self._lens is None:
            from .lens import AutogradLens

            name, several = self.record.name, len(self.record.roots) > 1
            title = f"backward({name})" if several else f"{name}.backward()"
            before = tuple(text for text, _ in self.added)
            self._lens = AutogradLens(self.record, self.stepping, title=title, before=before)
        return self._lens

    def _meet_the_person(self) -> None:
        stepping = self.stepping
        if not front_end.present() or not len(self.record.columns.type):
            stepping.mode = "replay"
            return
        lens = self.lens
        lens.display_now()
        if subshells_supported() and lens.wait_for_view(PATIENCE_S):
            stepping.wait_for_person()
            stepping.changed = lens.update_frame
        else:
            stepping.mode = "replay"
            stepping.notes.insert(0, Sentence("note.deaf"))

    def _run(self, nodes: list[Any], model: Any) -> None:
        stepping, request, restoring = self.stepping, self.request, self.stepping.restoring
        beside = [] if restoring is None else request.beside(self.record, nodes, model)
        if restoring is not None:
            for tensor in request.retaining():
                restoring.remember(tensor)
        try:
            stepping.run(nodes, request.ends(nodes), beside, self._call)
        except Stopping:
            self._over("stopped")
            raise BackwardStopped(self._stopped()) from None
        except KeyboardInterrupt as error:
            self._over("stopped")
            error.add_note(self._stopped())
            raise
        except BaseException as error:
            self._failed(error)
            raise
        if restoring is not None:
            restoring.forget()
        stepping.notes += notes.at_end(stepping, [self._added(place) for place in range(len(self.added))])
        self._tell()

    def _tell(self) -> None:
        if self._lens is not None:
            self._lens.update_frame()

    def _call(self) -> None:
        gate = self.stepping.gate
        devices = {leaf.device.partition(":")[0] for leaf in self.record.leaves}
        devices |= {root.device.partition(":")[0] for root in self.record.roots}
        if gate is not None and devices != {"cpu"}:
            run_aside(self.request.call, gate, devices)
        else:
            self.request.call()

    def _over(self, phase: Literal["stopped", "failed"]) -> None:
        if self.stepping.restoring is not None:
            self.stepping.restoring.restore()
        self.stepping.end(phase)
        self._tell()

    def _failed(self, error: BaseException) -> None:
        stepping = self.stepping
        entered = [] if stepping.engine is None else stepping.engine.entered
        if isinstance(error, Exception):
            stepping.failure = failing.failure(self.record, entered, stepping.ledger.ran, error)
            stepping.explanation = failing.explanation(error)
            if self.record.why is not None:
                error.add_note(words.say(self.record.why))
        self._over("failed")
        if isinstance(error, Exception) and shell() is not None and failing.recording() is None:
            self.lens.display_now()

    def _stopped(self) -> str:
        step = self.stepping.ledger.ran + 1
        started = self.stepping.ledger.started
        parts = [words("stop.before", step=step, of=len(self.record.columns.type))]
        if step <= len(started):
            title = self.record.nodes[started[step - 1]].type
            parts = [words("stop.before_node", step=step, of=len(self.record.columns.type), title=title)]
        if self.stepping.restoring is not None:
            parts.append(words("stop.restored"))
        if self.request.keeps_graph:
            parts.append(words("stop.kept"))
        elif step > 1:
            parts.append(words("stop.spent"))
        return "\n".join([*parts, words("stop.hooks")])

    def _added(self, place: int) -> tuple[str, str, str, str] | None:
        """Name, `.grad` before, what was added, `.grad` after; None when there was nothing to add to."""
        before, leaf = self.added[place]
        tensor = leaf()
        own = self.record.leaves[place]
        arrived = self.stepping.ledger.arrival(own.node)
        if not before or tensor is None or tensor.grad is None or arrived is None or arrived.look == NONE:
            return None
        name = own.names[0] if own.names else words("text.nameless")
        return name, before, arrived.text, summarise(tensor.grad).text


def _written_before(record: GraphRecord, nodes: list[Any]) -> list[tuple[str, Any]]:
    """Per leaf: `.grad` as text, empty for None, and the tensor, weakly."""
    found = []
    for leaf in record.leaves:
        tensor = nodes[leaf.node].variable
        grad = None if tensor.grad is None else summarise(tensor.grad)
        text = "" if grad is None else grad.text or f"‖{grad.norm:.4g}‖"
        found.append((text, weakref.ref(tensor)))
    return found
