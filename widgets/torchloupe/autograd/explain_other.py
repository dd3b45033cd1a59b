"""The other errors around a backward: each is known by PyTorch's words."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from ..core.words import Sentence
from .explain_custom import NAMED, custom, raised
from .explain_fix import Fix
from .explain_freed import freed
from .explain_graph import roots_of
from .explain_outline import called_at, failed_at, outline
from .explain_recording import Recording
from .explain_statement import Statement, statement, whole
from .state import Explanation

_ATOMS = (ast.Name, ast.Call, ast.Attribute, ast.Subscript)
_SIZE = re.compile(r"has a shape of torch\.Size\(\[([\d, ]*)\]\)")


def other(error: BaseException, recording: Recording | None) -> Explanation | None:
    """Explain an error that is no in-place error, or None when backward has nothing to do with it."""
    message = str(error)
    if isinstance(error, RuntimeError):
        if message.startswith("Trying to backward through the graph a second time"):
            return freed(error, recording)
        if NAMED.match(message):
            return custom(error, recording)
        for words, tell in _TELLERS.items():
            if words in message:
                return tell(error)
    return raised(error)


def _not_scalar(error: BaseException) -> Explanation:
    at = called_at(error)
    roots = roots_of(error)
    shape, count = (str(tuple(roots[0].shape)), roots[0].numel()) if roots else ("?", 0)
    return outline(
        "not_scalar", error, Sentence("explain.scalar.head", {"shape": shape, "n": count}),
        Sentence("explain.scalar.detail"), at, fix=_summed(statement(at)), way=Sentence("explain.scalar.way"),
    )  # fmt: skip


def _summed(found: Statement | None) -> Fix | None:
    """`y.backward()` becomes `y.sum().backward()`."""
    call = found.node if found else None
    if found is None or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    root = (
        call.args[0]
        if isinstance(call.func.value, ast.Name | ast.Attribute) and call.args
        else call.func.value
    )
    if found.segment(call.func) in ("torch.autograd.grad", "torch.autograd.backward"):
        root = call.args[0] if call.args else root
    elif call.func.attr != "backward" or call.args:
        return None
    if isinstance(root, ast.List | ast.Tuple) or found.segment(root).startswith("torch.autograd"):
        return None
    words = found.segment(root) if isinstance(root, _ATOMS) else f"({found.segment(root)})"
    around = found.segment(root)
    new = found.edited([whole(root, f"{words}.sum()")])
    if not isinstance(root, _ATOMS) and f"({around}).backward" in found.old():
        new = found.edited([whole(root, around)]).replace(
            f"({around}).backward", f"({around}).sum().backward"
        )
    return Fix(found.statement.lineno, found.old(), new, Sentence("explain.scalar.way"))


def _leaf(error: BaseException) -> Explanation:
    at = failed_at(error)
    found = statement(at)
    view = str(error).startswith("a view")
    name = _target(found)
    heading = Sentence("explain.leaf.view" if view else "explain.leaf.head", {"name": name or "w"})
    way = Sentence("explain.leaf.way")
    fix = None
    if (
        found is not None
        and found.alone
        and isinstance(found.statement, ast.AugAssign | ast.Expr | ast.Assign)
    ):
        fix = Fix(found.statement.lineno, found.old(), f"with torch.no_grad():\n    {found.old()}", way)
    return outline("leaf", error, heading, Sentence("explain.leaf.detail"), at, fix=fix, way=way)


def _target(found: Statement | None) -> str:
    node = found.node if found else None
    node = (
        node.target if isinstance(node, ast.AugAssign) else node.func if isinstance(node, ast.Call) else node
    )
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _no_graph(error: BaseException) -> Explanation:
    roots = roots_of(error)
    whole_numbers = bool(roots) and not (roots[0].is_floating_point() or roots[0].is_complex())
    why = "explain.no_graph.integer" if whole_numbers else "explain.no_graph.detail"
    way = Sentence("explain.no_graph.way")
    return outline(
        "no_graph", error, Sentence("explain.no_graph.head"), Sentence(why), called_at(error), way=way
    )


def _unused(error: BaseException) -> Explanation:
    at = called_at(error)
    found, way = statement(at), Sentence("explain.unused.way")
    fix = None
    if found is not None and isinstance(found.node, ast.Call):
        end = (found.node.end_lineno or 0, (found.node.end_col_offset or 0) - 1)
        fix = Fix(found.statement.lineno, found.old(), found.edited([(end, end, ", allow_unused=True")]), way)
    return outline(
        "other", error, Sentence("explain.unused.head"), Sentence("explain.unused.detail"), at, fix=fix
    )


def _several_views(error: BaseException) -> Explanation:
    heading, detail = Sentence("explain.views.head"), Sentence("explain.views.detail")
    return outline("leaf", error, heading, detail, failed_at(error), way=Sentence("explain.views.way"))


def _given_shape(error: BaseException) -> Explanation:
    got, wanted = _SIZE.findall(str(error))[:2]
    heading = Sentence("explain.given.head", {"got": f"({got})", "wanted": f"({wanted})"})
    return outline("other", error, heading, Sentence("explain.given.detail"), called_at(error))


_TELLERS: dict[str, Callable[[BaseException], Explanation]] = {
    "grad can be implicitly created only for scalar outputs": _not_scalar,
    "leaf Variable that requires grad is being used in an in-place operation": _leaf,
    "does not require grad and does not have a grad_fn": _no_graph,
    "appears to not have been used in the graph": _unused,
    "is a view and is being modified inplace": _several_views,
    "Mismatch in shape: grad_output": _given_shape,
}
