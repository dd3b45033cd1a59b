"""Numbers as a person reads them."""

from __future__ import annotations

_UNITS = ("kB", "MB", "GB", "TB", "PB", "EB")


def exact(nbytes: int) -> str:
    """Every byte: `"4,000,000 B"`."""
    return f"{nbytes:,} B"


def short(nbytes: int) -> str:
    """Exact below 10 kB, else three digits of an SI unit: `"96 B"`, `"4 MB"`."""
    if nbytes < 10_000:
        return exact(nbytes)
    power = min((len(str(nbytes)) - 1) // 3, len(_UNITS))
    if nbytes / 1000**power >= 999.5 and power < len(_UNITS):
        power += 1
    return f"{nbytes / 1000**power:.3g} {_UNITS[power - 1]}"


def sizes(shape: tuple[int, ...] | list[int]) -> str:
    """A shape as Python writes it, `(2, 3)`, with `*` for a ragged axis."""
    inner = ", ".join("*" if size < 0 else str(size) for size in shape)
    return f"({inner},)" if len(shape) == 1 else f"({inner})"
