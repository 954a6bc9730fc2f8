"""How likely a passage bears a claim out, or answers a question: MiniLM reads the two together.

Its layers were taught by a larger network; MODEL_CARD.md says how. The embeddings of its words stay those of
the package.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import Tensor

from coref.native.eight_bits import Ranges
from coref.native.minilm import model_folder
from coref.native.threads import for_work
from retrieval.embedders.adapters import mean_over, padded, tokenizer
from retrieval.embedders.bert import Changes
from retrieval.embedders.rounded import changed_encoder, chosen_ranges
from retrieval.pairs.types import Asks
from retrieval.telling.sentence_table import Floats

WEIGHTS: Final = "weights.safetensors"
RANGES: Final = Path(__file__).parent / "ranges.safetensors"
"""For 8 bits, see `coref.native.eight_bits`."""
OF_QUERY: Final = 48
"""Maximum number of word pieces of a claim or question that are read."""
OF_PASSAGE: Final = 256
"""The same of a passage."""
_FIRST, _BETWEEN = 101, 102
_TOGETHER: Final = 2_048
"""Word pieces in a batch, with those that pad it."""
_A_BATCH: Final = 40
"""What a batch takes besides, in word pieces: so many are rather padded than read in a batch of their own."""


class PairReader:
    def __init__(self, folder: Path, weights: Mapping[str, Tensor], ranges: Ranges | None = None) -> None:
        """With `ranges` the layers are run in 8 bits."""
        self._tokenizer = tokenizer(folder)
        self._encoder = changed_encoder(folder, changes(weights), ranges)
        self._weight, self._bias = weights["head.weight"].float(), weights["head.bias"].float()

    def __call__(self, pairs: Sequence[tuple[str, str]], asks: Asks) -> Floats:
        """Return the log odds for each pair of a claim or question and a passage."""
        rows = self._pieces(pairs)
        found = np.zeros(len(rows), np.float32)
        for some in _batches(rows):
            pieces = padded([rows[at] for at in some])
            there = pieces > 0
            with torch.inference_mode(), for_work(pieces.numel()):
                states = mean_over(self._encoder(pieces, there), there)
                found[some] = (states @ self._weight[asks] + self._bias[asks]).numpy()
        return found

    def _pieces(self, pairs: Sequence[tuple[str, str]]) -> list[list[int]]:
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        read = self._tokenizer.encode_batch(texts, add_special_tokens=False)
        ids = {text: each.ids for text, each in zip(texts, read, strict=True)}
        return [
            [_FIRST, *ids[query][:OF_QUERY], _BETWEEN, *ids[passage][:OF_PASSAGE], _BETWEEN]
            for query, passage in pairs
        ]


def changes(weights: Mapping[str, Tensor]) -> Changes:
    """Return how the reader's layers differ from MiniLM's."""
    return Changes(instead={name: each for name, each in weights.items() if name.startswith("encoder.")})


def as_pairs(windows: Tensor) -> Tensor:
    """Return windows of a book as pairs: the end of each as if it were asked of the rest."""
    query = windows[:, -OF_QUERY // 2 :]
    marks = [torch.full_like(query[:, :1], each) for each in (_FIRST, _BETWEEN, _BETWEEN)]
    return torch.cat((marks[0], query, marks[1], windows[:, 1 : -OF_QUERY // 2], marks[2]), 1)


def _batches(rows: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the rows in batches of about one length, the longest of each first."""
    rest = sorted(range(len(rows)), key=lambda at: -len(rows[at]))
    batches: list[list[int]] = []
    while rest:
        longest = len(rows[rest[0]])
        some = rest[: max(1, _TOGETHER // longest)]
        saved = [(longest - len(rows[at])) * (len(some) - n) for n, at in enumerate(some)]
        cut = saved.index(max(saved)) if max(saved) > _A_BATCH else len(some)
        batches.append(rest[:cut])
        rest = rest[cut:]
    return batches


def shipped() -> PairReader | None:
    """Return the reader with the weights in the repository; None if MiniLM is not installed."""
    folder = model_folder()
    return None if folder is None else loaded(folder)


@cache
def loaded(folder: Path) -> PairReader:
    """Return the reader with the weights in the repository and MiniLM from a folder."""
    from safetensors.torch import load_file

    with as_file(files("retrieval.pairs").joinpath(WEIGHTS)) as path:
        return PairReader(folder, load_file(path), chosen_ranges(RANGES, path))
