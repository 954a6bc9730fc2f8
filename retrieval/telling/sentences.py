"""The sentences of an opened book that say most about a character."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from heapq import heappush, heapreplace

import numpy as np

from books.languages import CHINESE
from books.types import Span
from coref.doubtful_people import MERE_PRONOUN, doubtful_people
from coref.types import Annotations
from retrieval.index import BookIndex
from retrieval.telling import chinese, head, meant
from retrieval.telling.marked import MarkedSentences
from retrieval.telling.sentence_table import Floats, Ints
from retrieval.telling.signs import Candidates, SentenceSigns
from retrieval.types import WHO, Category, TellingSentence

_READ = 50
"""Number of sentences, up to any place of the book, that are read: those that the head ranks first."""
_INTRODUCING = 5
"""The same if only the line is wanted that says who the character is."""
_READER = np.full(len(head.JUDGED) + len(Category), 0.5, np.float32)
_READER[head.JUDGED.index("about")] = 0.2
"""Weights of what the reader says of a sentence, beside what is said by its signs."""


def telling_sentences(
    index: BookIndex, annotations: Annotations, character: str, *, upto: int | None = None
) -> tuple[TellingSentence, ...]:
    """Return the sentences that say most of the character, or that they say, in story order, with scores."""
    with index.reading():
        found = _of(index, annotations, character, upto=upto)
        return found.told({*found.likeliest(), *found.introducing()})


def introducing_sentences(
    index: BookIndex, annotations: Annotations, character: str, *, upto: int | None = None
) -> tuple[TellingSentence, ...]:
    """Return those of them that may say who the character is."""
    with index.reading():
        found = _of(index, annotations, character, upto=upto)
        return found.told(found.introducing())


def scored(
    index: BookIndex, annotations: Annotations, character: str, *, upto: int | None
) -> tuple[Candidates, Floats]:
    """Return the sentences near a character, with the head's scores for each."""
    candidates = candidates_of(index, annotations, character, upto=upto)
    if index.book.language == CHINESE:
        marked = marked_of(index, annotations, upto).of(character, candidates.sentences.tolist())
        return candidates, chinese.shipped()(candidates.signs, marked)
    vectors = None
    if index.embedder.startswith(head.EMBEDDER):
        vectors = index.sentence_vectors[candidates.sentences].astype(np.float32)
    return candidates, head.shipped()(candidates.signs, vectors)


def candidates_of(
    index: BookIndex, annotations: Annotations, character: str, *, upto: int | None
) -> Candidates:
    """Return the sentences near a character with their signs."""
    return signs_of(index, annotations, upto).of(character)


def signs_of(index: BookIndex, annotations: Annotations, upto: int | None) -> SentenceSigns:
    """Return the signs of the sentences that the reader has reached; cached."""
    return index.kept(annotations, upto, _told).signs


def marked_of(index: BookIndex, annotations: Annotations, upto: int | None) -> MarkedSentences:
    """Return the sentences that the reader has reached, as they can be written out for somebody; cached."""
    return index.kept(annotations, upto, _told).marked


class _Told:
    """The sentences of a book, and those of the characters that were asked for."""

    def __init__(self, signs: SentenceSigns, marked: MarkedSentences, doubtful: Collection[str]) -> None:
        self.signs = signs
        self.marked = marked
        self.doubtful = doubtful
        self.characters: dict[str, _SentencesOfOne] = {}


def _told(index: BookIndex, annotations: Annotations, upto: int | None) -> _Told:
    lines = index.sentences
    visible = np.searchsorted(lines[:, 2], index.visible(upto))
    text, shown = index.book.text, lines[:visible]
    signs = SentenceSigns(text, annotations, shown, index.chapters)
    return _Told(signs, MarkedSentences(text, annotations, shown), doubtful_people(annotations))


def _of(index: BookIndex, annotations: Annotations, character: str, *, upto: int | None) -> _SentencesOfOne:
    kept = index.kept(annotations, upto, _told)
    if character not in kept.characters:
        candidates, scores = scored(index, annotations, character, upto=upto)
        if index.book.language != CHINESE:
            scores[:, head.OUTPUTS.index("about")] = meant.shipped()(candidates)
        at = candidates.sentences[candidates.present]
        most = np.ones(len(at), np.float32)
        if character in kept.doubtful:
            most[~kept.signs.naming(character)[at]] = MERE_PRONOUN
        kept.characters[character] = _SentencesOfOne(
            index, kept.marked, character, at, scores[candidates.present], most
        )
    return kept.characters[character]


class _SentencesOfOne:
    """The sentences of one character with the head's scores. They are read when they are wanted, and once."""

    def __init__(
        self,
        index: BookIndex,
        marked: MarkedSentences,
        character: str,
        sentences: Ints,
        scores: Floats,
        most: Floats,
    ) -> None:
        """Take the head's scores, and the maximum certainty, of each sentence."""
        self._scores = scores
        self._most = most
        self._likely = scores[:, 0] - np.logaddexp(0, -scores[:, -len(head.JUDGED) :]).sum(axis=1)
        self._sentences = sentences
        self._marked = marked
        self._character = character
        self._places = np.asarray(index.sentences[sentences])
        self._read_by_head = index.book.language == CHINESE
        self._chapters = [index.passages[passage].chapter for passage in self._places[:, 2].tolist()]
        self._read: dict[int, TellingSentence] = {}
        self._introducing = frozenset(self.introducing())

    def likeliest(self) -> list[int]:
        """Return the rows that are likeliest to say what a reader wants to know."""
        return _best_so_far(self._likely, _READ)

    def introducing(self) -> list[int]:
        """Return the rows that are likeliest to say who the character is."""
        who = [head.OUTPUTS.index(category) for category in WHO]
        return _best_so_far(self._scores[:, who].max(axis=1) + self._likely, _INTRODUCING)

    def told(self, rows: Collection[int]) -> tuple[TellingSentence, ...]:
        """Return these rows, in story order."""
        unread = sorted(row for row in rows if row not in self._read)
        for row, judged in zip(unread, self._judged(unread), strict=True):
            self._read[row] = self._telling(row, judged)
        return tuple(self._read[row] for row in sorted(rows))

    def _judged(self, rows: Sequence[int]) -> Floats:
        """Return what is said of each row: the logits of `JUDGED`, then one for each category."""
        from retrieval.telling import reader

        n = len(head.JUDGED)
        found = np.concatenate((self._scores[rows, -n:], self._scores[rows, 1:-n]), axis=1)
        reading = reader.shipped() if rows and not self._read_by_head else None
        if reading is not None:
            read = reading(self._marked.of(self._character, self._sentences[rows].tolist()))
            found = (1 - _READER) * found + _READER * read
        return found

    def _telling(self, row: int, judged: Floats) -> TellingSentence:
        start, end, _ = self._places[row].tolist()
        n = len(head.JUDGED)
        about, telling, alone = (1 / (1 + np.exp(-judged[:n]))).tolist()
        return TellingSentence(
            span=Span(start, end),
            chapter=self._chapters[row],
            character=self._character,
            score=float(self._scores[row, 0]),
            by_category=dict(zip(Category, judged[n:].tolist(), strict=True)),
            certainty=min(about, float(self._most[row])),
            telling=telling,
            alone=alone,
            introducing=row in self._introducing,
        )


def _best_so_far(score: Floats, most: int) -> list[int]:
    """Return the rows that are among the best up to themselves. Reading on takes none away."""
    best: list[float] = []
    found: list[int] = []
    for row, value in enumerate(score.tolist()):
        if len(best) < most:
            heappush(best, value)
        elif value > best[0]:
            heapreplace(best, value)
        else:
            continue
        found.append(row)
    return found
