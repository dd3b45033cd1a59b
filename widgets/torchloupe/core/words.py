"""Sentences in every language, from one `words.json` per room that Python and TypeScript both read.

An entry is `"id": {"en": "…", "zh-CN": "…"}`. `{name}` is replaced by an argument and
`{count:cell|cells}` by the first form when that argument is 1, else by the second.
A sentence crosses to the browser as id and arguments, and is worded where it is read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files

from . import language

_SLOT = re.compile(r"\{(\w+)(?::([^|{}]*)\|([^{}]*))?\}", re.ASCII)

Argument = str | int | float


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence not yet worded: its id in the room's `words.json`, and what fills its slots."""

    id: str
    args: dict[str, Argument] = field(default_factory=dict)


class Words:
    """The `words.json` of one package, for example `Words("torchloupe.strides")`."""

    def __init__(self, package: str) -> None:
        source = files(package).joinpath("words.json").read_text("utf-8")
        self._entries: dict[str, dict[str, str]] = json.loads(source)

    def __call__(self, id: str, /, **args: Argument) -> str:
        """Word the entry `id` in the language in force.

        Raises:
            KeyError: if the room has no such entry or the entry misses a language.
        """
        return fill(self._entries[id][language.current()], args)

    def entries(self, ids: set[str]) -> dict[str, dict[str, str]]:
        """The entries `ids` in every language, for a view that words them itself."""
        return {id: self._entries[id] for id in sorted(ids)}

    def say(self, sentence: Sentence) -> str:
        """Word a `Sentence` in the language in force."""
        return self(sentence.id, **sentence.args)


def sentence_ids(state: object) -> set[str]:
    """The ids of all sentences in `state`, a `dataclasses.asdict` of something that holds some."""
    if isinstance(state, dict):
        if state.keys() == {"id", "args"}:
            return {state["id"]}
        state = list(state.values())
    if isinstance(state, list | tuple):
        return {id for item in state if isinstance(item, dict | list | tuple) for id in sentence_ids(item)}
    return set()


def fill(template: str, args: Mapping[str, Argument]) -> str:
    """Replace each slot of `template`; what an argument holds is never read as a slot itself."""

    def slot(match: re.Match[str]) -> str:
        name, one, many = match.groups()
        value = args[name]
        return str(value) if one is None else (one if value == 1 else many)

    return _SLOT.sub(slot, template)
