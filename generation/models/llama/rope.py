"""Longer contexts than a model was trained on: other rotations of its positions (RoPE).

Written as `METHOD:NUMBER`. With `pi`, `ntk` and `yarn` the number is how many times longer the context
becomes, with `abf` it is the base of the rotations itself.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from generation.errors import GeneratorUnavailable


class RopeMethod(StrEnum):
    POSITION = "pi"
    """Position interpolation: all positions are pressed into the known range."""
    NTK = "ntk"
    """A larger base, so that slow rotations are interpolated and fast ones hardly change."""
    YARN = "yarn"
    """Interpolated by speed of rotation, with a temperature of attention."""
    BASE = "abf"
    """Adjusted base frequency: the base is set, as long contexts are trained today."""


@dataclass(frozen=True, slots=True)
class RopeScaling:
    method: RopeMethod
    number: float

    def __str__(self) -> str:
        return f"{self.method}:{self.number:g}"

    @classmethod
    def parse(cls, text: str | None) -> RopeScaling | None:
        """Read `yarn:4`; None for nothing. Raises GeneratorUnavailable."""
        if not text:
            return None
        method, _, number = text.partition(":")
        try:
            scaling = cls(RopeMethod(method), float(number))
        except ValueError as error:
            raise _unknown(text) from error
        if not 1 < scaling.number < float("inf"):
            raise _unknown(text)
        return scaling


def scaled(config: Any, scaling: RopeScaling | None) -> Any:
    """Return the configuration of a model with rotated positions for a longer context.

    Raises GeneratorUnavailable if the model has its own scaling already, or no such rotations.
    """
    if scaling is None:
        return config
    known = getattr(config, "rope_parameters", None)
    if not isinstance(known, dict) or "rope_theta" not in known:
        raise GeneratorUnavailable(
            f"A {config.model_type} has no rotations of positions that can be scaled.",
            remedy="Unset BOOKWORM_LLAMA_ROPE.",
        )
    if scaling.method is not RopeMethod.BASE and known.get("rope_type", "default") != "default":
        raise GeneratorUnavailable(
            f"This model scales its positions already ({known['rope_type']}).",
            remedy="Unset BOOKWORM_LLAMA_ROPE, or choose `abf`.",
        )
    longer = deepcopy(config)
    trained = int(config.max_position_embeddings)
    longer.rope_parameters = _parameters(dict(known), scaling, trained=trained, width=_width(config))
    if scaling.method is not RopeMethod.BASE:
        longer.max_position_embeddings = int(trained * scaling.number)
    return longer


def _parameters(known: dict[str, Any], scaling: RopeScaling, *, trained: int, width: int) -> dict[str, Any]:
    if scaling.method is RopeMethod.BASE:
        return known | {"rope_theta": scaling.number}
    if scaling.method is RopeMethod.NTK:
        return known | {"rope_theta": known["rope_theta"] * scaling.number ** (width / (width - 2))}
    kind = "linear" if scaling.method is RopeMethod.POSITION else "yarn"
    more = {"rope_type": kind, "factor": scaling.number}
    if scaling.method is RopeMethod.YARN:
        more["original_max_position_embeddings"] = trained
    return known | more


def _width(config: Any) -> int:
    return int(getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads)


def _unknown(text: str) -> GeneratorUnavailable:
    return GeneratorUnavailable(
        f"“{text}” is no scaling of positions.",
        remedy="Write `pi:4`, `ntk:4` or `yarn:4` for a context four times as long, or `abf:1000000`.",
    )
