"""`run.loop`: the batches of some epochs, with a person's orders obeyed between them."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeVar

from ..core.words import Sentence
from . import ending
from .place import End, Place

if TYPE_CHECKING:
    from .run import Run

T = TypeVar("T")


def batches(run: Run, place: Place[T]) -> Iterator[T]:
    """The batches; see `Run.loop`."""
    steps = run.stepping
    began = ending.offsets(inspect.currentframe())
    try:
        steps.begin(place)
        while True:
            run.rewinding.arrive()
            run.checkpoints.offer(run, place.position)
            answer = steps.boundary()
            if answer == "stop":
                run.end("stopped", Sentence("ended.stopped", {"step": run.at}))
                return
            if answer == "rewind":
                run.rewinding.go_back(place, run.orders.back_to)
                continue
            batch = place.next()
            if isinstance(batch, End):
                break
            steps.enter_epoch(place.epoch)
            steps.step_begins(batch)
            yield batch
            steps.step_ends()
        run.end("finished")
    except GeneratorExit:
        # A generator that somebody kept may be closed when its loop is long over.
        if run.orders.live and steps.place is place:
            run.leave(ending.left(inspect.currentframe(), began))
        raise
    except BaseException as error:
        run.fail(error)
        raise
