"""What a node multiplies its gradient by, where that is one short factor.

Source: `tools/autograd/derivatives.yaml` of PyTorch.
"""

from __future__ import annotations

from .nodes import Node, Saved

_FACTORS = {
    "ExpBackward0": "{result}",
    "SigmoidBackward0": "s·(1 − s)",
    "TanhBackward0": "1 − t²",
    "LogBackward0": "1 / {self}",
    "SinBackward0": "cos {self}",
    "CosBackward0": "−sin {self}",
    "NegBackward0": "−1",
    "ReluBackward0": "1 if {result} > 0 else 0",
    "SqrtBackward0": "1 / (2·{result})",
}
_NEAR = {"s": "sigmoid", "t": "tanh"}


def rule(node: Node) -> str:
    """Such as `2·x` for `x**2`; empty when it takes more than one factor to say.

    Example:
        >>> import torch, torchloupe as loupe
        >>> x = torch.tensor(3.0, requires_grad=True)
        >>> rule(loupe.autograd.capture(x**2, {"x": x}).nodes[0])
        '2·x'
    """
    saved = {kept.slot: kept for kept in node.saved}
    if node.type == "PowBackward0":
        return _power(saved)
    if node.type == "MulBackward0":
        return _product(saved)
    template = _FACTORS.get(node.type)
    if template is None:
        return ""
    names = {slot: _name(saved.get(slot), slot) for slot in ("self", "result")}
    return template.format(**names)


def _power(saved: dict[str, Saved]) -> str:
    base, exponent = _name(saved.get("self"), "self"), saved.get("exponent")
    if exponent is None or exponent.kind != "number":
        return ""
    try:
        power = float(exponent.text)
    except ValueError:
        return ""
    if power == 1:
        return "1"
    if power == 2:
        return f"2·{base}"
    return f"{power:g}·{base}**{power - 1:g}"


def _product(saved: dict[str, Saved]) -> str:
    """With two factors that need gradients there are two rules, one for each way out."""
    held = [saved[slot] for slot in ("self", "other") if slot in saved and saved[slot].kind == "tensor"]
    return held[0].owner if len(held) == 1 else ""


def _name(kept: Saved | None, slot: str) -> str:
    return kept.owner if kept is not None and kept.owner else slot
