"""`Run`: one training, recorded and obedient."""

from __future__ import annotations

import inspect
import os
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, TypeVar

import torch

from ..core.safe import one_line
from ..core.words import Sentence, Words
from . import ending, knobs, run_json
from .background import Background
from .branch import Branch
from .checkpoints import Checkpoints
from .knobs import Groups, Knob
from .ledger import Ledger
from .life import Life
from .loop import batches
from .naming import folder_of
from .orders import Orders
from .phases import Phases
from .place import Place
from .resuming import resumed
from .rewinding import Rewinding
from .snapshots import Stateful
from .stepping import Step, Stepping

T = TypeVar("T")
_WORDS = Words(__package__)
_open_runs: weakref.WeakValueDictionary[Path, Run] = weakref.WeakValueDictionary()


class Run(Life):
    """A training: its curves in memory and on disk, and a loop that obeys the lens.

    A run is a TensorBoard event folder beside a `run.json`, written twice a second by a thread of its own, so
    that a killed process loses at most the last second. A name that is there already is resumed: steps that
    are repeated begin a branch.

    Args:
        name: of the run and of its folder; by default a new one, named after the time.
        logdir: the folder of all runs.
        model: seen for the phases of a step and for gradient norms; never changed.
        optimizer: gets what a knob named like one of its keys is turned to.
        hyper: hyperparameters to keep with the run. What JSON cannot hold is kept as text.
        scheduler: its base rates follow a turned learning rate.
        scaler: of mixed precision.
        on_nan: `"pause"` waits at the next step when a value that was finite becomes NaN or infinite and
            somebody is there to see it; `"mark"` goes on. Both mark the step.
        checkpoint_every: steps between two checkpoints to go back to; by default as many as take 2 % of the
            time; 0 for none.
        checkpoint_bytes: memory of all checkpoints together, on the devices the model is on.
        gradients_every: steps between two measurements of gradient norms.

    Raises:
        TypeError: if `name`, `logdir` or `hyper` is of another kind.
        ValueError: if `name` cannot be a folder, or `on_nan` is neither of the two.
        OSError: if the folder cannot be made.

    Example:
        >>> import torchloupe as loupe
        >>> run = loupe.training.Run("demo", logdir="runs", hyper={"lr": 0.1})
        >>> for batch in run.loop([1.0, 2.0], epochs=3):
        ...     run.log(loss=batch / (run.at + 1))
        >>> run.series("loss").values[-1].item()
        0.3333333333333333
    """

    precision = "float64"

    def __init__(
        self,
        name: str | None = None,
        logdir: str | os.PathLike[str] = "runs",
        model: torch.nn.Module | None = None,
        optimizer: torch.optim.Optimizer | None = None,
        hyper: Mapping[str, Any] | None = None,
        *,
        scheduler: Any = None,
        scaler: Any = None,
        on_nan: Literal["pause", "mark"] = "mark",
        checkpoint_every: int | None = None,
        checkpoint_bytes: int = 256 * 2**20,
        gradients_every: int = 10,
    ) -> None:
        if hyper is not None and not isinstance(hyper, Mapping):
            raise TypeError(_WORDS("error.hyper", kind=one_line(type(hyper).__name__)))
        if on_nan not in ("pause", "mark"):
            raise ValueError(_WORDS("error.on_nan", given=one_line(on_nan)))
        self.folder = folder_of(name, logdir)
        self.name = self.folder.name
        if other := _open_runs.get(self.folder):
            other.close()
        self.model, self.optimizer, self.scheduler, self.scaler = model, optimizer, scheduler, scaler
        self.on_nan, self.gradients_every = on_nan, gradients_every
        self.hyper = dict(run_json.plain(hyper or {}))
        self.listeners: list[Callable[[], None]] = []
        """Called after a change, on any thread; while steps go by ten times a second. Set a flag there."""
        self.orders = Orders(self.changed, self.check_knob)
        self.ledger = resumed(self.folder, self.hyper)
        self.branches = self.ledger.branches
        weakref.finalize(self, Ledger.close, self.ledger)
        _open_runs[self.folder] = self
        ending.listen(self)
        self.at = 0
        """The step being worked on."""
        self.begin_life()
        self.front = False
        """Whether somebody looks: set by the lens."""
        self.background: Background | None = None
        self.health: Any = None
        """Measured every `gradients_every` steps before the optimizer's: has `measure(run, step)`."""
        self.knobs: dict[str, Knob] = {}
        self.stepping = Stepping(self)
        self.checkpoints = Checkpoints(checkpoint_every, checkpoint_bytes)
        self.rewinding = Rewinding(self)
        self.phases = Phases(self.stepping.phase_boundary, self.stepping.before_update)

    def log(self, *, step: int | None = None, group: str = "train", **scalars: Any) -> None:
        """Add a value to each named curve.

        Takes under a microsecond for floats, never waits for a device and keeps no graph alive. NaN and
        infinities are kept and marked.

        Args:
            step: where; by default the step of the loop, and outside of any loop the one after the curve's
                last. A step that is not above the curve's last begins a branch of the whole run there.
            group: which curve of that name: `"train"`, `"val"` …
            **scalars: real numbers, NumPy scalars, or tensors with one element of any real dtype and device.

        Raises:
            TypeError: if `step`, `group` or a value is of another kind; nothing is logged then.
            ValueError: if `step` is negative, `group` holds a slash, or a loop logs a curve twice in a step.
        """
        self.ledger.note(scalars, step, group)

    def log_dict(self, scalars: Mapping[str, Any], *, step: int | None = None, group: str = "train") -> None:
        """Add a value to each curve of a mapping, for names that are no Python names; see `log`."""
        if not isinstance(scalars, Mapping):
            raise TypeError(_WORDS("error.log_dict", kind=one_line(type(scalars).__name__)))
        self.ledger.note(scalars, step, group)

    def begin_branch(self, at: int) -> Branch:
        """What is logged from step `at` on belongs to a new branch."""
        branch = self.ledger.begin_branch(at)
        self.changed()
        return branch

    def settle(self) -> None:
        """Read every value that still is on a device."""
        self.ledger.waiting.settle(whole=True)

    def close(self) -> None:
        """Write everything to disk and let go of the files. What is logged later opens them again."""
        if self.state not in ("stopped", "failed"):
            self.end("finished")
        self.ledger.close()
        _open_runs.pop(self.folder, None)

    def loop(self, batches_of: Iterable[T], epochs: int = 1) -> Iterator[T]:
        """The batches of a loader, one a step, with the lens's orders obeyed between them.

        Args:
            batches_of: a `DataLoader`, or anything that can be iterated once an epoch.
            epochs: how often to go through it.

        Yields:
            What the loader gives. The loop ends early when a person presses Stop.

        Raises:
            TypeError: if `epochs` is no integer, or the loader cannot be iterated.
            ValueError: if `epochs` is negative, or a later epoch is empty because the loader is an iterator.
        """
        if isinstance(epochs, bool) or not isinstance(epochs, int):
            raise TypeError(_WORDS("error.epochs_kind", kind=one_line(type(epochs).__name__)))
        if epochs < 0:
            raise ValueError(_WORDS("error.epochs_range", epochs=epochs))
        if not hasattr(batches_of, "__iter__") and not hasattr(batches_of, "__getitem__"):
            raise TypeError(_WORDS("error.loader", kind=one_line(type(batches_of).__name__)))
        return batches(self, Place(batches_of, epochs))

    def step(self) -> Step:
        """`with run.step():` around the code of one step, for loops of one's own.

        Stop raises `Stopped` at the step's end, through all loops around it; `with run:` swallows it. Nobody
        can go back to an earlier step: only the code around knows how to repeat it.
        """
        return Step(self)

    def phase(self, name: str) -> Any:
        """A phase of the step begins: `"zero_grad"`, `"forward"`, `"loss"`, `"backward"`, `"step"` or others.

        It ends with the next phase or the step; as `with run.phase(…):` with the block. Without any, a loop
        sees the phases on the model and the optimizer given to `Run`.
        """
        return self.phases.mark(name)

    def knob(
        self,
        name: str,
        value: float | None = None,
        *,
        low: float | None = None,
        high: float | None = None,
        log: bool = False,
    ) -> Knob:
        """A number that the lens turns while the loop runs; it takes effect at the start of a step.

        Args:
            name: a key of the optimizer's parameter groups (`"lr"`, `"weight_decay"`) is written to them, the
                ratios between groups kept; with a scheduler its base rates follow. Any other name is yours.
            value: to begin with; by default what the optimizer has.
            low: the slider's low end; by default reckoned from the value.
            high: the slider's high end.
            log: whether the slider is logarithmic.

        Returns:
            The knob: read it with `float(knob)` or `knob.value`. An existing name gives the same knob.
        """
        groups = Groups(self.optimizer, self.scheduler) if self.optimizer is not None else None
        known = self.knobs.get(name) if isinstance(name, str) else None
        if known is None:
            known = self.knobs[name] = knobs.made(name, value, groups, low=low, high=high, log=log)
            known.history[0] = (self.at, known.history[0][1])
        if value is not None:
            known.check(value)
            if float(value) != known.value:
                known.turn(float(value), self.at)
        self.keep_knobs()
        return known

    def turn(self, name: str, value: float) -> None:
        """Give a knob a value now, and mark it. The lens goes through `orders.set_knob` instead."""
        self.check_knob(name, value)
        knob = self.knobs[name]
        before = knob.value
        knob.turn(float(value), self.at)
        moved = knob.groups is not None and knob.groups.has_scheduler and name == "lr"
        args: dict[str, str | int | float] = {"name": name, "old": f"{before:.4g}", "new": f"{value:.4g}"}
        self.rewinding.turned(name, float(value))
        self.keep_knobs()
        self.flag("knob", Sentence("flag.knob_scheduler" if moved else "flag.knob", args))

    def keep(self, *objects: Stateful) -> None:
        """Put these of your own into the checkpoints: what `state_dict` gives goes back by `load_state_dict`.

        Model, optimizer, scheduler, scaler, random numbers and the loader's place are kept by themselves;
        other variables of the loop stay as they are when somebody goes back.

        Raises:
            TypeError: if one has no `state_dict` or no `load_state_dict`.
        """
        for one in objects:
            if not (hasattr(one, "state_dict") and hasattr(one, "load_state_dict")):
                raise TypeError(_WORDS("error.keep", kind=one_line(type(one).__name__)))
        self.checkpoints.kept_objects += objects

    def start(self, function: Callable[..., Any], *args: Any, **keywords: Any) -> Background:
        """Run a function that holds the loop on a thread, so that the cell is free at once.

        Args:
            function: called with `args` and `keywords`; what it raises ends the run and is shown.
            *args: for the function.
            **keywords: for the function.

        Raises:
            TypeError: if it cannot be called so.
            RuntimeError: if one that was started before still runs.
        """
        if not callable(function):
            raise TypeError(_WORDS("error.start_kind", kind=one_line(type(function).__name__)))
        if self.background is not None and self.background.is_running:
            raise RuntimeError(_WORDS("error.started", name=self.name))
        inspect.signature(function).bind(*args, **keywords)
        self.background = Background(lambda: function(*args, **keywords), self.name)
        return self.background

    def show(self, **keywords: Any) -> Any:
        """The run as a live picture."""
        return import_module(".showing", __package__).show(self, **keywords)

    def __enter__(self) -> Run:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> bool:
        stopped = isinstance(error, ending.Stopped)
        if error is not None and not stopped:
            self.fail(error)
        self.close()
        return stopped
