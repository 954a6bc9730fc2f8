"""Questions as vectors that lie near the sentences that answer them.

The sentences keep the vectors of the index, by MiniLM. Only the questions are read by a MiniLM with a small
trained adapter, so a book is not indexed again when the adapter changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

import torch
from torch import Tensor

from coref.native.minilm import model_folder
from coref.native.threads import for_work
from retrieval.embedders.adapters import added, mean_of_pieces, tokenizer
from retrieval.embedders.bert import Changes
from retrieval.embedders.rounded import exact_encoder
from retrieval.protocols import Vectors

WEIGHTS: Final = "question.safetensors"
PIECES: Final = 64
"""Maximum length of a question in word pieces."""
_KEPT: Final = 16
"""Vectors that are kept: a question is read to find places, and to tell its kind."""


class QuestionEncoder:
    def __init__(self, folder: Path, weights: Mapping[str, Tensor]) -> None:
        self._tokenizer = tokenizer(folder)
        self._encoder = exact_encoder(folder, Changes(added(weights)))
        self._kept = lru_cache(_KEPT)(self._vector)

    def __call__(self, question: str) -> Vectors:
        """Return a unit vector."""
        return self._kept(question)

    def _vector(self, question: str) -> Vectors:
        pieces = torch.tensor([self._tokenizer.encode(question).ids[:PIECES]])
        with torch.inference_mode(), for_work(pieces.numel()):
            vector = mean_of_pieces(self._encoder(pieces, None), torch.ones_like(pieces))[0]
        found: Vectors = vector.numpy()
        found.flags.writeable = False
        return found


@cache
def shipped() -> QuestionEncoder | None:
    """Return the encoder with the weights in the repository; None if MiniLM is not installed."""
    from safetensors.torch import load_file

    folder = model_folder()
    if folder is None:
        return None
    with as_file(files("retrieval.asking").joinpath(WEIGHTS)) as path:
        return QuestionEncoder(folder, load_file(path))
