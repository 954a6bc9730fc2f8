"""Align a summary's sentences with the paragraphs they are about, as BookSum's paragraph level is made.

Sentences and paragraphs are compared by the cosine of their vectors and matched stably, one with one. Of a
text with fewer paragraphs than the summary has sentences, the sentences that fit worst stay without one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.booksum.pairs import SummaryPair
from evaluation.booksum.stable_matching import stable_match
from evaluation.booksum.types import SummaryLevel
from evaluation.metrics.sentences import sentences_of
from retrieval.protocols import Embedder

TENTHS = 10


@dataclass(frozen=True, slots=True)
class AlignedSentence:
    sentence: int
    paragraph: int
    cosine: float
    place: float
    """Where the middle of the paragraph is in the text: from 0 to 1, by words."""


def align(pair: SummaryPair, embedder: Embedder) -> list[AlignedSentence]:
    """Return the aligned sentences, in the order of the summary."""
    sentences = sentences_of(pair.reference)
    if not sentences or not pair.paragraphs:
        return []
    scores = embedder.embed(sentences) @ embedder.embed(list(pair.paragraphs)).T
    places = _places(pair.paragraphs)
    return [
        AlignedSentence(sentence, paragraph, float(scores[sentence, paragraph]), places[paragraph])
        for sentence, paragraph in stable_match(scores).items()
    ]


def paragraph_pairs(pair: SummaryPair, aligned: Sequence[AlignedSentence]) -> list[SummaryPair]:
    """Return a pair of the paragraph level for each aligned sentence."""
    sentences = sentences_of(pair.reference)
    return [
        SummaryPair(
            SummaryLevel.PARAGRAPH,
            pair.split,
            pair.bid,
            f"{pair.name}#{each.sentence + 1}",
            (pair.paragraphs[each.paragraph],),
            (sentences[each.sentence],),
        )
        for each in aligned
    ]


def tenths(aligned: Sequence[AlignedSentence]) -> tuple[int, ...]:
    """Count the aligned paragraphs by the tenth of the text that their middle is in."""
    found = [0] * TENTHS
    for each in aligned:
        found[min(int(each.place * TENTHS), TENTHS - 1)] += 1
    return tuple(found)


def _places(paragraphs: Sequence[str]) -> list[float]:
    lengths = [len(paragraph.split()) for paragraph in paragraphs]
    total, before = max(sum(lengths), 1), 0
    places: list[float] = []
    for length in lengths:
        places.append((before + length / 2) / total)
        before += length
    return places
