"""A linear layer whose weights are reordered once for the processor's kernels.

Torch's own `linear` reorders them at every call, which for a question of ten words is half of the work. The
kernels are those that torch's compiler uses when it freezes a model; `linear` is the fallback.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn.functional import gelu, linear

Layer = Callable[[Tensor], Tensor]


def layer(weight: Tensor, bias: Tensor, *, bent: bool = False) -> Layer:
    """Return a layer; with `bent`, GELU is applied in the same pass where possible."""
    return _packed(weight, bias, bent=bent) or _plain(weight, bias, bent=bent)


def _plain(weight: Tensor, bias: Tensor, *, bent: bool) -> Layer:
    def run(hidden: Tensor) -> Tensor:
        found = linear(hidden, weight, bias)
        return gelu(found) if bent else found

    return run


def _packed(weight: Tensor, bias: Tensor, *, bent: bool) -> Layer | None:
    """Return None where this device or this build of torch lacks the kernels."""
    if weight.device.type != "cpu":
        return None
    name, algorithm = ("gelu", "none") if bent else ("none", "")

    def run(hidden: Tensor) -> Tensor:
        found: Tensor = torch.ops.mkldnn._linear_pointwise(hidden, ordered, bias, name, [], algorithm)
        return found

    try:
        ordered = torch.ops.mkldnn._reorder_linear_weight(weight, None)
        run(weight.new_zeros((1, weight.shape[1])))
    except (AttributeError, RuntimeError):
        return None
    return run
