"""Turns a document into the tensors that the network takes."""

from __future__ import annotations

from functools import lru_cache

import torch
from torch import Tensor

from coref.native.document import Document
from coref.native.network import MOST_WORDS, SHAPES, DocumentBatch, shape_of
from coref.native.word_pieces import WordPieces

_shape = lru_cache(maxsize=10_000)(shape_of)


def batch_of(document: Document, pieces: WordPieces) -> DocumentBatch:
    windows = pieces.windows(document)
    width = max(len(window.pieces) for window in windows)
    ids = torch.zeros(len(windows), width, dtype=torch.long)
    present = torch.zeros(len(windows), width, dtype=torch.bool)
    owners = torch.full((len(windows), width), -1)
    for row, window in enumerate(windows):
        size = len(window.pieces)
        ids[row, :size] = torch.tensor(window.pieces)
        present[row, :size] = True
        owners[row, :size] = torch.tensor(window.owners)
    return DocumentBatch(
        pieces=ids,
        present=present,
        owners=owners.reshape(-1),
        shapes=_shapes(document),
        speech=torch.tensor(document.speech),
        allowed=_allowed(document),
    )


def _shapes(document: Document) -> Tensor:
    """Return the shape of each word.

    The first words of sentences, where a capital means less, have their own.
    """
    first = {start for start, _ in document.sentences}
    return torch.tensor([_shape(word) + SHAPES * (at in first) for at, word in enumerate(document.words)])


def _allowed(document: Document) -> Tensor:
    ends = torch.zeros(len(document.words), dtype=torch.long)
    for start, end in document.sentences:
        ends[start:end] = end
    last = torch.arange(len(document.words))[:, None] + torch.arange(MOST_WORDS)
    return last < ends[:, None]
