"""BERT's encoder in plain torch: the architecture of MiniLM, BGE, GTE and E5.

`transformers` gives the same numbers (a test compares them) but takes three seconds to import, as long as
embedding half a novel; so it is left to architectures that are not here.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from torch import Tensor
from torch.nn.functional import embedding, gelu, layer_norm, linear, scaled_dot_product_attention

MODEL_TYPE = "bert"


class Bert:
    """The weights of one model, as they are named in its file."""

    def __init__(self, weights: dict[str, Tensor], config: dict[str, Any]) -> None:
        self._weights = weights
        self._layers = int(config["num_hidden_layers"])
        self._heads = int(config["num_attention_heads"])
        self._epsilon = float(config.get("layer_norm_eps", 1e-12))

    @classmethod
    def load(cls, folder: Path, config: dict[str, Any], *, dtype: torch.dtype, device: str) -> Bert:
        """Raises KeyError or ValueError when the file holds some other kind of model."""
        if (
            config.get("hidden_act") != "gelu"
            or config.get("position_embedding_type", "absolute") != "absolute"
        ):
            raise ValueError("only BERT with GELU and absolute positions is known here")
        stored = load_file(folder / "model.safetensors", device=device)
        weights = {name.removeprefix("bert."): tensor.to(dtype) for name, tensor in stored.items()}
        model = cls(weights, config)
        model(torch.zeros((1, 1), dtype=torch.long, device=device), None)
        return model

    def __call__(self, pieces: Tensor, mask: Tensor | None) -> Tensor:
        """Hidden states of the last layer; `mask` is False on padding, None where there is none."""
        attended = None if mask is None else mask[:, None, None, :]
        hidden = self._embed(pieces)
        for layer in range(self._layers):
            hidden = self._layer(f"encoder.layer.{layer}.", hidden, attended)
        return hidden

    def _embed(self, pieces: Tensor) -> Tensor:
        part = "embeddings."
        positions = self._weights[part + "position_embeddings.weight"][: pieces.shape[1]]
        kinds = self._weights[part + "token_type_embeddings.weight"][0]
        words = embedding(pieces, self._weights[part + "word_embeddings.weight"])
        return self._norm(part + "LayerNorm", words + kinds + positions)

    def _layer(self, part: str, hidden: Tensor, attended: Tensor | None) -> Tensor:
        batch, width, size = hidden.shape

        def split(name: str) -> Tensor:
            projected = self._linear(f"{part}attention.self.{name}", hidden)
            return projected.view(batch, width, self._heads, size // self._heads).transpose(1, 2)

        mixed = scaled_dot_product_attention(split("query"), split("key"), split("value"), attn_mask=attended)
        joined = mixed.transpose(1, 2).reshape(batch, width, size)
        seen = self._linear(part + "attention.output.dense", joined)
        hidden = self._norm(part + "attention.output.LayerNorm", seen + hidden)
        wide = gelu(self._linear(part + "intermediate.dense", hidden))
        return self._norm(part + "output.LayerNorm", self._linear(part + "output.dense", wide) + hidden)

    def _linear(self, name: str, hidden: Tensor) -> Tensor:
        return linear(hidden, self._weights[name + ".weight"], self._weights[name + ".bias"])

    def _norm(self, name: str, hidden: Tensor) -> Tensor:
        weight, bias = self._weights[name + ".weight"], self._weights[name + ".bias"]
        return layer_norm(hidden, weight.shape, weight, bias, self._epsilon)
