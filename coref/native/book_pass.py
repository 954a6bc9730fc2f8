"""One pass of the network over a whole book: every mention in it, and which earlier ones it may go back to.

The book is read in passages of about as many words as the network was trained on, each with what came
last before it, so that time and memory grow with the book's length and no faster. Nothing is decided here
about who is who: what is kept is how likely each earlier mention is, for whoever knows more to weigh.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
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
from coref.native.precision import reduced
from coref.native.word_pieces import WordPieces
from coref.types import EntityCategory, MentionKind

_PASSAGE, _SHORT_PASSAGE = 2600, 900
"""Words: a passage ends before it has more, or with a chapter when it has so many."""
_TAIL = 120
"""Mentions before a passage that its own may go back to."""
_TOGETHER = 500
"""Mentions that are compared with one another; a passage that has more is linked in parts."""
_LEAST = 0.01
"""A share below this is not kept."""
_MOST_LINKS = 8_000
"""Kept of mentions that are compared with one another, the likeliest: a trained network gives half as many,
to one that has learnt nothing all earlier mentions are alike."""
_PER_WORD = 0.75
"""Mentions a word, at most: an untrained network finds them everywhere."""

_MORE = 3
"""Words before what is known that a found mention may have besides: `the`, `poor old`."""

Heard = Callable[[Range, DocumentBatch, Sequence[Tensor]], None]
"""Told of each passage: its words' place in the book, and the encoder's outputs, for other heads to read."""


@dataclass(slots=True)
class FoundMentions:
    """Parallel columns, one entry a mention, in order; of two that begin together the longer first."""

    spans: list[Range] = field(default_factory=list)
    """In words of the book."""
    categories: list[EntityCategory] = field(default_factory=list)
    kinds: list[MentionKind] = field(default_factory=list)
    earlier: Links = field(default_factory=Links)
    """The earlier mentions that each may go back to, and how much speaks for each of them."""
    added: list[bool] = field(default_factory=list)
    """Whether it was not found but known before."""
    new: array[float] = field(default_factory=lambda: array("f"))
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
    """`chapters`: that of each paragraph. With `given` mentions none are looked for; those in `also`, none of
    which crosses sentences, are added to what is found."""
    found = FoundMentions()
    last: _Last | None = None
    known = _by_sentence(words, also if given is None else given)
    network.eval()
    with torch.inference_mode(), reduced(network.device.type):
        for first, end in passages(words, chapters):
            document = words.document((first, end))
            at = words.sentences[first][0]
            batch = batch_of(document, pieces)
            batch, outputs = steady_shapes.encode(network, batch)
            vectors = network.words_of(outputs, batch)
            if heard is not None:
                heard((at, at + len(document.words)), batch, outputs)
            here = [span for sentence in known[first:end] for span in sentence]
            told = seen(steady_shapes.score_mentions(network, vectors), batch, at, here, look=given is None)
            if told:
                spans = [each.span for each in told]
                represented, kinds = described(network, vectors, spans, at)
                found.categories += [each.category for each in told]
                found.added += [each.added for each in told]
                found.kinds += kinds
                last = _link(network, words, found, last, (first, spans, represented))
            steady_shapes.give_back_memory()
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
    """A stretch that is taken for a mention."""

    span: Range
    category: EntityCategory
    added: bool = False


def seen(
    scores: Tensor, batch: DocumentBatch, at: int, known: Sequence[Range], *, look: bool
) -> list[MentionStretch]:
    """Stretches that are likelier some mention than none, and those that are known; in words of the book."""
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
        last = _Last(first, kept, own[-_TAIL:].clone())
    assert last is not None
    return last


def _document(words: BookWords, first: int, spans: Sequence[Range]) -> tuple[Document, int]:
    """The sentences from `first` to the last mention's, and the place of their first word."""
    end = first
    while end < len(words.sentences) and words.sentences[end][0] < spans[-1][1]:
        end += 1
    return words.document((first, end)), words.sentences[first][0]


def _keep(found: FoundMentions, shares: Shares, spans: Sequence[Range], *, offset: int) -> None:
    """`offset`: the number of the first mention that `shares` tell of."""
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
