"""What traces remembered: sequence numbers at the beginning and end of module calls, by thread."""

from __future__ import annotations

import threading
import weakref
from array import array
from collections import deque

import numpy as np
from numpy.typing import NDArray
from torch import nn

from .calls import NO_CALLS, Calls
from .module_names import ModuleNames
from .source_lines import Line, LineLog

BITS = 24
"""An event is `sequence number << BITS | place of the module << 1 | 1 when the call ends`."""
MOST_EVENTS = 400_000
"""Events kept for each thread of a trace (8 bytes each); older ones go."""
MOST_LOGS = 32
"""Traces remembered after they ended."""
_STILL_OPEN = 2**62

Ids = NDArray[np.int64]


class _Thread(threading.local):
    """Stands for the thread that asks: idents are given again to later threads, these objects are not."""

    def __init__(self) -> None:
        self.token = object()


_thread = _Thread()


class _Mine(threading.local):
    """The events of the thread that asks."""

    def __init__(self, threads: list[tuple[object, array[int]]]) -> None:
        self.events = array("q")
        threads.append((_thread.token, self.events))


class Log:
    """What one trace saw. Holds no module."""

    def __init__(self, model: nn.Module | None) -> None:
        self.model = None if model is None else weakref.ref(model)
        self.names = ModuleNames()
        self.threads: list[tuple[object, array[int]]] = []
        self.mine = _Mine(self.threads)
        self.lines = LineLog()
        self.closed = False

    def close(self) -> None:
        """The trace ended: calls still open were cut short by an error."""
        self.closed = True
        self.names.close()

    def calls(self, numbers: Ids) -> Calls:
        """Calls of this thread that made nodes of these sequence numbers, ascending."""
        for token, events in self.threads:
            if token is _thread.token:
                return _paired(np.array(events[:], np.int64), numbers, self)
        return NO_CALLS


_logs: deque[Log] = deque(maxlen=MOST_LOGS)


def remember(log: Log) -> None:
    """Keep `log` for the captures that follow, in place of the oldest."""
    _logs.append(log)


def spans_for(sequences: Ids, model: object = None) -> Calls:
    """The module calls, seen by traces in this thread, that made nodes of a graph.

    Args:
        sequences: sequence numbers of the graph's nodes, -1 for leaves.
        model: the module the names should be relative to, where it holds a traced one.

    Returns:
        Calls in the order in which they began; those that made no node at all are left out.
    """
    numbers = np.sort(sequences[sequences >= 0])
    if not len(numbers) or not _logs:
        return NO_CALLS
    found = [(log, calls) for log in list(_logs) if len(calls := log.calls(numbers))]
    return _merged(_without_repeats(found), model) if found else NO_CALLS


def lines_for(sequences: Ids) -> list[Line | None] | None:
    """The line of code that made each node, by its sequence number; None when no trace recorded lines.

    Args:
        sequences: sequence numbers of the graph's nodes, -1 for leaves.
    """
    found: list[Line | None] | None = None
    for log in list(_logs):
        lines = log.lines.lines(sequences)
        if lines is not None:
            found = lines if found is None else [new or old for new, old in zip(lines, found, strict=True)]
    return found


def _paired(events: Ids, numbers: Ids, log: Log) -> Calls:
    bounds = [int(numbers[0]) << BITS, (int(numbers[-1]) + 1) << BITS]
    start, stop = np.searchsorted(events, bounds).tolist()
    depth = np.concatenate([[0], np.cumsum(1 - 2 * (events & 1))])
    outermost = np.flatnonzero(depth[: start + 1] == 0)
    start = int(outermost[-1]) if len(outermost) else 0
    inside = np.flatnonzero(depth[stop:] <= 0)
    stop = stop + int(inside[0]) if len(inside) else len(events)

    number = (events[start:stop] >> BITS).tolist()
    code = (events[start:stop] & ((1 << BITS) - 1)).tolist()
    first, last, module = list[int](), list[int](), list[int]()
    unfinished = list[int]()
    for at, event in zip(number, code, strict=True):
        if not event & 1:
            unfinished.append(len(first))
            first.append(at)
            last.append(-1)
            module.append(event >> 1)
        elif unfinished and module[unfinished[-1]] == event >> 1:
            last[unfinished.pop()] = at
        elif any(module[call] == event >> 1 for call in unfinished):
            # Calls above it were left by an interrupt, which tells no hook: how long they took is not known.
            while module[unfinished[-1]] != event >> 1:
                unfinished.pop()
            last[unfinished.pop()] = at
    if not log.closed:
        for call in unfinished:
            last[call] = _STILL_OPEN
    return _calls(first, last, module, numbers, log)


def _calls(first: list[int], last: list[int], module: list[int], numbers: Ids, log: Log) -> Calls:
    firsts, lasts = np.array(first, np.int64), np.array(last, np.int64)
    made = np.searchsorted(numbers, firsts) < np.searchsorted(numbers, lasts)
    firsts, lasts, modules = firsts[made], lasts[made], np.array(module, np.int32)[made]
    calls = Calls(firsts, lasts, modules)
    places, paths = log.names.resolved(modules, calls.parents)
    return Calls(firsts, lasts, places, paths, tuple(log.names.classes_of(modules, places, len(paths))))


def _without_repeats(found: list[tuple[Log, Calls]]) -> list[tuple[Log, Calls]]:
    """A call that two open traces saw counts once, with the name that the outer one gave it."""
    if len(found) == 1:
        return found
    seen = set[tuple[int, int, str]]()
    kept = []
    for log, calls in found:
        new = np.array([_key(calls, place) not in seen for place in range(len(calls))], bool)
        seen.update(_key(calls, place) for place in np.flatnonzero(new).tolist())
        if new.any():
            calls = Calls(calls.first[new], calls.last[new], calls.module[new], calls.paths, calls.classes)
            kept.append((log, calls))
    return kept


def _key(calls: Calls, place: int) -> tuple[int, int, str]:
    return int(calls.first[place]), int(calls.last[place]), calls.classes[calls.module[place]]


def _merged(found: list[tuple[Log, Calls]], model: object) -> Calls:
    prefixes = _prefixes([log for log, _ in found], model)
    if len(found) == 1 and not prefixes[0]:
        return found[0][1]
    paths: dict[tuple[str, str], int] = {}
    firsts, lasts, modules = [], [], []
    for (_, calls), prefix in zip(found, prefixes, strict=True):
        named = [
            (".".join(part for part in (prefix, path) if part), cls)
            for path, cls in zip(calls.paths, calls.classes, strict=True)
        ]
        places = np.array([paths.setdefault(name, len(paths)) for name in named], np.int32)
        firsts.append(calls.first)
        lasts.append(calls.last)
        modules.append(places[calls.module])
    first, last, module = np.concatenate(firsts), np.concatenate(lasts), np.concatenate(modules)
    order = np.lexsort((-last, first))
    names = list(paths)
    return Calls(
        first[order], last[order], module[order], tuple(n for n, _ in names), tuple(c for _, c in names)
    )


def _prefixes(logs: list[Log], model: object) -> list[str]:
    """What to put before the names of each trace: its model's place in `model`, or its class among others."""
    inside = {id(m): path for path, m in model.named_modules()} if isinstance(model, nn.Module) else {}
    models = [None if log.model is None else log.model() for log in logs]
    named = dict[int, str]()
    for log, traced in zip(logs, models, strict=True):
        if id(traced) not in named:
            same = sum(name.partition("_")[0] == log.names.root_class for name in named.values())
            named[id(traced)] = f"{log.names.root_class}_{same + 1}" if same else log.names.root_class
    if len(named) == 1:
        named = dict.fromkeys(named, "")
    return [inside.get(id(traced), named[id(traced)]) for traced in models]
