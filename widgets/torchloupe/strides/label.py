"""One element as text: short as PyTorch prints it, and in full."""

from __future__ import annotations

import math


def label(value: bool | int | float | complex) -> str:
    """At most seven characters (complex numbers: two such): `18.` a float, `18` an int, `nan`, `1e-05`.

    Example:
        >>> label(18.0), label(18), label(1e-05), label(1 + 2j)
        ('18.', '18', '1e-05', '1.+2.j')
    """
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, int):
        return str(value) if abs(value) < 1_000_000 else _scientific(value)
    if isinstance(value, complex):
        imaginary = _real(value.imag)
        return f"{_real(value.real)}{'' if imaginary.startswith('-') else '+'}{imaginary}j"
    return _real(value)


def _real(value: float) -> str:
    if not math.isfinite(value):
        return str(value)
    if value == int(value) and abs(value) < 100_000:
        return f"{'-' if math.copysign(1, value) < 0 else ''}{abs(int(value))}."
    text = f"{value:.4g}"
    if "e" in text or len(text) > 7:
        text = f"{value:.3g}"
    return text if len(text) <= 7 else _scientific(value)


def _scientific(value: float) -> str:
    digits, _, exponent = f"{value:.1e}".partition("e")
    return f"{digits}e{int(exponent)}"
