"""`import torchloupe` is light, and names its rooms when asked."""

from __future__ import annotations

import subprocess
import sys

import pytest

import torchloupe


def test_importing_it_loads_neither_pytorch_nor_jupyter() -> None:
    heavy = {"torch", "numpy", "anywidget", "ipywidgets", "IPython"}
    program = f"import sys, torchloupe; print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_it_lists_and_has_its_public_names() -> None:
    assert dir(torchloupe) == sorted(torchloupe.__all__)
    for name in torchloupe.__all__:
        assert getattr(torchloupe, name) is not None


def test_a_name_it_has_not_says_what_it_has() -> None:
    with pytest.raises(AttributeError, match="'autograd_'; it has __version__, autograd, language, strides"):
        torchloupe.autograd_  # noqa: B018
