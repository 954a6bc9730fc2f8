"""Load a base in 8 or 4 bits with bitsandbytes, which is not part of the default installation."""

from __future__ import annotations

import importlib.util
import logging
from typing import Any, Final

import torch

from generation.errors import GeneratorUnavailable

NEEDED: Final = ("bitsandbytes", "accelerate")
OVERHEAD: Final = 1.07
"""Factor for the scales that are stored beside the weights of a block."""


def settings_for(bits: int, device: str, dtype: torch.dtype) -> Any | None:
    """Return the settings with which transformers loads the base; None for 16 bits, which is as it is."""
    if bits == 16:
        return None
    if torch.device(device).type == "mps":
        raise GeneratorUnavailable(
            f"A base cannot be loaded in {bits} bits on an Apple GPU.",
            remedy="Set `BOOKWORM_LLAMA_BITS=16`, or serve the model with Ollama.",
        )
    if lacking := [name for name in NEEDED if importlib.util.find_spec(name) is None]:
        raise GeneratorUnavailable(
            f"A base in {bits} bits needs {' and '.join(lacking)}.",
            remedy='Install them with `pip install "bookworm[quantised]"`, or set `BOOKWORM_LLAMA_BITS=16`.',
        )
    from transformers import BitsAndBytesConfig

    if bits == 8:
        # It would say for every layer of every step that it rounds to float16.
        logging.getLogger("bitsandbytes.autograd._functions").setLevel(logging.ERROR)
        return BitsAndBytesConfig(load_in_8bit=True)
    return BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_compute_dtype=dtype)


def pass_gradients(model: torch.nn.Module) -> None:
    """Keep the layers of a base as they are loaded, so that an adapter before them can be trained.

    On some processors bitsandbytes would pack them when the model is first measured, and no gradient passes a
    packed layer.
    """
    part: Any
    for part in model.modules():
        if hasattr(part, "support_avx512bf16_for_cpu"):
            part.support_avx512bf16_for_cpu = False


def stored(numbers: int, config: Any, *, bits: int, size: int) -> int:
    """Return the bytes of a base with so many numbers. Embeddings and the last layer stay as they are."""
    if bits == 16:
        return numbers * size
    tables = 1 if getattr(config, "tie_word_embeddings", False) else 2
    whole: int = min(numbers, tables * config.vocab_size * config.hidden_size)
    return whole * size + int((numbers - whole) * bits / 8 * OVERHEAD)
