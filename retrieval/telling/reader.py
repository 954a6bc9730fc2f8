"""The reader: MiniLM with a small trained adapter, which reads the likeliest sentences word by word.

It says of each what readers would say: that it is about the person, tells what one wants to know of them,
and can be understood alone. The head (`retrieval.telling.head`) chooses the sentences that it reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import linear

from coref.native.eight_bits import Ranges
from coref.native.minilm import model_folder
from coref.native.threads import for_work
from retrieval.embedders.adapters import added, padded, pooled, tokenizer
from retrieval.embedders.bert import Changes
from retrieval.embedders.rounded import changed_encoder, chosen_ranges
from retrieval.telling.sentence_table import Floats

WEIGHTS: Final = "reader.safetensors"
RANGES: Final = Path(__file__).parent / "reader_ranges.safetensors"
"""For 8 bits, see `coref.native.eight_bits`."""
PIECES: Final = 80
"""Maximum length of a sentence in word pieces."""
OUT: Final = "out."
_TOGETHER: Final = 32
_KEPT: Final = 20_000
"""Sentences beyond which what was read is forgotten. Whoever moves the gate asks for the same again."""


class SentenceReader:
    def __init__(self, folder: Path, weights: Mapping[str, Tensor], ranges: Ranges | None = None) -> None:
        """With `ranges` the layers are run in 8 bits."""
        self._tokenizer = tokenizer(folder)
        self._encoder = changed_encoder(folder, changes(weights), ranges)
        self._weight, self._bias = (weights[f"{OUT}{name}"].float() for name in ("weight", "bias"))
        self._kept: dict[str, Floats] = {}

    def __call__(self, sentences: Sequence[str]) -> Floats:
        """Return a row of logits for each sentence: those of `JUDGED`, then one for each category."""
        found = {sentence: row for sentence in sentences if (row := self._kept.get(sentence)) is not None}
        unread = [sentence for sentence in dict.fromkeys(sentences) if sentence not in found]
        read = dict(zip(unread, self._read(unread), strict=True))
        if len(self._kept) + len(read) > _KEPT:
            self._kept = {}
        self._kept |= read
        found |= read
        return np.array([found[sentence] for sentence in sentences], np.float32).reshape(-1, len(self._bias))

    def _read(self, sentences: Sequence[str]) -> Floats:
        found = np.zeros((len(sentences), len(self._bias)), np.float32)
        read = [encoding.ids[:PIECES] for encoding in self._tokenizer.encode_batch(list(sentences))]
        for rows, pieces in batches(read, _TOGETHER):
            mask = pieces > 0
            with torch.inference_mode(), for_work(pieces.numel()):
                said = linear(pooled(self._encoder(pieces, mask), mask), self._weight, self._bias)
            found[rows] = said.numpy()
        return found


def batches(read: Sequence[Sequence[int]], size: int) -> Iterator[tuple[list[int], Tensor]]:
    """Yield the numbers of some sentences of similar length, with their pieces; 0 is padding."""
    order = sorted(range(len(read)), key=lambda n: len(read[n]))
    for first in range(0, len(order), size):
        rows = order[first : first + size]
        yield rows, padded([read[n] for n in rows])


@cache
def shipped() -> SentenceReader | None:
    """Return the reader with the weights in the repository; None if MiniLM is not installed."""
    folder = model_folder()
    return None if folder is None else in_package(folder, "retrieval.telling", WEIGHTS, RANGES)


def in_package(folder: Path, package: str, name: str, ranges: Path | None = None) -> SentenceReader:
    """Return a reader with the weights that a package has under this name. `folder` has MiniLM."""
    from safetensors.torch import load_file

    with as_file(files(package).joinpath(name)) as path:
        return SentenceReader(folder, load_file(path), chosen_ranges(ranges, path) if ranges else None)


def changes(weights: Mapping[str, Tensor]) -> Changes:
    """Return how the reader's layers differ from MiniLM's."""
    return Changes(added=added(weights))


def save(weights: Mapping[str, Tensor], file: Path) -> None:
    """Write weights in 16 bits."""
    from safetensors.torch import save_file

    save_file({name: tensor.half() for name, tensor in weights.items()}, file)
