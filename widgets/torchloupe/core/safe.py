"""Text from outside (names, reprs, errors) made fit to show: bounded, one line, no control characters."""

from __future__ import annotations

import unicodedata

_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def one_line(text: object, limit: int = 80) -> str:
    r"""Fold `text` to one visible line of at most `limit` characters.

    It is never HTML: views show it with `textContent`, pictures escape it. Bidirectional overrides and other
    invisible characters are dropped, so a name cannot disguise itself. An object whose `str` raises is
    shown by its type.

    Example:
        >>> one_line("a\nb")
        'a b'
    """
    try:
        string = str(text)
    except Exception:
        string = f"<{type(text).__name__}>"
    spaced = " ".join(string[: limit * 8].split())
    visible = " ".join("".join(c for c in spaced if unicodedata.category(c) not in _HIDDEN).split())
    return visible if len(visible) <= limit else visible[: limit - 1] + "…"
