"""BERT's encoder in plain torch: the architecture of MiniLM, BGE, GTE and E5.

`transformers` gives the same numbers (a test compares them) but takes three seconds to import, as long as
embedding half a novel; so it is used only for other architectures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import torch
from safetensors.torch import load_file
from torch import Tensor
from torch.nn.functional import embedding, layer_norm, scaled_dot_product_attention

from retrieval.embedders.layers import Layer, layer


@dataclass(frozen=True, slots=True)
class Changes:
    """How the weights of an encoder differ from those in its file, by BERT's names."""

    added: Mapping[str, Tensor] = field(default_factory=dict)
    """What is added to the matrices of these names."""
    instead: Mapping[str, Tensor] = field(default_factory=dict)
    """What takes the place of those of these names."""

    def of(self, stored: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """Return the changed weights. Raises KeyError for a name that is not there."""
        weights = {name.removeprefix("bert."): tensor for name, tensor in stored.items()} | dict(self.instead)
        for name, more in self.added.items():
            weights[name] = weights[name] + more.to(weights[name].dtype)
        return weights


UNCHANGED: Final = Changes()


class Bert:
    """The weights of one model by their names in its file, with linear layers as `layers` builds them."""

    def __init__(self, weights: dict[str, Tensor], config: dict[str, Any]) -> None:
        self._heads = int(config["num_attention_heads"])
        self._epsilon = float(config.get("layer_norm_eps", 1e-12))
        self._parts = [f"encoder.layer.{n}." for n in range(int(config["num_hidden_layers"]))]
        self._linear = {
            name: found for part in self._parts for name, found in _linear_layers(part, weights).items()
        }
        self._weights = {n: w for n, w in weights.items() if n.startswith("embeddings.") or "LayerNorm" in n}

    @classmethod
    def load(
        cls,
        folder: Path,
        config: dict[str, Any],
        *,
        dtype: torch.dtype,
        device: str,
        changes: Changes = UNCHANGED,
    ) -> Bert:
        """Load the weights. Raises KeyError or ValueError when the file holds another kind of model."""
        if (
            config.get("hidden_act") != "gelu"
            or config.get("position_embedding_type", "absolute") != "absolute"
        ):
            raise ValueError("only BERT with GELU and absolute positions is supported")
        stored = load_file(folder / "model.safetensors", device=device)
        weights = {name: tensor.to(dtype) for name, tensor in changes.of(stored).items()}
        model = cls(weights, config)
        model(torch.zeros((1, 1), dtype=torch.long, device=device), None)
        return model

    def __call__(self, pieces: Tensor, mask: Tensor | None) -> Tensor:
        """Return the last hidden states; `mask` is False on padding, and None if there is no padding."""
        attended = None if mask is None else mask[:, None, None, :]
        hidden = self._embed(pieces)
        for part in self._parts:
            hidden = self._layer(part, hidden, attended)
        return hidden

    def _embed(self, pieces: Tensor) -> Tensor:
        part = "embeddings."
        positions = self._weights[part + "position_embeddings.weight"][: pieces.shape[1]]
        kinds = self._weights[part + "token_type_embeddings.weight"][0]
        words = embedding(pieces, self._weights[part + "word_embeddings.weight"])
        return self._norm(part + "LayerNorm", words + kinds + positions)

    def _layer(self, part: str, hidden: Tensor, attended: Tensor | None) -> Tensor:
        batch, width, size = hidden.shape
        asked = self._linear[part + "asked"](hidden)
        query, key, value = asked.view(batch, width, 3, self._heads, -1).permute(2, 0, 3, 1, 4)
        mixed = scaled_dot_product_attention(query, key, value, attn_mask=attended)
        joined = mixed.transpose(1, 2).reshape(batch, width, size)
        seen = self._linear[part + "joined"](joined)
        hidden = self._norm(part + "attention.output.LayerNorm", seen + hidden)
        narrow = self._linear[part + "narrow"](self._linear[part + "wide"](hidden))
        return self._norm(part + "output.LayerNorm", narrow + hidden)

    def _norm(self, name: str, hidden: Tensor) -> Tensor:
        weight, bias = self._weights[name + ".weight"], self._weights[name + ".bias"]
        return layer_norm(hidden, weight.shape, weight, bias, self._epsilon)


def _linear_layers(part: str, weights: dict[str, Tensor]) -> dict[str, Layer]:
    """Build the linear layers; query, key and value are one layer, because they multiply the same input."""
    three = [f"{part}attention.self.{name}" for name in ("query", "key", "value")]

    def of(name: str, *, bent: bool = False) -> Layer:
        return layer(weights[f"{part}{name}.weight"], weights[f"{part}{name}.bias"], bent=bent)

    return {
        part + "asked": layer(
            torch.cat([weights[f"{name}.weight"] for name in three]),
            torch.cat([weights[f"{name}.bias"] for name in three]),
        ),
        part + "joined": of("attention.output.dense"),
        part + "wide": of("intermediate.dense", bent=True),
        part + "narrow": of("output.dense"),
    }
