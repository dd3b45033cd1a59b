"""A record shows itself without Jupyter: as text in a terminal, as a picture in a notebook."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
import torch

import torchloupe as loupe
from torchloupe.core.record import Record

KINDS = {
    "plain": lambda: torch.arange(24.0).reshape(2, 3, 4),
    "scalar": lambda: torch.tensor(1.0),
    "empty": lambda: torch.empty(0, 3),
    "overlapping": lambda: torch.arange(6.0).unfold(0, 3, 1),
    "large": lambda: torch.empty(1000, 1000, 1000, device="meta"),
    "sparse": lambda: torch.eye(3).to_sparse(),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_record_has_text_and_picture(kind: str) -> None:
    record = loupe.strides.capture(KINDS[kind]())
    assert isinstance(record, Record)
    bundle = record._repr_mimebundle_()
    assert bundle["text/plain"] == str(record) == record.text()
    drawing = ET.fromstring(bundle["image/svg+xml"])
    words = " ".join(node.text or "" for node in drawing.iter("{http://www.w3.org/2000/svg}text"))
    assert record.reason is not None or "shape" in words
    for size in record.shape:
        assert str(size) in words


def test_a_picture_of_a_record_holds_no_values() -> None:
    record = loupe.strides.capture(torch.full((2, 2), 7654.0))
    assert "7654" not in record.picture().svg()
