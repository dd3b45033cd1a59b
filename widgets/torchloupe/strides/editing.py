"""Arguments of a step, changed in place."""

from __future__ import annotations

from .arguments import split
from .perform import SEPARATOR, links


def flipped(operation: str, texts: list[str], rank: int) -> tuple[int, ...]:
    """The axes a flip reverses, counted from 0."""
    return (
        tuple(int(text) % max(rank, 1) for text in links(operation, texts)[0][1])
        if operation == "flip"
        else ()
    )


def edited(operation: str, texts: list[str], place: int, text: str) -> list[str]:
    """`texts` with argument `place`, counted without separators, replaced by what was typed."""
    shown = [own for _, own in links(operation, texts)]
    for group in shown:
        if place < len(group):
            group[place : place + 1] = [text]
            break
        place -= len(group)
    if operation == "as_strided":
        shown = [_restrided(shown[0], place)]
    joined = shown[0]
    for group in shown[1:]:
        joined = [*joined, SEPARATOR, *group]
    return joined


def _restrided(texts: list[str], place: int) -> list[str]:
    """Sizes typed into or taken out of `as_strided` bring or take their strides along."""
    rank = len(texts) // 2
    change = len(split([texts[place]])) - 1
    if place >= rank or change == 0:
        return texts
    twin = rank + place
    strides = [texts[twin]] if change > 0 else []
    return [*texts[:twin], *strides, *["1"] * change, *texts[twin + 1 :]]
