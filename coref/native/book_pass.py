"""One pass of the network over a whole book: all mentions with the shares of their antecedents.

The book is read in passages of about as many words as the network was trained on, each with the end of the
previous one, so that time and memory grow only linearly with the book's length. Coreference is not decided
here: the probability of each antecedent is kept, for a later step with more knowledge to weigh.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field

import torch
from torch import Tensor

from coref.native import steady_shapes
from coref.native.antecedents import Links
from coref.native.batching import batch_of
from coref.native.book_words import BookWords
from coref.native.candidate_pairs import Shares, shares_of
from coref.native.document import Document, Range
from coref.native.document_pass import in_order, sides
from coref.native.network import CATEGORIES, KINDS, DocumentBatch, LiteraryNetwork
from coref.native.threads import at_most, others_for, processors, side_by_side
from coref.native.word_pieces import WordPieces
from coref.types import EntityCategory, MentionKind

_PASSAGE, _SHORT_PASSAGE = 2600, 900
"""Words per passage: the maximum, and the size from which on a passage ends with its chapter."""
_TAIL = 120
"""Number of mentions before a passage that its own mentions may refer back to."""
_TOGETHER = 500
"""Number of mentions that are compared with one another. A passage with more is linked in parts."""
_LEAST = 0.01
"""Smaller shares are dropped."""
_MOST_LINKS = 8_000
"""Maximum number of links kept for mentions that are compared with one another, the likeliest first.

A trained network yields half as many. To an untrained one all earlier mentions are alike.
"""
_AHEAD = 2
"""Maximum number of threads that encode the next passages. Each holds one in memory."""
_PER_WORD = 0.75
"""Maximum number of mentions per word. An untrained network finds them everywhere."""

_MORE = 3
"""How many more words before a known name a found mention may have: `the`, `poor old`."""

Heard = Callable[[Range, DocumentBatch, Sequence[Tensor]], None]
"""Called for each passage with its range of words and the encoder's outputs, for further heads to read."""


@dataclass(slots=True)
class FoundMentions:
    """Parallel columns with one entry per mention, in order.

    Of two with the same start the longer comes first.
    """

    spans: list[Range] = field(default_factory=list)
    """Ranges in words of the book."""
    categories: list[EntityCategory] = field(default_factory=list)
    kinds: list[MentionKind] = field(default_factory=list)
    earlier: Links = field(default_factory=Links)
    """The possible antecedents of each mention with their shares."""
    added: list[bool] = field(default_factory=list)
    """Whether the mention was not found but known in advance."""
    new: array[float] = field(default_factory=lambda: array("f"))
    """The share of being the first mention. All shares of one mention sum to 1."""

    def __len__(self) -> int:
        return len(self.spans)


@dataclass(slots=True)
class _Last:
    """What a passage needs from the previous one."""

    at: int
    """The first sentence that is kept."""
    spans: list[Range]
    vectors: Tensor


def read_book(
    network: LiteraryNetwork,
    pieces: WordPieces,
    words: BookWords,
    *,
    chapters: Sequence[int],
    given: Sequence[Range] | None = None,
    also: Sequence[Range] = (),
    heard: Heard | None = None,
    tell: Callable[[float], None] | None = None,
) -> FoundMentions:
    """Find and link all mentions of a book.

    `chapters` holds the chapter of each paragraph. If `given`, mentions are not searched for. Those in
    `also`, none of which crosses a sentence boundary, are added to those found.
    """
    found = FoundMentions()
    last: _Last | None = None
    known = _by_sentence(words, also if given is None else given)
    network.eval()

    def encoded(within: Range) -> tuple[Range, DocumentBatch, list[Tensor]]:
        with torch.inference_mode(), network.autocast():
            return within, *steady_shapes.encode(network, batch_of(words.document(within), pieces))

    parts = list(passages(words, chapters))
    others = others_for(len(parts), device=network.device.type, most=min(_AHEAD, processors() // 2))
    coming = side_by_side(encoded, parts, threads=others)
    with closing(coming), torch.inference_mode(), network.autocast(), at_most(processors() - others):
        for (first, end), batch, outputs in coming:
            at = words.sentences[first][0]
            vectors = network.words_of(outputs, batch)
            if heard is not None:
                heard((at, words.sentences[end - 1][1]), batch, outputs)
            here = [span for sentence in known[first:end] for span in sentence]
            told = seen(steady_shapes.score_mentions(network, vectors), batch, at, here, look=given is None)
            if told:
                spans = [each.span for each in told]
                represented, kinds = described(network, vectors, spans, at)
                found.categories += [each.category for each in told]
                found.added += [each.added for each in told]
                found.kinds += kinds
                last = _link(network, words, found, last, (first, spans, represented))
            del batch, outputs, vectors
            steady_shapes.give_back_memory()
            if tell is not None:
                tell(end / len(words.sentences))
    return found


def passages(words: BookWords, chapters: Sequence[int]) -> Iterator[Range]:
    """Yield passages as ranges of sentences."""
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


def _by_sentence(words: BookWords, spans: Sequence[Range]) -> list[list[Range]]:
    found: list[list[Range]] = [[] for _ in words.sentences]
    number = 0
    for span in in_order(spans):
        while span[0] >= words.sentences[number][1]:
            number += 1
        found[number].append(span)
    return found


@dataclass(frozen=True, slots=True)
class MentionStretch:
    """A stretch of words taken for a mention."""

    span: Range
    category: EntityCategory
    added: bool = False


def seen(
    scores: Tensor, batch: DocumentBatch, at: int, known: Sequence[Range], *, look: bool
) -> list[MentionStretch]:
    """Return stretches more likely a mention than none, and known ones, in words of the book."""
    best, which = scores.max(2)
    found: dict[Range, MentionStretch] = {}
    if look:
        for start, length in zip(*_hits(best - scores[:, :, 0], (which > 0) & batch.allowed), strict=True):
            span = (at + start, at + start + length + 1)
            found[span] = MentionStretch(span, EntityCategory(CATEGORIES[int(which[start, length]) - 1]))
    widest: dict[int, int] = {}
    for start, end in found:
        widest[end] = max(start, widest.get(end, 0))
    for start, end in known:
        if not look or end not in widest or widest[end] < start - _MORE:
            length = min(end - start, scores.shape[1]) - 1
            likeliest = int(scores[start - at, length, 1:].argmax())
            found[start, end] = MentionStretch(
                (start, end), EntityCategory(CATEGORIES[likeliest]), added=True
            )
    return [found[span] for span in in_order(found)]


def _hits(lead: Tensor, hits: Tensor) -> tuple[list[int], list[int]]:
    starts, lengths = hits.nonzero(as_tuple=True)
    most = int(_PER_WORD * lead.shape[0]) + 1
    if len(starts) > most:
        surest = lead[starts, lengths].topk(most).indices
        starts, lengths = starts[surest], lengths[surest]
    return starts.tolist(), lengths.tolist()


def described(
    network: LiteraryNetwork, vectors: Tensor, spans: Sequence[Range], at: int
) -> tuple[Tensor, list[MentionKind]]:
    starts, ends = sides(spans)
    represented = steady_shapes.represent(network, vectors, starts - at, ends - at)
    kinds = steady_shapes.apply(network.kind, represented).argmax(1).tolist()
    return represented, [MentionKind(KINDS[kind]) for kind in kinds]


def _link(
    network: LiteraryNetwork,
    words: BookWords,
    found: FoundMentions,
    last: _Last | None,
    here: tuple[int, Sequence[Range], Tensor],
) -> _Last:
    """Score the new mentions against each other and the earlier ones."""
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
        last = _Last(first, kept, own[-_TAIL:].clone())
    assert last is not None
    return last


def _document(words: BookWords, first: int, spans: Sequence[Range]) -> tuple[Document, int]:
    """Return the sentences from `first` to that of the last mention, and their first word."""
    end = first
    while end < len(words.sentences) and words.sentences[end][0] < spans[-1][1]:
        end += 1
    return words.document((first, end)), words.sentences[first][0]


def _keep(found: FoundMentions, shares: Shares, spans: Sequence[Range], *, offset: int) -> None:
    """Store shares. `offset` is the number of the first mention in `shares`."""
    kept = (shares.share > _LEAST).nonzero().squeeze(1)
    if len(kept) > _MOST_LINKS:
        kept = kept[shares.share[kept].topk(_MOST_LINKS).indices].sort().values
    whose = shares.later[kept] + (offset - len(found))
    found.spans += spans
    found.new.extend(shares.new.tolist())
    found.earlier.add(
        torch.bincount(whose, minlength=len(spans)).tolist(),
        (offset + shares.earlier[kept]).tolist(),
        shares.share[kept].tolist(),
    )
