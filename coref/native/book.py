"""One pass of the network over a whole book: every mention in it, and which earlier ones it may go back to.

The book is read in passages of about as many words as the network was trained on, each with what came last
The book is read in passages of about as many words as the network was trained on, each with what came
is who: what is kept is how likely each earlier mention is, for whoever knows more to weigh.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from coref.native.batching import batch_of
from coref.native.document import Document, Range
from coref.native.network import CATEGORIES, KINDS, Batch, Network
from coref.native.pairs import Shares, shares_of
from coref.native.pieces import Pieces
from coref.native.reading import in_order, sides
from coref.native.words import BookWords
from coref.types import Category, MentionKind

_PASSAGE, _SHORT_PASSAGE = 2600, 900
"""Words: a passage ends before it has more, or with a chapter when it has so many."""
_TAIL = 120
"""Mentions before a passage that its own may go back to."""
_TOGETHER = 500
"""Mentions that are compared with one another; a passage that has more is linked in parts."""
_LEAST = 0.005
"""A share below this is not kept."""
_PER_WORD = 0.75
"""Mentions a word, at most: an untrained network finds them everywhere."""

Heard = Callable[[Range, Batch, Sequence[Tensor]], None]
"""Told of each passage: its words' place in the book, and the encoder's outputs, for other heads to read."""


@dataclass(slots=True)
class Found:
    """Parallel columns, one entry a mention, in order; of two that begin together the longer first."""

    spans: list[Range] = field(default_factory=list)
    """In words of the book."""
    categories: list[Category] = field(default_factory=list)
    kinds: list[MentionKind] = field(default_factory=list)
    earlier: list[list[tuple[int, float]]] = field(default_factory=list)
    """The earlier mentions that each may go back to, and how much speaks for each of them."""
    new: list[float] = field(default_factory=list)
    """How much speaks for each being mentioned for the first time; all shares of one mention sum to 1."""

    def __len__(self) -> int:
        return len(self.spans)


@dataclass(slots=True)
class _Last:
    """What a passage needs of the one before."""

    at: int
    """The first sentence that is kept."""
    spans: list[Range]
    vectors: Tensor


def read_book(
    network: Network,
    pieces: Pieces,
    words: BookWords,
    *,
    chapters: Sequence[int],
    given: Sequence[Range] | None = None,
    heard: Heard | None = None,
    tell: Callable[[float], None] | None = None,
) -> Found:
    """`chapters`: that of each paragraph. With `given` mentions none are looked for."""
    found = Found()
    last: _Last | None = None
    places = _by_sentence(words, given)
    network.eval()
    with torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16):
        for first, end in passages(words, chapters):
            document = words.document((first, end))
            at = words.sentences[first][0]
            batch = batch_of(document, pieces)
            outputs = network.encoder(batch.pieces, batch.present)
            vectors = network.words_of(outputs, batch)
            if heard is not None:
                heard((at, at + len(document.words)), batch, outputs)
            known = None if places is None else [s for here in places[first:end] for s in here]
            spans, categories = _mentions(network, vectors, batch, at, known)
            if spans:
                represented, kinds = _represented(network, vectors, spans, at)
                found.categories += categories
                found.kinds += kinds
                last = _link(network, words, found, last, (first, spans, represented))
            if tell is not None:
                tell(end / len(words.sentences))
    return found


def passages(words: BookWords, chapters: Sequence[int]) -> Iterator[Range]:
    """Ranges of sentences."""
    opens = {
        begin for number, (begin, _) in enumerate(words.paragraphs) if number and _turns(chapters, number)
    }
    start = size = 0
    for number, (begin, end) in enumerate(words.sentences):
        if size and (size + end - begin > _PASSAGE or (begin in opens and size >= _SHORT_PASSAGE)):
            yield start, number
            start, size = number, 0
        size += end - begin
    if size:
        yield start, len(words.sentences)


def _turns(chapters: Sequence[int], paragraph: int) -> bool:
    return chapters[paragraph] != chapters[paragraph - 1]


def _by_sentence(words: BookWords, given: Sequence[Range] | None) -> list[list[Range]] | None:
    if given is None:
        return None
    found: list[list[Range]] = [[] for _ in words.sentences]
    number = 0
    for span in in_order(given):
        while span[0] >= words.sentences[number][1]:
            number += 1
        found[number].append(span)
    return found


def _mentions(
    network: Network, vectors: Tensor, batch: Batch, at: int, given: Sequence[Range] | None
) -> tuple[list[Range], list[Category]]:
    """Stretches that are likelier some mention than none; in words of the book."""
    scores = network.mentions(vectors).float()
    if given is not None:
        spans = list(given)
        starts, ends = (side - at for side in sides(spans)) if spans else (torch.zeros(0), torch.zeros(0))
        lengths = (ends - starts - 1).clamp(max=scores.shape[1] - 1)
        chosen = scores[starts.long(), lengths.long(), 1:].argmax(1).tolist() if spans else []
        return spans, [Category(CATEGORIES[which]) for which in chosen]
    best, which = scores.max(2)
    hits = (which > 0) & batch.allowed
    most = int(_PER_WORD * scores.shape[0]) + 1
    starts, lengths = hits.nonzero(as_tuple=True)
    if len(starts) > most:
        sure = (best - scores[:, :, 0])[starts, lengths].topk(most).indices.sort().values
        starts, lengths = starts[sure], lengths[sure]
    classes = which[starts, lengths].tolist()
    pairs = zip(starts.tolist(), lengths.tolist(), classes, strict=True)
    ordered = sorted(((s + at, s + at + n + 1), c) for s, n, c in pairs)
    ordered.sort(key=lambda pair: (pair[0][0], -pair[0][1]))
    return [span for span, _ in ordered], [Category(CATEGORIES[c - 1]) for _, c in ordered]


def _represented(
    network: Network, vectors: Tensor, spans: Sequence[Range], at: int
) -> tuple[Tensor, list[MentionKind]]:
    starts, ends = sides(spans)
    represented = network.represent(vectors, starts - at, ends - at)
    kinds = network.kind(represented).argmax(1).tolist()
    return represented, [MentionKind(KINDS[kind]) for kind in kinds]


def _link(
    network: Network,
    words: BookWords,
    found: Found,
    last: _Last | None,
    here: tuple[int, Sequence[Range], Tensor],
) -> _Last:
    """Scores what has just been found against itself and what came before."""
    sentence, spans, vectors = here
    for at in range(0, len(spans), _TOGETHER):
        part, own = list(spans[at : at + _TOGETHER]), vectors[at : at + _TOGETHER]
        before = last.spans if last is not None else []
        every = [*before, *part]
        if last is not None:
            own = torch.cat([last.vectors, own])
        first = last.at if last is not None else sentence
        document, begin = _document(words, first, every)
        local = [(start - begin, end - begin) for start, end in every]
        shares = shares_of(network, document, local, own, first=len(before))
        _keep(found, shares, part, offset=len(found) - len(before))
        kept = every[-_TAIL:]
        while words.sentences[first][1] <= kept[0][0]:
            first += 1
        last = _Last(first, kept, own[-_TAIL:])
    assert last is not None
    return last


def _document(words: BookWords, first: int, spans: Sequence[Range]) -> tuple[Document, int]:
    """The sentences from `first` to the last mention's, and the place of their first word."""
    end = first
    while end < len(words.sentences) and words.sentences[end][0] < spans[-1][1]:
        end += 1
    return words.document((first, end)), words.sentences[first][0]


def _keep(found: Found, shares: Shares, spans: Sequence[Range], *, offset: int) -> None:
    found.spans += spans
    found.earlier += [[] for _ in spans]
    found.new += shares.new.tolist()
    kept = shares.share > _LEAST
    columns = (shares.later[kept], shares.earlier[kept], shares.share[kept])
    for later, earlier, share in zip(*(column.tolist() for column in columns), strict=True):
        found.earlier[offset + later].append((offset + earlier, share))
