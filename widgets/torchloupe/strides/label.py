"""One element as text: short as PyTorch prints it, and in full."""

from __future__ import annotations

import math


def label(value: bool | int | float | complex) -> str:
    """At most seven characters (complex numbers: eleven as a rule): `18.` a float, `18` an int, `nan`.

    Example:
        >>> label(18.0), label(18), label(1e-05), label(1 + 2j)
        ('18.', '18', '1e-05', '1.+2.j')
    """
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, int):
        return str(value) if abs(value) < 1_000_000 else _scientific(value)
    if isinstance(value, complex):
        return next(
            (text for digits in (4, 3) if len(text := _complex(value, digits)) <= 11), _complex(value, 2)
        )
    return _real(value, 4)


def _complex(value: complex, digits: int) -> str:
    imaginary = _real(value.imag, digits)
    return f"{_real(value.real, digits)}{'' if imaginary.startswith('-') else '+'}{imaginary}j"


def _real(value: float, significant: int) -> str:
    if not math.isfinite(value):
        return str(value)
    if value == int(value) and abs(value) < 100_000:
        return f"{'-' if math.copysign(1, value) < 0 else ''}{abs(int(value))}."
    text = f"{value:.{significant}g}"
    if "e" in text or len(text) > 7:
        text = f"{value:.{min(significant, 3)}g}"
    return text if len(text) <= 7 else _scientific(value)


def _scientific(value: float) -> str:
    digits, _, exponent = f"{value:.1e}".partition("e")
    return f"{digits}e{int(exponent)}"
