"""Attention of the answers being written to their own texts, in one batch but independent of each other.

An answer must not depend on the other requests, and in 16 bits it would: a sum in another order may pick
another token. So every step multiplies the same number of rows, in use or not, and each row always attends to
its own text under a mask, because the kernel without a mask adds in another order.
"""

from __future__ import annotations

from typing import Any

from torch import Tensor
from torch.nn.functional import pad, scaled_dot_product_attention
from transformers import AttentionInterface
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import AttentionMaskInterface, sdpa_mask

NAME = "bookworm"


def attend(
    module: Any,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    *,
    scaling: float | None = None,
    visible: Tensor | None = None,
    **rest: Any,
) -> tuple[Tensor, Tensor | None]:
    """Compute attention: in a step with `visible`, the mask of `SlotCache.look`, else to read a prompt."""
    if visible is None:
        seen: tuple[Tensor, Tensor | None] = sdpa_attention_forward(
            module, query, key, value, attention_mask, scaling=scaling, **rest
        )
        return seen
    rows, heads, _, numbers = query.shape
    used, shared = key.shape[:2]
    # Heads that share their keys are computed together, as if they were tokens: the keys are read once.
    asked = query[:used].reshape(used, shared, heads // shared, numbers)
    found = scaled_dot_product_attention(asked, key, value, attn_mask=visible, scale=scaling)
    return pad(found.reshape(used, 1, heads, numbers), (0, 0) * 3 + (0, rows - used)), None


AttentionInterface.register(NAME, attend)
AttentionMaskInterface.register(NAME, sdpa_mask)
