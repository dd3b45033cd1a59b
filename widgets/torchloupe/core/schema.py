"""Writes a room's `state.ts` from its `state.py`, so that view and lens cannot disagree (`make state`).

For development only: it needs pydantic and the repository's npm packages.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import is_dataclass
from importlib import import_module
from inspect import getsource
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, get_args, get_origin

PACKAGE = Path(__file__).parents[1]
BANNER = "// GENERATED from state.py by `make state`: change that file, not this one."
_REFERENCE = re.compile(
    r"(?:\n \*)?\n \* This (?:interface|type) was referenced by .*\n \* via the `definition` .*"
)
_EMPTY = re.compile(r"/\*\*\s*\*/\n")

Schema = dict[str, Any]


def rooms() -> list[str]:
    """Names of the rooms that describe their state, in order."""
    return sorted(source.parent.name for source in PACKAGE.glob("*/state.py"))


def schema(module: ModuleType) -> Schema:
    """The JSON schema of every dataclass and `Literal` that `module` defines, rooted at its `Frame`.

    Args:
        module: a room's `state` module; it has a dataclass `Frame`.
    """
    from pydantic import TypeAdapter  # for development only, so not a dependency

    own = [kind for kind in vars(module).values() if isinstance(kind, type) and is_dataclass(kind)]
    _, collected = TypeAdapter.json_schemas(
        [(kind.__name__, "serialization", TypeAdapter(kind)) for kind in own]
    )
    definitions: dict[str, Schema] = collected["$defs"]
    choices = dict(_choices(module))
    notes = dict(_notes(module))
    for name, definition in definitions.items():
        properties: dict[str, Schema] = definition["properties"]
        definition["required"] = list(properties)
        for field, described in properties.items():
            properties[field] = _property(described, notes.get((name, field)), choices)
    named = {name: {"title": name, "enum": values} for name, values in choices.items()}
    return {**definitions.pop("Frame"), "$defs": named | definitions}


def typescript(room: str) -> str:
    """The text of `state.ts` for `room`.

    Raises:
        RuntimeError: if the TypeScript generator fails; the message is its own.
    """
    source = json.dumps(schema(import_module(f"torchloupe.{room}.state")))
    generator = PACKAGE.parents[1] / "node_modules/.bin/json2ts"
    options = ["--additionalProperties=false", "--unreachableDefinitions", "--bannerComment", BANNER]
    done = subprocess.run([generator, *options], input=source, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise RuntimeError(f"{generator} failed; is `npm ci` done?\n{done.stderr}")
    return _EMPTY.sub("", _REFERENCE.sub("", done.stdout))


def main() -> None:
    """Write `state.ts` of the rooms named on the command line, or of all."""
    for room in sys.argv[1:] or rooms():
        (PACKAGE / room / "state.ts").write_text(typescript(room), "utf-8")


def _property(described: Schema, note: str | None, choices: dict[str, list[str]]) -> Schema:
    # The generator would make a type alias of each property's title.
    plain = {key: value for key, value in described.items() if key != "title"}
    name = next((name for name, values in choices.items() if plain.get("enum") == values), None)
    if name:
        plain = {"$ref": f"#/$defs/{name}"}
    # Beside a bare `$ref` a description would make a second type of it.
    return {"allOf": [plain], "description": note} if note else plain


def _choices(module: ModuleType) -> Iterator[tuple[str, list[str]]]:
    """Each module-level `Name = Literal[...]`."""
    for name, value in vars(module).items():
        if get_origin(value) is Literal:
            yield name, list(get_args(value))


def _notes(module: ModuleType) -> Iterator[tuple[tuple[str, str], str]]:
    """The string that stands under a field, by class and field: Python keeps it in the source only."""
    for node in ast.parse(getsource(module)).body:
        if not isinstance(node, ast.ClassDef):
            continue
        for field, below in zip(node.body, node.body[1:], strict=False):
            if isinstance(field, ast.AnnAssign) and isinstance(below, ast.Expr):
                assert isinstance(field.target, ast.Name) and isinstance(below.value, ast.Constant)
                yield (node.name, field.target.id), " ".join(str(below.value.value).split())


if __name__ == "__main__":
    main()
