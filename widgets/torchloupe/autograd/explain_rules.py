"""What a node's rule reads, in PyTorch's own names of what it saved.

Source: `tools/autograd/derivatives.yaml` of PyTorch; the tests compare each with `torch.autograd.grad`.
"""

from __future__ import annotations

import re

RULES = {
    "exp": "grad * result",
    "exp2": "grad * result * log(2)",
    "expm1": "grad * (result + 1)",
    "sigmoid": "grad * result * (1 - result)",
    "tanh": "grad * (1 - result ** 2)",
    "relu": "grad * (result > 0)",
    "sqrt": "grad / (2 * result)",
    "rsqrt": "-grad / 2 * result ** 3",
    "reciprocal": "-grad * result ** 2",
    "softmax": "result * (grad - (grad * result).sum(dim))",
    "log_softmax": "grad - exp(result) * grad.sum(dim)",
    "sin": "grad * cos(self)",
    "cos": "-grad * sin(self)",
    "log": "grad / self",
    "abs": "grad * sign(self)",
    "pow": "grad * exponent * self ** (exponent - 1)",
    "mul": "grad * other, grad * self",
    "div": "grad / other, -grad * self / other ** 2",
    "mm": "grad @ mat2.T, self.T @ grad",
    "addmm": "grad @ mat2.T, mat1.T @ grad",
    "bmm": "grad @ mat2.mT, self.mT @ grad",
    "mv": "outer(grad, vec), self.T @ grad",
    "dot": "grad * tensor, grad * self",
}
"""The gradient of each input by name of the operation; `grad` is what arrives."""


def operation(title: str) -> str:
    """`ExpBackward0` → `exp`; the class of a custom Function keeps its name.

    Example:
        >>> operation("LogSoftmaxBackward0")
        'log_softmax'
    """
    stem = re.sub(r"Backward\d*$", "", title)
    if not title[-1:].isdigit():
        return stem
    return re.sub(r"(?<=[a-z\d])(?=[A-Z])", "_", stem).lower()
