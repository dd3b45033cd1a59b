"""Scalars as a TensorBoard event file: appended in whole records, read back from any event folder.

A record is written with one `write`, so that a process that is killed leaves at most one torn record at the
end, which every reader skips. The format is TensorBoard's own, through its own record writer and reader.
"""

from __future__ import annotations

import io
import itertools
import os
import socket
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ..core.words import Words

_WORDS = Words(__package__)
_COUNTER = itertools.count()
PATTERN = "*tfevents*"


class Scalar(NamedTuple):
    """One value of one curve."""

    tag: str
    """`loss/train`."""
    step: int
    value: float
    """float32 is what an event file keeps."""
    wall_time: float
    """Seconds since the epoch."""


class EventFile:
    """A new event file in a folder. One thread writes.

    Args:
        folder: made if it is not there. Files of earlier runs in it stay as they are.

    Raises:
        OSError: if the folder cannot be made or written.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        began = time.time()
        unique = f"{os.getpid()}.{next(_COUNTER)}"
        self.path = (
            folder / f"events.out.tfevents.{int(began):010d}.{socket.gethostname()}.{unique}.torchloupe"
        )
        self._file = self.path.open("xb", buffering=0)
        self._append([_version(began)])

    def write(self, scalars: Iterable[Scalar]) -> None:
        """Append scalars; after this they survive the end of the process."""
        self._append([_event(scalar) for scalar in scalars])

    def close(self) -> None:
        """Close the file; a second time does nothing."""
        self._file.close()

    def _append(self, events: list[bytes]) -> None:
        from tensorboard.summary.writer.record_writer import RecordWriter

        if not events:
            return
        block = io.BytesIO()
        records = RecordWriter(block)
        for event in events:
            records.write(event)
        left = memoryview(block.getvalue())
        while left:
            left = left[self._file.write(left) :]


def read(folder: Path) -> Iterator[Scalar]:
    """Every scalar in the event files of a folder, in the order they were written.

    Files are read oldest first. Histograms, images and text are passed over; a torn end is skipped.

    Args:
        folder: holds event files, of TensorBoard, PyTorch's `SummaryWriter`, TensorFlow or this module.

    Raises:
        FileNotFoundError: if there is no event file in it.
    """
    files = sorted((path for path in folder.glob(PATTERN) if path.is_file()), key=_age)
    if not files:
        raise FileNotFoundError(_WORDS("error.no_events", folder=str(folder)))
    for file in files:
        yield from _scalars(file)


def folders(path: Path) -> list[Path]:
    """The folders at or below `path` that hold event files, in order."""
    return sorted({found.parent for found in path.rglob(PATTERN) if found.is_file()})


def _age(path: Path) -> tuple[str, int, str]:
    """Names hold the second a file was begun; those of one second go by time of change."""
    stamp = path.name.partition("tfevents.")[2].partition(".")[0]
    return stamp, path.stat().st_mtime_ns, path.name


def _version(began: float) -> bytes:
    from tensorboard.compat.proto.event_pb2 import Event

    event: Any = Event(wall_time=began, file_version="brain.Event:2")
    written: bytes = event.SerializeToString()
    return written


def _event(scalar: Scalar) -> bytes:
    from tensorboard.compat.proto.event_pb2 import Event
    from tensorboard.compat.proto.summary_pb2 import Summary

    value = Summary.Value(tag=scalar.tag, simple_value=scalar.value)
    event: Any = Event(wall_time=scalar.wall_time, step=scalar.step, summary=Summary(value=[value]))
    written: bytes = event.SerializeToString()
    return written


def _scalars(file: Path) -> Iterator[Scalar]:
    from tensorboard.backend.event_processing.event_file_loader import LegacyEventFileLoader
    from tensorboard.util import tensor_util

    for event in LegacyEventFileLoader(str(file)).Load():
        for value in event.summary.value if event.HasField("summary") else ():
            kind = value.WhichOneof("value")
            if kind == "simple_value":
                yield Scalar(value.tag, event.step, value.simple_value, event.wall_time)
            elif kind == "tensor" and _is_scalar(value):
                number = float(tensor_util.make_ndarray(value.tensor).reshape(-1)[0])
                yield Scalar(value.tag, event.step, number, event.wall_time)


def _is_scalar(value: Any) -> bool:
    """Whether a tensor summary is one number: TensorFlow 2 and the new-style writers keep scalars so."""
    from tensorboard.compat.proto import types_pb2

    numeric = {types_pb2.DT_FLOAT, types_pb2.DT_DOUBLE, types_pb2.DT_HALF, types_pb2.DT_BFLOAT16}
    sizes = [dimension.size for dimension in value.tensor.tensor_shape.dim]
    return value.tensor.dtype in numeric and all(size == 1 for size in sizes)
