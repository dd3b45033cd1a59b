"""What a person asked for: roots, gradients to start with, inputs, and what they mean in the graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from . import leaves
from .outputs import tensors_in
from .record import GraphRecord


@dataclass(frozen=True, slots=True)
class Request:
    """Arguments of one backward."""

    roots: list[torch.Tensor]
    gradients: list[torch.Tensor | None] | None
    retain_graph: bool | None
    create_graph: bool
    inputs: Any

    def call(self) -> None:
        """Do it, as `torch.autograd.backward` does."""
        torch.autograd.backward(
            self.roots,
            self.gradients,
            retain_graph=self.retain_graph,
            create_graph=self.create_graph,
            inputs=self.inputs,
        )

    @property
    def keeps_graph(self) -> bool:
        """Whether the graph can be used again."""
        return self.create_graph if self.retain_graph is None else self.retain_graph

    def ends(self, nodes: Sequence[Any]) -> list[int] | None:
        """Ids of the nodes of `inputs`, or None when every leaf is meant."""
        if self.inputs is None:
            return None
        ids = {node: id for id, node in enumerate(nodes)}
        found = (ids.get(_node(each)) for each in _listed(self.inputs))
        return [id for id in found if id is not None]

    def beside(self, record: GraphRecord, nodes: Sequence[Any], model: Any) -> list[torch.Tensor]:
        """Leaves outside the graph whose `.grad` this backward may still write: roots, inputs, and parameters
        that a checkpoint or a custom Function may reach by a backward of its own.
        """
        known = {id(nodes[leaf.node].variable) for leaf in record.leaves}
        parameters = list(model.parameters()) if isinstance(model, torch.nn.Module) else []
        asked = [each for each in _listed(self.inputs) if isinstance(each, torch.Tensor)]
        return [
            tensor
            for tensor in {id(tensor): tensor for tensor in [*self.roots, *asked, *parameters]}.values()
            if tensor.is_leaf and tensor.requires_grad and id(tensor) not in known
        ]

    def retaining(self) -> list[torch.Tensor]:
        """Results that keep a `.grad`, as far as they can be found: roots, inputs, the caller's variables."""
        names = leaves.Names()
        leaves.look_around(names)
        asked = [each for each in _listed(self.inputs) if isinstance(each, torch.Tensor)]
        found = {id(tensor): tensor for tensor in [*self.roots, *asked, *names.variables.values()]}
        new = {id(tensor) for tensor in asked}
        return [
            tensor
            for tensor in found.values()
            if not tensor.is_leaf and (tensor.retains_grad or id(tensor) in new)
        ]


def gradients_for(output: Any, gradient: Any) -> list[torch.Tensor | None] | None:
    """`gradient` as a list beside the tensors of `output`.

    Args:
        output: a tensor or any nesting of tensors.
        gradient: None, a tensor for an output of one tensor, a list with a tensor or None for each, or the
            same nesting as `output` with some parts left out.

    Raises:
        ValueError: when it does not fit; then nothing was run.
    """
    if gradient is None:
        return None
    paths = [path for path, _ in tensors_in(output).tensors]
    if isinstance(gradient, torch.Tensor):
        return [gradient] + [None] * (len(paths) - 1)
    flat = isinstance(gradient, Sequence) and all(g is None or isinstance(g, torch.Tensor) for g in gradient)
    if flat and len(gradient) == len(paths):
        return list(gradient)
    given = dict(tensors_in(gradient).tensors)
    stray = [path for path in given if path not in paths]
    if stray or not isinstance(gradient, Mapping | Sequence):
        raise ValueError(_unfit(paths, stray))
    return [given.get(path) for path in paths]


def _unfit(paths: Sequence[str], stray: Sequence[str]) -> str:
    from .report import words

    outputs = ", ".join(path or "output" for path in paths)
    return words("backward.unfit", outputs=outputs, stray=", ".join(stray) or "?")


def _listed(inputs: Any) -> list[Any]:
    if inputs is None:
        return []
    if isinstance(inputs, torch.Tensor) or not isinstance(inputs, Sequence | Mapping):
        return [inputs]
    return list(inputs.values()) if isinstance(inputs, Mapping) else list(inputs)


def _node(each: Any) -> Any:
    if not isinstance(each, torch.Tensor):
        return getattr(each, "node", None)
    return torch.autograd.graph.get_gradient_edge(each).node if each.requires_grad else None
