"""See PyTorch while you write it.

    import torchloupe as loupe

    x = torch.arange(12).reshape(3, 4)
    loupe.strides.show(x, x.T)

Each lens is a subpackage, imported when it is first named: `import torchloupe` itself needs neither
PyTorch nor Jupyter.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from . import autograd, strides
    from .core.language import language

    __version__: str

__all__ = ["__version__", "autograd", "language", "strides"]

_ROOMS = ("autograd", "strides")


def __getattr__(name: str) -> object:
    if name in _ROOMS:
        return import_module(f".{name}", __name__)
    if name == "language":
        return import_module(".core.language", __name__).language
    if name == "__version__":
        return version("torchloupe")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}.")


def __dir__() -> list[str]:
    return __all__


def _jupyter_labextension_paths() -> list[dict[str, str]]:
    return [{"src": "labextension", "dest": "torchloupe"}]
