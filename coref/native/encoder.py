"""BERT's encoder as a trainable module, with MiniLM's weights and every layer's output.

Attention itself has no dropout, because only then the fast kernel is used. Elsewhere all pieces of a window
share one mask, which costs next to nothing and regularises as well. Embeddings are not trained: they are half
of the weights and stay those of the package, so that they need not be stored again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn.functional import embedding, gelu, scaled_dot_product_attention

WEIGHTS = "model.safetensors"


class SharedDropout(nn.Module):
    """Drops the same features in all rows: `x` is (…, rows, features)."""

    def __init__(self, share: float) -> None:
        super().__init__()
        self.share = share

    def forward(self, x: Tensor) -> Tensor:
        if not self.training or self.share == 0:
            return x
        keep = 1 - self.share
        mask = x.new_empty(*x.shape[:-2], 1, x.shape[-1]).bernoulli_(keep)
        return x * mask.div_(keep)


class Layer(nn.Module):
    def __init__(self, *, size: int, inner: int, heads: int, epsilon: float, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(size, 3 * size)
        self.mixed = nn.Linear(size, size)
        self.norm = nn.LayerNorm(size, eps=epsilon)
        self.up = nn.Linear(size, inner)
        self.down = nn.Linear(inner, size)
        self.last_norm = nn.LayerNorm(size, eps=epsilon)
        self.drop = SharedDropout(dropout)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        batch, width, size = x.shape
        split = self.qkv(x).view(batch, width, 3, self.heads, size // self.heads).permute(2, 0, 3, 1, 4)
        seen = scaled_dot_product_attention(split[0], split[1], split[2], attn_mask=mask)
        joined = seen.transpose(1, 2).reshape(batch, width, size)
        x = cast(Tensor, self.norm(x + self.drop(self.mixed(joined))))
        return cast(Tensor, self.last_norm(x + self.drop(self.down(gelu(self.up(x))))))


class Encoder(nn.Module):
    words: Tensor
    positions: Tensor

    def __init__(self, config: dict[str, Any], *, dropout: float = 0.1) -> None:
        super().__init__()
        self.size = int(config["hidden_size"])
        epsilon = float(config.get("layer_norm_eps", 1e-12))
        self.register_buffer("words", torch.zeros(int(config["vocab_size"]), self.size), persistent=False)
        places = torch.zeros(int(config["max_position_embeddings"]), self.size)
        self.register_buffer("positions", places, persistent=False)
        self.norm = nn.LayerNorm(self.size, eps=epsilon)
        self.drop = SharedDropout(dropout)
        self.layers = nn.ModuleList(
            Layer(
                size=self.size,
                inner=int(config["intermediate_size"]),
                heads=int(config["num_attention_heads"]),
                epsilon=epsilon,
                dropout=dropout,
            )
            for _ in range(int(config["num_hidden_layers"]))
        )

    @property
    def depth(self) -> int:
        """Number of outputs: the embeddings and each layer."""
        return len(self.layers) + 1

    def forward(self, pieces: Tensor, present: Tensor) -> list[Tensor]:
        """Return all outputs, the embeddings first. `present` is False for padding."""
        x = self.drop(self.norm(embedding(pieces, self.words) + self.positions[: pieces.shape[1]]))
        mask = present[:, None, None, :]
        outputs = [x]
        for layer in self.layers:
            x = layer(x, mask)
            outputs.append(x)
        return outputs


def load_encoder(folder: Path, *, dropout: float = 0.1) -> Encoder:
    """Load a BERT from a folder with `config.json` and `model.safetensors`.

    Raises KeyError for another kind.
    """
    config = json.loads((folder / "config.json").read_text("utf-8"))
    return encoder_of(config, load_file(folder / WEIGHTS), dropout=dropout)


def encoder_of(config: dict[str, Any], weights: Mapping[str, Tensor], *, dropout: float = 0.1) -> Encoder:
    """Return an encoder with these weights, which have BERT's names."""
    encoder = Encoder(config, dropout=dropout)
    stored = {name.removeprefix("bert."): tensor.float() for name, tensor in weights.items()}
    kinds = stored["embeddings.token_type_embeddings.weight"][0]
    encoder.words.copy_(stored["embeddings.word_embeddings.weight"])
    encoder.positions.copy_(stored["embeddings.position_embeddings.weight"] + kinds)
    encoder.load_state_dict(_renamed(stored, depth=len(encoder.layers)))
    return encoder


_PARTS = {
    "mixed": "attention.output.dense",
    "norm": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "last_norm": "output.LayerNorm",
}


def _renamed(stored: dict[str, Tensor], *, depth: int) -> dict[str, Tensor]:
    """Map BERT's names to ours. Query, key and value become one matrix."""
    ours = {f"norm.{kind}": stored[f"embeddings.LayerNorm.{kind}"] for kind in ("weight", "bias")}
    for layer in range(depth):
        theirs = f"encoder.layer.{layer}"
        for kind in ("weight", "bias"):
            three = [stored[f"{theirs}.attention.self.{part}.{kind}"] for part in ("query", "key", "value")]
            ours[f"layers.{layer}.qkv.{kind}"] = torch.cat(three)
            for name, part in _PARTS.items():
                ours[f"layers.{layer}.{name}.{kind}"] = stored[f"{theirs}.{part}.{kind}"]
    return ours
