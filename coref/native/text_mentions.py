"""Finds mentions in short texts that are no books. Each is read by itself, but many at once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import torch
from torch import Tensor
from torch.nn.functional import pad

from books.types import Span
from coref.language.tokens import tokenize
from coref.native import steady_shapes
from coref.native.batching import batch_of
from coref.native.book_pass import described, seen
from coref.native.book_words import BookWords, words_of
from coref.native.document import Document
from coref.native.network import DocumentBatch, LiteraryNetwork
from coref.native.text_parser import as_book
from coref.native.word_pieces import WordPieces
from coref.types import Mention

_PASSAGE = 2000
"""Number of words of a text that are read at once."""
_WINDOWS = 8
"""Number of the encoder's windows that are read together."""
_STEPS = 16
"""Windows are as wide as a multiple of this number of pieces."""


def tag(network: LiteraryNetwork, pieces: WordPieces, texts: Sequence[str]) -> list[tuple[Mention, ...]]:
    """Return the mentions of each text, in order. Nothing is resolved."""
    found: list[list[Mention]] = [[] for _ in texts]
    words = [words_of(tokenize(as_book(text)), []) for text in texts]
    with torch.inference_mode(), network.autocast():
        for parts in _together(_parts(words, pieces)):
            for whose, mention in _tagged(network, parts):
                found[whose].append(mention)
    return [tuple(sorted(mentions, key=lambda mention: mention.key)) for mentions in found]


@dataclass(frozen=True, slots=True)
class _TextPart:
    """Some sentences of one text."""

    text: int
    at: int
    """The index of its first word in the text."""
    words: BookWords
    document: Document
    batch: DocumentBatch


def _parts(texts: Sequence[BookWords], pieces: WordPieces) -> Iterator[_TextPart]:
    for number, words in enumerate(texts):
        first = size = 0
        for end, (begin, stop) in enumerate((*words.sentences, (0, _PASSAGE + 1))):
            if size and size + stop - begin > _PASSAGE:
                document = words.document((first, end))
                at = words.sentences[first][0]
                yield _TextPart(number, at, words, document, batch_of(document, pieces))
                first, size = end, 0
            size += stop - begin


def _together(parts: Iterator[_TextPart]) -> Iterator[list[_TextPart]]:
    held: list[_TextPart] = []
    for part in parts:
        if held and sum(len(each.batch.pieces) for each in (*held, part)) > _WINDOWS:
            yield held
            held = []
        held.append(part)
    if held:
        yield held


def _tagged(network: LiteraryNetwork, parts: Sequence[_TextPart]) -> Iterator[tuple[int, Mention]]:
    batch = _joined(parts, network.device)
    outputs = [
        network.encoder(batch.pieces[at : at + _WINDOWS], batch.present[at : at + _WINDOWS])
        for at in range(0, len(batch.pieces), _WINDOWS)
    ]
    vectors = network.words_of([torch.cat(layer) for layer in zip(*outputs, strict=True)], batch)
    told = seen(steady_shapes.score_mentions(network, vectors), batch, 0, (), look=True)
    if not told:
        return
    kinds = described(network, vectors, [each.span for each in told], 0)[1]
    starts = [0, *accumulate(len(part.document.words) for part in parts)]
    for each, kind in zip(told, kinds, strict=True):
        number = bisect_right(starts, each.span[0]) - 1
        part = parts[number]
        first, end = (word - starts[number] + part.at for word in each.span)
        span = Span(part.words.starts[first], part.words.ends[end - 1])
        yield part.text, Mention(span, kind, None, span.of(part.words.text), each.category)


def _joined(parts: Sequence[_TextPart], device: torch.device) -> DocumentBatch:
    """Join parts into one batch. No window holds words of two texts."""
    width = max(part.batch.pieces.shape[1] for part in parts)
    width += -width % _STEPS
    starts = accumulate((len(part.document.words) for part in parts[:-1]), initial=0)
    owners: list[Tensor] = []
    for part, start in zip(parts, starts, strict=True):
        mine = part.batch.owners.reshape(part.batch.pieces.shape)
        owners.append(_wide(torch.where(mine < 0, mine, mine + start), width, fill=-1))
    return DocumentBatch(
        pieces=torch.cat([_wide(part.batch.pieces, width) for part in parts]).to(device),
        present=torch.cat([_wide(part.batch.present, width) for part in parts]).to(device),
        owners=torch.cat(owners).reshape(-1).to(device),
        shapes=torch.cat([part.batch.shapes for part in parts]).to(device),
        speech=torch.cat([part.batch.speech for part in parts]).to(device),
        allowed=torch.cat([part.batch.allowed for part in parts]),
    )


def _wide(rows: Tensor, width: int, *, fill: int = 0) -> Tensor:
    return pad(rows, (0, width - rows.shape[1]), value=fill)
