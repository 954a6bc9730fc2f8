"""Search a book for the sentences that a claim should be compared with.

A sentence counts by the claim's words in it and next to it, weighed by their rarity in the book, and by the
presence of the claim's people: a mention that `coref` resolved, or a quote of which they are the speaker.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import log, nan
from typing import Final

import numpy as np
from numpy.typing import NDArray

from books.types import ParagraphKind, Span
from coref.types import Mention
from generation.stems import stem
from generation.story.cast import CastIndex
from generation.story.named_people import terms_of_names
from generation.types import Claim
from retrieval import sentences
from retrieval.passages import cut
from retrieval.tokenizer import terms

Floats = NDArray[np.float32]
Numbers = NDArray[np.int64]

NEXT_WORD, NEXT_PERSON = 0.4, 0.6
"""Share of a word, and of a person, that counts if it is in the sentence before or after."""
SUBJECT, OTHERS = 0.2, 0.12
"""Weight of the subject's presence, and of the other people's, beside the words' 1."""
RIVALS = 25
"""Number of main characters who are compared with the subject."""
LONGEST = 2_000
"""Maximum number of characters of a claim, and of a piece of evidence, that are read."""
_KEPT = 4
SHORT = 200
"""Sentences of a text in which a subject's share of them says little."""
_TOP = 5


@dataclass(frozen=True, slots=True)
class SearchSigns:
    """How a whole book bears on a claim. "Words" are shares of the claim's words, weighed by rarity.

    Nothing here is about the claim alone: in the corpus true facts are longer than false ones.
    """

    subject_words: float
    """Words at the place that is best for words and subject together."""
    joint_words: float
    """The same with all the claim's people."""
    subject_cover: float
    """Words in three sentences together, with the subject."""
    joint_cover: float
    subject_alone: float
    """Words in one sentence alone, with the subject."""
    rival_words: float
    """`subject_words` for the person of the cast who fits the words best, besides the claim's own."""
    rivals_ahead: float
    """Number of people who fit the words better than the subject, by fives."""
    words_alone: float
    """Words in one sentence, whoever is there."""
    words_near: float
    words_cover: float
    subject_there: float
    """Presence of the subject at the places that are best for the words."""
    rival_there: float
    missing: float
    """Weight of the heaviest word that is missing at the subject's best place."""
    unknown: float
    """Share of the words that the book does not have."""
    three_best: float
    eight_best: float
    subject_share: float
    """Share of the sentences with the subject; not a number for a short text."""
    together: float
    """Share of the subject's sentences that have all the claim's people."""
    subject_weight: float
    """`subject_words` as a sum of weights: many rare words are hardly together by chance."""
    joint_cover_weight: float
    subject_alone_weight: float


NOWHERE: Final = SearchSigns(*(0.0,) * 21)


class SentenceSearch:
    """The sentences of one book with their terms and people. It is built at first use."""

    def __init__(self, cast: CastIndex) -> None:
        self.cast = cast
        book = cast.book
        self.spans: list[Span] = []
        chapters: list[int] = []
        paragraphs: list[int] = []
        for at, paragraph in enumerate(book.paragraphs):
            if paragraph.kind is not ParagraphKind.HEADING:
                for span in sentences.split(book.text, paragraph.span):
                    self.spans.append(span)
                    chapters.append(paragraph.chapter)
                    paragraphs.append(at)
        self.chapters = chapters
        self._paragraphs = np.array(paragraphs, np.int64)
        self._starts = np.array([s.start for s in self.spans], np.int64)
        self._ends = np.array([s.end for s in self.spans], np.int64)

    def __len__(self) -> int:
        return len(self.spans)

    def weight(self, term: str) -> float:
        """Return the rarity of a term, from 0 to 1. A term that does not occur is the rarest."""
        return log((len(self) + 1) / (len(self._postings.get(term, ())) + 1)) / log(len(self) + 2)

    def within(self, span: Span) -> range:
        """Return the sentences that overlap a span."""
        return sentences.touched(span, self._starts, self._ends)

    def place_of(self, at: int) -> Span:
        """Return the part of a sentence's paragraph that is read as one: all of it if it is not long."""
        book, sentence = self.cast.book, self.spans[at]
        parts = cut(book.text, book.paragraphs[self._paragraphs[at]].span)
        return next((part for part in parts if part.overlaps(sentence)), sentence)

    def lacks_a_name(self, claim: Claim) -> bool:
        """Whether a claim has a name, besides those of its people, that is nowhere in the book."""
        names = terms_of_names(_without_people(claim, "x"))  # a word: the next one begins no sentence
        return any(stem(term) not in self._postings for term in names)

    def presence(self, character: str) -> Floats:
        """Return how surely a character is in each sentence, from 0 to 1."""
        found = self._present.get(character)
        return np.zeros(len(self), np.float32) if found is None else found

    def signs(self, claim: Claim) -> SearchSigns:
        """Return how the whole book bears on a claim."""
        if not len(self):
            return NOWHERE
        asked = claim_terms(claim)
        weights = [self.weight(term) for term in asked]
        whole = sum(weights) or 1.0
        alone = self._words(asked)
        near = np.maximum(alone, _spread(alone, NEXT_WORD, self._paragraphs))
        cover = self._cover(asked, weights)
        mine = self._near_presence(claim.subject)
        others = sorted({n.character for n in claim.people} - {claim.subject})
        theirs = np.minimum.reduce([self._near_presence(o) for o in others]) if others else np.ones_like(mine)
        rivals = [
            c.id for c in self.cast.annotations.characters[:RIVALS] if c.id not in (claim.subject, *others)
        ]
        beside = [self._near_presence(rival) for rival in rivals]
        told = near * mine
        best = int(told.argmax())
        ahead = [float((near * present).max()) for present in beside]
        top = np.argsort(-near, kind="stable")[:_TOP]
        share = (near[top] + 1e-6) / (near[top] + 1e-6).sum()
        highest = np.sort(told)[::-1][:8]
        lacking = [w for term, w in zip(asked, weights, strict=True) if not self._at(term, best)]
        nowhere = [w for term, w in zip(asked, weights, strict=True) if term not in self._postings]
        return SearchSigns(
            subject_words=float(told.max()),
            joint_words=float((told * theirs).max()),
            subject_cover=float((cover * mine).max()),
            joint_cover=float((cover * mine * theirs).max()),
            subject_alone=float((alone * mine).max()),
            rival_words=max(ahead, default=0.0),
            rivals_ahead=sum(other > told.max() for other in ahead) / 5,
            words_alone=float(alone.max()),
            words_near=float(near.max()),
            words_cover=float(cover.max()),
            subject_there=float((mine[top] * share).sum()),
            rival_there=max((float((present[top] * share).sum()) for present in beside), default=0.0),
            missing=max(lacking, default=0.0),
            unknown=sum(nowhere) / whole,
            three_best=float(highest[:3].mean()),
            eight_best=float(highest.mean()),
            subject_share=float((mine > 0).mean()) if len(self) >= SHORT else nan,
            together=float((mine * theirs).sum() / (mine.sum() + 1)) if others else 0.0,
            subject_weight=float(told.max()) * whole,
            joint_cover_weight=float((cover * mine * theirs).max()) * whole,
            subject_alone_weight=float((alone * mine).max()) * whole,
        )

    def _near_presence(self, character: str | None) -> Floats:
        if character is None:
            return np.zeros(len(self), np.float32)
        if character not in self._nearby:
            self._nearby[character] = _near(self.presence(character))
        return self._nearby[character]

    @cached_property
    def _nearby(self) -> dict[str, Floats]:
        return {}

    def _cover(self, asked: Sequence[str], weights: Sequence[float]) -> Floats:
        """Return the share of the terms in each sentence and its neighbours in the paragraph together."""
        cover = np.zeros(len(self), np.float32)
        whole = sum(weights) or 1.0
        for term, weight in zip(asked, weights, strict=True):
            places = self._postings.get(term)
            if places is not None:
                there = np.zeros(len(self), np.float32)
                there[places] = 1.0
                cover += (weight / whole) * (_spread(there, 1.0, self._paragraphs) > 0)
        return cover

    def _at(self, term: str, at: int) -> bool:
        """Whether a term is in a sentence or next to it."""
        places = self._postings.get(term)
        return places is not None and bool((np.abs(places - at) <= 1).any())

    def certainty(self, character: str, at: int) -> float:
        """Return how surely a sentence, or the one before or after it, is about a character."""
        row = self.presence(character)
        beside = row[max(0, at - 1) : at + 2]
        return float(max(row[at], NEXT_PERSON * beside.max(initial=0.0)))

    def mentions_in(self, span: Span) -> list[Mention]:
        """Return the mentions that lie inside a span."""
        return [m for m in self.cast.mentions_in(span) if m.span.end <= span.end]

    def search(self, claim: Claim, *, most: int) -> list[tuple[int, float]]:
        """Return the best sentences for a claim, each with the share of its words, by weight, that it has."""
        if not len(self):
            return []
        asked = claim_terms(claim)
        alone = self._words(asked)
        score = np.maximum(alone, _spread(alone, NEXT_WORD, self._paragraphs))
        others = {n.character for n in claim.people} - {claim.subject}
        if claim.subject is not None:
            score = score + SUBJECT * self._near_presence(claim.subject)
        for other in others:
            score = score + OTHERS / len(others) * self._near_presence(other)
        best = np.argsort(-score, kind="stable")[:most]
        return [(int(i), float(alone[i])) for i in best]

    def _words(self, asked: Iterable[str]) -> Floats:
        """Return the share of the terms, by weight, that each sentence contains."""
        shares = np.zeros(len(self), np.float32)
        weights = {term: self.weight(term) for term in asked}
        whole = sum(weights.values()) or 1.0
        for term, weight in weights.items():
            places = self._postings.get(term)
            if places is not None:
                shares[places] += weight / whole
        return shares

    @cached_property
    def _postings(self) -> dict[str, Numbers]:
        text = self.cast.book.text
        found: dict[str, list[int]] = {}
        for at, span in enumerate(self.spans):
            for term in {stem(t) for t in terms(text[span.start : span.end])}:
                found.setdefault(term, []).append(at)
        return {term: np.array(places, np.int64) for term, places in found.items()}

    @cached_property
    def _present(self) -> dict[str, Floats]:
        annotations, people = self.cast.annotations, self.cast.by_id
        found = {character: np.zeros(len(self), np.float32) for character in people}
        mentions = [m for m in annotations.mentions if m.character in people]
        places = np.searchsorted(self._ends, [m.span.start for m in mentions], "right").tolist()
        for mention, at in zip(mentions, places, strict=True):
            if at < len(self) and mention.character is not None:
                row = found[mention.character]
                row[at] = max(row[at], mention.confidence)
        for quote in annotations.quotes:
            if quote.speaker in people and quote.speaker is not None:
                row, inside = found[quote.speaker], self.within(quote.span)
                part = row[inside.start : inside.stop]
                np.maximum(part, quote.confidence, out=part)
        return found


def claim_terms(claim: Claim) -> list[str]:
    """Return the distinct terms of a claim without the names of its people."""
    return list(dict.fromkeys(map(stem, terms(_without_people(claim, " ")))))


def _without_people(claim: Claim, letter: str) -> str:
    """Return a claim with the names of its people written over."""
    text = claim.text[:LONGEST]
    for named in claim.people:
        text = text[: named.span.start] + letter * len(named.span) + text[named.span.end :]
    return text


def _near(present: Floats) -> Floats:
    spread = np.zeros_like(present)
    spread[1:] = present[:-1]
    spread[:-1] = np.maximum(spread[:-1], present[1:])
    nearer: Floats = np.maximum(present, NEXT_PERSON * spread)
    return nearer


def _spread(words: Floats, share: float, paragraphs: Numbers) -> Floats:
    same = (paragraphs[1:] == paragraphs[:-1]).astype(np.float32)
    total = words.copy()
    total[1:] += share * words[:-1] * same
    total[:-1] += share * words[1:] * same
    return total


@lru_cache(maxsize=_KEPT)
def search_of(cast: CastIndex) -> SentenceSearch:
    """Return the search of a book. The last few are kept."""
    return SentenceSearch(cast)
