"""`open`: a run read back from its event files, whoever wrote them."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any, cast, get_args

from ..core.safe import one_line
from ..core.words import Words
from . import events, run_json
from .branch import Branch, letter
from .recorded import Recorded, State

_WORDS = Words(__package__)
_SPLITS = {"train", "training", "val", "valid", "validation", "eval", "test"}


class Archive(Recorded):
    """A run as it stands on disk. Nothing is written, and nothing new is seen after reading.

    Values have the precision of an event file, float32.
    """

    knobs: dict[str, Any]
    health = None
    checkpoints = None
    epoch: int | None = None
    epochs: int | None = None

    def __init__(self, folder: Path, content: dict[str, Any], branches: list[Branch]) -> None:
        self.folder = folder
        self.content = content
        self.name = one_line(content.get("name", folder.resolve().name))
        self.branches = branches
        self.precision = "float32"
        self.error = one_line(content.get("error", ""), 200)
        total, hyper = content.get("total"), content.get("hyper")
        self.total = total if isinstance(total, int) else None
        self.hyper = hyper if isinstance(hyper, dict) else {}
        self.knobs = {}

    @property
    def state(self) -> State:
        """How it ended, or what it was doing when it was read."""
        return _state(self.content)

    @property
    def at(self) -> int:
        """The step after the newest."""
        return self.last_step + 1

    def close(self) -> None:
        """Nothing is open."""


def open(path: str | os.PathLike[str]) -> Archive:
    """Read a run back from a folder of TensorBoard event files.

    Args:
        path: the folder a `Run` wrote, or one of `SummaryWriter`, Lightning, TensorFlow, …. A tag
            `loss/train` or `train/loss` becomes the curve `loss` of group `train`; any other tag is a curve
            of group `train` under its whole name. Steps that go backwards begin a branch.

    Returns:
        A run whose `series("loss")` has NumPy `steps`, `values` and `wall_time`.

    Raises:
        FileNotFoundError: if there is no event file, or only in folders below, which are named then.

    Example:
        >>> import torchloupe as loupe
        >>> run = loupe.training.Run("kept", logdir="runs")
        >>> run.log(loss=0.5)
        >>> run.close()
        >>> loupe.training.open("runs/kept").series("loss").values.tolist()
        [0.5]
    """
    folder = Path(path)
    try:
        content, branches = run_json.load(folder)
    except (OSError, ValueError):
        return Archive(folder, {}, _foreign(folder))
    for branch in branches:
        _fill(branch, folder / branch.folder)
    return Archive(folder, content, branches)


def _fill(branch: Branch, folder: Path) -> None:
    """The curves of one of our branches. A step that is there already was written twice after a fault."""
    try:
        for scalar in events.read(folder):
            name, _, group = scalar.tag.rpartition("/")
            curve = branch.curve(name or scalar.tag, group if name else "train")
            if scalar.step > curve.last_step:
                curve.append(scalar.step, scalar.value, scalar.wall_time)
    except FileNotFoundError:
        return


def _foreign(folder: Path) -> list[Branch]:
    own = [path for path in folder.glob(events.PATTERN) if path.is_file()]
    below = [path for path in events.folders(folder) if path != folder]
    if not own and below:
        names = ", ".join(path.relative_to(folder).as_posix() for path in below)
        raise FileNotFoundError(_WORDS("error.events_below", folder=str(folder), names=one_line(names, 300)))
    branches = [Branch("a")]
    for scalar in events.read(folder):
        _place(branches, _named(scalar.tag), scalar)
    for part in below:
        group = part.relative_to(folder).as_posix()
        for scalar in events.read(part):
            _place(branches, (scalar.tag, group), scalar)
    return branches


def _place(branches: list[Branch], key: tuple[str, str], scalar: events.Scalar) -> None:
    branch = branches[-1]
    if scalar.step <= branch.curve(*key).last_step:
        branch.ended = branch.last_step
        branch = Branch(letter(len(branches)), branch, scalar.step)
        branches.append(branch)
    branch.curve(*key).append(scalar.step, scalar.value, scalar.wall_time)


def _named(tag: str) -> tuple[str, str]:
    """Name and group of a stranger's tag."""
    head, _, tail = tag.rpartition("/")
    if head and tail.lower() in _SPLITS:
        return head, tail
    head, _, tail = tag.partition("/")
    if tail and head.lower() in _SPLITS:
        return tail, head
    return tag, "train"


def _state(content: dict[str, Any]) -> State:
    """What was written last; a run whose process is gone has stopped."""
    state = content.get("state", "finished")
    if state not in get_args(State):
        return "finished"
    if state in {"running", "paused", "stopping"} and _is_gone(content.get("host"), content.get("pid")):
        return "stopped"
    return cast("State", state)


def _is_gone(host: Any, pid: Any) -> bool:
    if host != socket.gethostname() or not isinstance(pid, int) or pid <= 0 or os.name != "posix":
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
