"""Why PyTorch refuses an operation, for these very numbers."""

from __future__ import annotations

from collections.abc import Callable

from . import why_copied, why_picked, why_reordered, why_reshaped
from .bench import Bench, Tried
from .entry import Entry
from .operations import Texts
from .perform import links, perform
from .record import StridesRecord
from .state import Refusal
from .why import Why, say

Explainer = Callable[[StridesRecord, Texts, str], Why | None]

_EXPLAINERS: dict[str, Explainer] = {
    **why_reordered.EXPLAINERS,
    **why_reshaped.EXPLAINERS,
    **why_picked.EXPLAINERS,
    **why_copied.EXPLAINERS,
}


def refusal(bench: Bench, tried: Tried) -> Refusal:
    """The refusal of the last step."""
    reason = why(bench.entries[tried.source], tried)
    return Refusal(heading=reason.heading, detail=reason.detail, walk=reason.walk, error=tried.trial.error)


def why(source: Entry, tried: Tried) -> Why:
    """Explain a refused step; in a chain, the link that was refused."""
    record = source.record
    for name, texts in links(tried.operation, tried.texts):
        trial = perform(record, name, texts)
        if trial.record is None:
            explain = _EXPLAINERS.get(name)
            found = explain(record, texts, source.name) if explain else None
            return found or Why(say("refused.other"), say("refused.other.detail"))
        record = trial.record
    return Why(say("refused.other"), say("refused.other.detail"))
