"""Find the places of a book that a line asks for: by words, then by meaning, or not at all."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

import numpy as np
from numpy.typing import NDArray

from books.types import Span
from coref.types import Annotations
from retrieval.finding.marks import Marker, apart, phrase
from retrieval.finding.query_line import QueryLine
from retrieval.finding.types import BookSearch, Find, WordCount
from retrieval.index import BookIndex
from retrieval.protocols import Embedder
from retrieval.sentences import touched
from retrieval.telling.sentence_table import Ints
from retrieval.tokenizer import simplified, terms
from retrieval.types import Order

FLOOR: Final = 0.47
"""Cosine below which a passage is not near in meaning. Of the questions about three dev novels of the corpus
nearly all find something in their own book, and few in another (`bookworm evaluate questions`)."""
_NEAR: Final = 10
"""Number of passages found by meaning."""
_SCENE: Final = 3
"""Passages before and after one with a person that still are that person's scene."""
_SIMILAR: Final = 3
_ALIKE: Final = 0.75
"""Share of letters in common from which two words are spelt alike."""
_LONGER: Final = 2
"""Letters by which a word spelt alike may be longer or shorter."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Appearances:
    """Where somebody is, which is not where others only speak of them."""

    mentions: Sequence[Span]
    passages: Mask
    """Those with one of the mentions, or in which they speak."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A line whose names are resolved, and which part of its finds is wanted."""

    line: QueryLine
    by: str | None = None
    """Id of the person who speaks."""
    company: tuple[str, ...] = ()
    order: Order = Order.SCORE
    limit: int = 20
    offset: int = 0

    @property
    def needs_people(self) -> bool:
        """Whether it matters who speaks or who is there."""
        return bool(self.by or self.company or self.line.spoken)


def search(
    index: BookIndex,
    annotations: Annotations,
    wanted: Wanted,
    *,
    embedder: Embedder | None,
    upto: int | None,
) -> BookSearch:
    """Search in what is visible of a book.

    Nothing is found by meaning without an embedder, or if its vectors do not understand the line.
    """
    with index.reading():
        return _SearchInBook(index, annotations, wanted, index.visible(upto)).found(embedder)


def having(index: BookIndex, text: str, place: Mask) -> Ints:
    """Return the passages of a place that have all terms of a text, in story order."""
    held = place.copy()
    for term in set(terms(text)):
        mine = np.zeros(len(place), bool)
        mine[index.bm25.holding(term, visible=len(place))] = True
        held &= mine
    return np.flatnonzero(held)


class _SearchInBook:
    def __init__(self, index: BookIndex, annotations: Annotations, wanted: Wanted, visible: int) -> None:
        self._index = index
        self._annotations = annotations
        self._wanted = wanted
        self._visible = visible
        self._marker = Marker(wanted.line)
        self._chapter: Ints = np.asarray(index.chapters)[:visible]
        self._spans: Ints = np.asarray(index.spans)[:visible]
        self._speech = self._speeches() if wanted.by or wanted.line.spoken else None
        self._company = [self._appearances(person) for person in wanted.company]

    def found(self, embedder: Embedder | None) -> BookSearch:
        line, wanted = self._wanted.line, self._wanted
        place = self._place()
        rows = self._by_words(place)
        best = self._ordered(rows)
        shown = [self._find(row) for row in best[wanted.offset : wanted.offset + wanted.limit]]
        by_meaning = not line.phrases and self._speech is None and line.words and not wanted.offset
        by_meaning = by_meaning and self._index.understands(line.text)
        near = self._by_meaning(embedder, place, rows) if embedder is not None and by_meaning else []
        chapters = int(self._chapter.max(initial=-1)) + 1
        return BookSearch(
            by_words=tuple(shown),
            by_meaning=tuple(Find(self._index.passages[row], ()) for row in near),
            total=len(rows),
            by_chapter=tuple(np.bincount(self._chapter[rows], minlength=chapters).tolist()),
            words=() if len(rows) else tuple(map(self._alone, filter(terms, line.text.split()))),
        )

    def _place(self) -> Mask:
        """Return the passages of the chapters and scenes that are wanted."""
        place = np.ones(self._visible, bool)
        if self._wanted.line.chapters is not None:
            first, last = self._wanted.line.chapters
            place &= (self._chapter >= first - 1) & (self._chapter < last)
        for person in self._company:
            place &= self._scenes(person)
        if self._speech is not None:
            spoken = np.zeros(self._visible, bool)
            spoken[list(self._speech)] = True
            place &= spoken
        return place

    def _scenes(self, person: Appearances) -> Mask:
        there = person.passages
        near = there.copy()
        for step in range(1, _SCENE + 1):
            same = self._chapter[step:] == self._chapter[:-step]
            near[step:] |= there[:-step] & same
            near[:-step] |= there[step:] & same
        return near

    def _appearances(self, person: str) -> Appearances:
        quotes = self._annotations.quotes
        others = [q.span for q in quotes if q.speaker != person and not self._is_tale(q.span)]
        starts = [span.start for span in others]

        def spoken_of(place: Span) -> bool:
            at = bisect_right(starts, place.start) - 1
            return at >= 0 and others[at].covers(place)

        mentions = [m.span for m in self._annotations.mentions_of(person) if not spoken_of(m.span)]
        passages = np.zeros(self._visible, bool)
        for span in (*mentions, *(q.span for q in quotes if q.speaker == person)):
            passages[self._rows(span)] = True
        return Appearances(mentions, passages)

    def _is_tale(self, speech: Span) -> bool:
        """Whether a speech goes on in another paragraph. Who is in a tale is there, as in the narration."""
        paragraph = self._index.book.paragraph_at(speech.start)
        return paragraph is not None and paragraph.span.end < speech.end

    def _speeches(self) -> dict[int, list[Span]]:
        """Return the speeches that count, by the passages that they reach into."""
        found: dict[int, list[Span]] = {}
        for quote in self._annotations.quotes:
            if self._wanted.by in (None, quote.speaker):
                for row in self._rows(quote.span):
                    found.setdefault(row, []).append(quote.span)
        return found

    def _rows(self, span: Span) -> range:
        """Return the passages that a span reaches into."""
        return touched(span, *self._spans.T)

    def _by_words(self, place: Mask) -> Ints:
        """Return the passages that have all words and phrases, in story order."""
        rows = having(self._index, self._wanted.line.text, place)
        if self._marker.phrases or (self._speech is not None and self._marker.wanted):
            fits = [
                self._marker.all_in(self._index.passages[row].text, self._within(row))
                for row in rows.tolist()
            ]
            rows = rows[np.array(fits, bool)]
        return rows

    def _within(self, row: int) -> list[Span] | None:
        """Return the parts of a passage that count, as offsets in it; None for all of it."""
        if self._speech is None:
            return None
        start, end = self._spans[row].tolist()
        return [
            Span(max(0, span.start - start), min(end, span.end) - start) for span in self._speech.get(row, ())
        ]

    def _ordered(self, rows: Ints) -> list[int]:
        """Return passages in the order asked for: best first.

        Those where all of the company are come first, and among them those with the words side by side.
        """
        line = self._wanted.line
        if self._wanted.order is Order.STORY:
            found: list[int] = rows.tolist()
            return found
        there = np.ones(len(rows), bool)
        for person in self._company:
            there &= person.passages[rows]
        known = sorted(set(terms(line.text)))
        scores = self._index.bm25.scores(known, visible=self._visible)[rows]
        beside = np.zeros(len(rows), bool)
        if len(line.words) > 1:
            together = phrase(" ".join(line.words))
            texts = (simplified(self._index.passages[row].text) for row in rows.tolist())
            beside[:] = [bool(together.search(text)) for text in texts]
        ordered: list[int] = rows[np.lexsort((rows, -scores, ~beside, ~there))].tolist()
        return ordered

    def _find(self, row: int) -> Find:
        passage = self._index.passages[row]
        if self._wanted.line.text:
            return self._marker.find(passage, self._within(row))
        named = (span for person in self._company for span in person.mentions)
        return Find(passage, apart(span for span in named if passage.span.covers(span)))

    def _by_meaning(self, embedder: Embedder, place: Mask, rows: Ints) -> list[int]:
        left = place.copy()
        left[rows] = False
        vector = embedder.embed([self._wanted.line.text])[0]
        near = self._index.dense.top(vector, _NEAR + len(rows), visible=self._visible)
        return [row for row, score in near if score >= FLOOR and left[row]][:_NEAR]

    def _alone(self, word: str) -> WordCount:
        known = set(terms(word))
        held = [self._index.bm25.holding(term, visible=self._visible) for term in known]
        passages = set.intersection(*(set(rows.tolist()) for rows in held))
        if passages or len(known) > 1:
            return WordCount(word, len(passages))
        (term,) = known
        census = self._index.bm25.census(self._visible)
        spelt = [other for other in census if abs(len(other) - len(term)) <= _LONGER]
        close = get_close_matches(term, spelt, n=_SIMILAR, cutoff=_ALIKE)
        return WordCount(word, 0, tuple(map(self._as_printed, close)))

    def _as_printed(self, term: str) -> str:
        """Return a term as the book spells it where it first stands."""
        row = int(self._index.bm25.holding(term, visible=self._visible)[0])
        text = self._index.passages[row].text
        marks = Marker(QueryLine(words=(term,))).marks(text)
        return marks[0].of(text) if marks else term
