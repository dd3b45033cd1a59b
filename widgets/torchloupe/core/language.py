"""The one language of prose, lenses and kernel sentences.

Order of precedence: what the person set by hand with `torchloupe.language("zh-CN")`, then what an open
view reported (the browser's setting), then the environment (`TORCHLOUPE_LANG`, then `LANG`), then English.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal, cast, get_args

Language = Literal["en", "zh-CN"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

_chosen: Language | None = None
_reported: Language | None = None
_borrowed: ContextVar[Language | None] = ContextVar("torchloupe_language", default=None)


def parse(tag: str) -> Language | None:
    """The language a locale tag asks for, or None when it is neither of ours.

    Args:
        tag: a BCP 47 or POSIX tag such as `"zh_CN.UTF-8"`, `"zh-Hans"` or `"en"`.
    """
    primary = tag.replace("_", "-").split("-")[0].split(".")[0].lower()
    return cast("Language | None", {"zh": "zh-CN", "en": "en"}.get(primary))


def current() -> Language:
    """The language to word the next sentence in."""
    if known := _borrowed.get() or _chosen or _reported:
        return known
    for variable in ("TORCHLOUPE_LANG", "LANG"):
        if found := parse(os.environ.get(variable, "")):
            return found
    return "en"


@contextmanager
def worded_in(tag: Language) -> Iterator[None]:
    """Word sentences in `tag` for the time of a `with` block, whatever is set."""
    token = _borrowed.set(tag)
    try:
        yield
    finally:
        _borrowed.reset(token)


def report(tag: str) -> None:
    """Take the language a view shows; a language chosen by hand stays above it."""
    global _reported
    _reported = parse(tag) or _reported


def language(tag: str | None = None) -> Language:
    """Read or set the language of lenses and of the sentences the kernel writes.

    Args:
        tag: `"en"` or `"zh-CN"` to set it by hand, `"auto"` to follow the browser and the environment
            again, or None to read it.

    Returns:
        The language in force afterwards.

    Raises:
        ValueError: if `tag` names no language Torchloupe has.

    Example:
        >>> import torchloupe as loupe
        >>> loupe.language("zh-CN")
        'zh-CN'
    """
    global _chosen
    if tag is not None:
        if tag != "auto" and tag not in LANGUAGES:
            raise ValueError(f'Torchloupe reads "en", "zh-CN" or "auto"; it has no {tag!r}.')
        _chosen = None if tag == "auto" else cast("Language", tag)
    return current()
