"""The LoRA adapters of a loaded model, of which each row of a step may use another.

PEFT's own layers are made for training: each makes six passes over its input and takes time to decide what to
do. Plain ones, like those that `bookworm train lora` makes, are replaced by lean ones that make two. If there
is anything else (DoRA, biases, whole layers that were trained), PEFT's layers stay, all rows with the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Protocol

import torch
from torch import Tensor
from torch.nn.functional import linear


class Adapters(Protocol):
    mixes: bool
    """Whether the rows of a step can have different ones."""

    def use(self, name: str | None) -> None:
        """Select an adapter, or the base alone with None."""
        ...

    def mix(self, shares: Mapping[str, Tensor]) -> None:
        """Select adapters for rows: a share, (rows, 1, 1), is 1 for the rows that use the adapter, else 0."""
        ...


class LeanLinear(torch.nn.Module):
    """A linear layer with two thin matrices for each adapter, which are in the model's own precision."""

    def __init__(self, layer: Any, dtype: torch.dtype) -> None:
        super().__init__()
        self.base = layer.base_layer
        self._all = {
            name: (
                layer.lora_A[name].weight.to(dtype),
                layer.lora_B[name].weight.to(dtype).t(),
                float(layer.scaling[name]),
            )
            for name in layer.lora_A
        }
        self._used: list[tuple[Tensor, Tensor, float, Tensor | None]] = []

    @property
    def weight(self) -> Tensor:
        found: Tensor = self.base.weight
        return found

    def use(self, shares: Mapping[str, Tensor | None]) -> None:
        """Select adapters with their shares; None for all rows."""
        self._used = [(*self._all[name], share) for name, share in shares.items() if name in self._all]

    def forward(self, given: Tensor) -> Tensor:
        made: Tensor = self.base(given)
        for down, up, scale, share in self._used:
            thin = linear(given, down)
            if share is not None:
                thin = thin * share[: thin.shape[0]]
            made.view(-1, made.shape[-1]).addmm_(thin.view(-1, thin.shape[-1]), up, alpha=scale)
        return made


class LeanAdapters:
    mixes = True

    def __init__(self, layers: Sequence[LeanLinear]) -> None:
        self._layers = layers

    def use(self, name: str | None) -> None:
        for layer in self._layers:
            layer.use({} if name is None else {name: None})

    def mix(self, shares: Mapping[str, Tensor]) -> None:
        for layer in self._layers:
            layer.use(shares)


class PeftAdapters:
    mixes = False

    def __init__(self, model: Any) -> None:
        self._layers = model.base_model

    def use(self, name: str | None) -> None:
        if name is None:
            self._layers.disable_adapter_layers()
        else:
            self._layers.enable_adapter_layers()
            self._layers.set_adapter(name, inference_mode=True)

    def mix(self, shares: Mapping[str, Tensor]) -> None:
        raise TypeError(f"PEFT's layers have one adapter for all rows, not {len(shares)}")


def settle(model: Any) -> tuple[Any, Adapters]:
    """Return the model and its adapters, with none in use. `model` may have PEFT's layers or lean ones."""
    from peft import PeftModel

    if isinstance(model, PeftModel):
        tuned = dict(_tuned(model))
        if not all(map(_is_plain, tuned.values())):
            peft = PeftAdapters(model)
            peft.use(None)
            return model, peft
        model = model.get_base_model()
        for name, layer in tuned.items():
            model.set_submodule(name, LeanLinear(layer, model.dtype))
    lean = LeanAdapters([part for part in model.modules() if isinstance(part, LeanLinear)])
    lean.use(None)
    return model, lean


def _tuned(model: Any) -> Iterator[tuple[str, Any]]:
    """Yield the layers that PEFT has put into the base, with their names there."""
    from peft.tuners.tuners_utils import BaseTunerLayer
    from peft.utils.other import AuxiliaryTrainingWrapper

    for name, part in model.get_base_model().named_modules():
        if isinstance(part, BaseTunerLayer | AuxiliaryTrainingWrapper):
            yield name, part


def _is_plain(layer: Any) -> bool:
    return (
        (type(layer), type(getattr(layer, "base_layer", None))) in _plain_kinds()
        and not layer.lora_variant
        and not any(layer.lora_bias.values())
        and not layer.fan_in_fan_out
    )


@cache
def _plain_kinds() -> frozenset[tuple[type, type]]:
    """Return PEFT's layers with the base's layers in them: in 16 bits, and in 8 and 4 with bitsandbytes."""
    from peft import import_utils
    from peft.tuners import lora

    kinds = {(lora.Linear, torch.nn.Linear)}
    if import_utils.is_bnb_available():
        import bitsandbytes as bnb

        kinds |= {(lora.Linear8bitLt, bnb.nn.Linear8bitLt), (lora.Linear4bit, bnb.nn.Linear4bit)}
    return frozenset(kinds)
