"""The reader: MiniLM with a small trained adapter, which reads the likeliest sentences word by word.

It says of each what readers would say: that it is about the person, tells what one wants to know of them,
and can be understood alone. The head (`retrieval.telling.head`) chooses the sentences that it reads.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import linear

from coref.native.minilm import model_folder
from retrieval.embedders.bert import Bert
from retrieval.embedders.threads import for_work
from retrieval.telling.sentence_table import Floats

if TYPE_CHECKING:
    from tokenizers import Tokenizer

WEIGHTS: Final = "reader.safetensors"
PIECES: Final = 80
"""Maximum length of a sentence in word pieces."""
OUT: Final = "out."
DOWN, UP = ".down", ".up"
"""Endings of the two narrow matrices whose product is added to a matrix of the encoder."""
_TOGETHER: Final = 32


class SentenceReader:
    def __init__(self, folder: Path, weights: Mapping[str, Tensor]) -> None:
        config = json.loads((folder / "config.json").read_text("utf-8"))
        self._tokenizer = tokenizer(folder)
        self._encoder = Bert.load(folder, config, dtype=torch.float32, device="cpu", added=added(weights))
        self._weight, self._bias = (weights[f"{OUT}{name}"].float() for name in ("weight", "bias"))

    def __call__(self, sentences: Sequence[str]) -> Floats:
        """Return a row of logits for each sentence: those of `JUDGED`, then one for each category."""
        found = np.zeros((len(sentences), len(self._bias)), np.float32)
        read = [encoding.ids[:PIECES] for encoding in self._tokenizer.encode_batch(list(sentences))]
        for rows, pieces in batches(read, _TOGETHER):
            mask = pieces > 0
            with torch.inference_mode(), for_work(pieces.numel()):
                said = linear(pooled(self._encoder(pieces, mask), mask), self._weight, self._bias)
            found[rows] = said.numpy()
        return found


def pooled(hidden: Tensor, mask: Tensor) -> Tensor:
    """Return the state of the first piece beside the mean of all."""
    shown = mask.unsqueeze(-1).to(hidden.dtype)
    return torch.cat((hidden[:, 0], (hidden * shown).sum(1) / shown.sum(1)), 1)


def batches(read: Sequence[Sequence[int]], size: int) -> Iterator[tuple[list[int], Tensor]]:
    """Yield the numbers of some sentences of similar length, with their pieces; 0 is padding."""
    order = sorted(range(len(read)), key=lambda n: len(read[n]))
    for first in range(0, len(order), size):
        rows = order[first : first + size]
        pieces = torch.zeros((len(rows), len(read[rows[-1]])), dtype=torch.long)
        for row, n in enumerate(rows):
            pieces[row, : len(read[n])] = torch.tensor(read[n])
        yield rows, pieces


def added(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return what the adapter adds to each matrix of the encoder."""
    names = [name.removesuffix(DOWN) for name in weights if name.endswith(DOWN)]
    return {name: weights[name + UP].float() @ weights[name + DOWN].float() for name in names}


def tokenizer(folder: Path) -> Tokenizer:
    from tokenizers import Tokenizer

    made = Tokenizer.from_file(str(folder / "tokenizer.json"))
    made.no_padding()
    made.no_truncation()
    return made


@cache
def shipped() -> SentenceReader | None:
    """Return the reader with the weights in the repository; None if MiniLM is not installed."""
    from safetensors.torch import load_file

    folder = model_folder()
    if folder is None:
        return None
    with as_file(files("retrieval.telling").joinpath(WEIGHTS)) as path:
        return SentenceReader(folder, load_file(path))
