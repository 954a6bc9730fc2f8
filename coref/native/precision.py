"""The device and the type of a network's numbers."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, cast

import torch
from torch import Tensor

from coref.encoder_bits import EncoderBits

T = TypeVar("T")


def likeliest_device() -> str:
    return "cuda" if torch.cuda.is_available() else "cpu"


def fastest(device: str) -> torch.dtype:
    """Return the type for language models and training, by the flags of the processor.

    Without such a flag 16 bits are converted from 32 at every step, which takes longer. For the encoders of
    books, `encoder_speed` measures instead.
    """
    if device == "cuda":
        return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float32
    if device == "mps":
        return torch.bfloat16
    able = torch.cpu.get_capabilities()
    return torch.bfloat16 if able.get("amx_bf16") or able.get("avx512_bf16") else torch.float32


def type_for(device: str, bits: EncoderBits) -> torch.dtype:
    """Return the type of an encoder's weights. Those of 8 bits are stored in 32 and rounded elsewhere."""
    if device == "cpu":
        return torch.bfloat16 if bits is EncoderBits.SIXTEEN else torch.float32
    return fastest(device)


def reduced(device: str) -> torch.autocast:
    return torch.autocast(device, dtype=torch.bfloat16, enabled=fastest(device) is torch.bfloat16)


def moved(value: T, device: torch.device) -> T:
    """Return `value` with every tensor on `device`: those among its fields, and among the fields of these."""
    if isinstance(value, Tensor):
        return cast(T, value.to(device))
    if not is_dataclass(value) or isinstance(value, type):
        return value
    there: dict[str, Any] = {}
    for each in fields(value):
        part = getattr(value, each.name)
        if (found := moved(part, device)) is not part:
            there[each.name] = found
    return cast(T, replace(value, **there)) if there else value
