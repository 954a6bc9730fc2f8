"""The encoder with 8-bit weights and activations, run by OpenVINO.

Each linear layer multiplies 8-bit integers; attention, normalisation and GELU stay in 32 bits. Some features
are a hundred times larger than the others, and one scale for all of them would round the others away. The
few largest are therefore multiplied in 32 bits (Dettmers et al. 2022, LLM.int8), and the others divided by a
factor each, by which the weights are multiplied (Xiao et al. 2023, SmoothQuant). Which features are large,
the factors and the range of what is left were measured on novels, and are stored beside the weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import local
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import safe_open
from safetensors.numpy import save_file
from torch import Tensor, nn
from torch.nn.functional import embedding

from coref.native.encoder import Encoder, Layer
from coref.native.silent_openvino import ops, ov
from coref.native.threads import processors

LINEAR: Final = ("qkv", "mixed", "up", "down")
"""The linear layers of each layer."""
_OF: Final = "of"
"""The key in the file's metadata for the sha256 of the weights that the ranges belong to."""
LEVELS: Final = 256
_MOST = 127
_MASKED = -1e9

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class ActivationRange:
    """What is known of the input of one linear layer."""

    factors: Floats
    """What each feature is divided by."""
    mean: Floats
    """The mean of each feature, not divided. Rounding the weights must not change the output for it."""
    large: NDArray[np.int64]
    """The features that stay in 32 bits."""
    low: float
    high: float
    """The range of the other features, divided. It holds 0 exactly."""


Ranges = Mapping[str, ActivationRange]
"""By the layer's number and name: `0.qkv`."""


def save_ranges(ranges: Ranges, file: Path, *, of: str) -> None:
    """Save ranges for the weights with the sha256 `of`."""
    arrays: dict[str, NDArray[Any]] = {}
    for name, each in ranges.items():
        arrays[f"{name}.factors"], arrays[f"{name}.mean"] = each.factors, each.mean
        arrays[f"{name}.range"] = np.array([each.low, each.high], np.float32)
        arrays[f"{name}.large"] = each.large
    save_file(arrays, file, metadata={_OF: of})
    file.chmod(0o644)


def load_ranges(file: Path, *, of: str) -> Ranges | None:
    """Return the ranges for these weights, or None if the file has those of others or does not exist."""
    if not file.is_file():
        return None
    with safe_open(file, "numpy") as stored:
        if (stored.metadata() or {}).get(_OF) != of:
            return None
        keys: list[str] = list(stored.keys())
        names = {key.rpartition(".")[0] for key in keys}
        found: dict[str, ActivationRange] = {}
        for name in sorted(names):
            low, high = (float(each) for each in stored.get_tensor(f"{name}.range"))
            factors, mean = stored.get_tensor(f"{name}.factors"), stored.get_tensor(f"{name}.mean")
            large = stored.get_tensor(f"{name}.large")
            found[name] = ActivationRange(factors, mean, large, low, high)
    return found


class EightBitEncoder(nn.Module):
    """Takes the place of an `Encoder` on the processor."""

    words: Tensor
    positions: Tensor

    def __init__(
        self, encoder: Encoder, ranges: Ranges, *, only_last: bool = False, streams: int = 1
    ) -> None:
        """`streams` is how many calls share the processors, each with a part of the threads."""
        super().__init__()
        self.size, self.depth = encoder.size, encoder.depth
        self.register_buffer("words", encoder.words, persistent=False)
        self.register_buffer("positions", encoder.positions, persistent=False)
        self.norm = encoder.norm
        settings = {
            "NUM_STREAMS": streams,
            "INFERENCE_NUM_THREADS": processors(),
            "INFERENCE_PRECISION_HINT": ov.Type.f32,
        }
        self._layers = ov.Core().compile_model(_model(encoder, ranges, only_last=only_last), "CPU", settings)
        self._of_thread = local()

    def forward(self, pieces: Tensor, present: Tensor) -> list[Tensor]:
        """Return all outputs, the embeddings first, or with `only_last` these two."""
        x = self.norm(embedding(pieces, self.words) + self.positions[: pieces.shape[1]])
        request = getattr(self._of_thread, "request", None)
        if request is None:
            request = self._of_thread.request = self._layers.create_infer_request()
        made = request.infer([x.numpy(), present[:, None, None, :].numpy()])
        return [x, *(torch.from_numpy(made[number]) for number in range(len(made)))]


def _model(encoder: Encoder, ranges: Ranges, *, only_last: bool) -> ov.Model:
    x = ops.parameter(ov.PartialShape([-1, -1, encoder.size]), ov.Type.f32)
    present = ops.parameter(ov.PartialShape([-1, 1, 1, -1]), ov.Type.boolean)
    inputs = [x, present]
    mask = ops.select(present, _number(0), _number(_MASKED))
    outputs: list[Any] = []
    for number, layer in enumerate(encoder.layers):
        assert isinstance(layer, Layer)
        x = _layer(x, mask, layer, {name: ranges[f"{number}.{name}"] for name in LINEAR})
        outputs.append(x)
    return ov.Model([each.output(0) for each in outputs[-1 if only_last else 0 :]], inputs)


def _layer(x: Any, mask: Any, layer: Layer, ranges: Ranges) -> Any:
    heads, size = layer.heads, layer.qkv.in_features
    wide = size // heads
    asked = ops.reshape(_linear(x, layer.qkv, ranges["qkv"]), _shape(0, 0, 3 * heads, wide), True)
    query, key, value = ops.split(ops.transpose(asked, _shape(0, 2, 1, 3)), ops.constant(1), 3).outputs()
    scores = ops.add(ops.matmul(ops.multiply(query, _number(wide**-0.5)), key, False, True), mask)
    seen = ops.transpose(ops.matmul(ops.softmax(scores, -1), value, False, False), _shape(0, 2, 1, 3))
    joined = ops.reshape(seen, _shape(0, 0, size), True)
    x = _norm(ops.add(x, _linear(joined, layer.mixed, ranges["mixed"])), layer.norm)
    inner = ops.gelu(_linear(x, layer.up, ranges["up"]), "erf")
    return _norm(ops.add(x, _linear(inner, layer.down, ranges["down"])), layer.last_norm)


def _linear(x: Any, layer: nn.Linear, known: ActivationRange) -> Any:
    exact = _floats(layer.weight)[:, known.large]
    weight = _floats(layer.weight) * known.factors
    weight[:, known.large] = 0
    scale = np.maximum(np.abs(weight).max(1, keepdims=True), 1e-9) / _MOST
    rounded = np.round(weight / scale)
    bias = _floats(layer.bias) + (weight - rounded * scale) @ (known.mean / known.factors)
    low, high = _number(known.low), _number(known.high)
    divided = ops.multiply(x, ops.constant(1 / known.factors))
    divided = ops.fake_quantize(divided, low, high, low, high, LEVELS)
    stored = ops.convert(ops.constant(rounded.astype(np.int8)), ov.Type.f32)
    made = ops.matmul(divided, ops.multiply(stored, ops.constant(scale)), False, True)
    made = ops.add(made, ops.constant(bias))
    if not len(known.large):
        return made
    picked = ops.gather(x, ops.constant(known.large), ops.constant(-1))
    return ops.add(made, ops.matmul(picked, ops.constant(exact), False, True))


def _norm(x: Any, layer: nn.LayerNorm) -> Any:
    even = ops.mvn(x, _shape(-1), True, layer.eps, "inside_sqrt")
    return ops.add(ops.multiply(even, ops.constant(_floats(layer.weight))), ops.constant(_floats(layer.bias)))


def _floats(tensor: Tensor) -> Floats:
    values: Floats = tensor.detach().float().numpy()
    return values


def _number(value: float) -> Any:
    return ops.constant(np.float32(value))


def _shape(*sizes: int) -> Any:
    return ops.constant(np.array(sizes, np.int64))
