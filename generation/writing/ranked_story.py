"""Summarise a book by choosing: each part is told alone, and the texts that the book bears out best are kept.

This is BookSum's way to read what does not fit into a model ("generate and rank"). There the model's own
confidence ranks the texts; servers of models seldom tell it, so here the passages that a text cites do. Of
several texts on the same part that one is taken whose sentences the book bears out best, and that tells most
of the part's events in sentences that are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import exp
from operator import attrgetter
from typing import Final

from books.types import count_words
from generation.types import Draft, Plan
from generation.writing.answer_parsing import WrittenSentence, keeping, parse
from generation.writing.attempts import once, twice
from generation.writing.citations import attach
from generation.writing.passage_relevance import RelevanceReader
from generation.writing.prompt_fitting import FittedPrompt
from generation.writing.request_rounds import Work
from generation.writing.story_parts import StoryParts, counted_parts

PartText = Sequence[WrittenSentence]
_WORDS: Final = 50
"""Length of the text on one part: short, so that many parts have room in a summary."""


@dataclass(frozen=True, slots=True)
class RankedText:
    part: int
    text: PartText
    support: float
    """How well the passages that it cites bear its sentences out, from 0 to 1."""
    coverage: float
    """Share of the part's events, by weight, that such sentences tell."""


class RankedStory(StoryParts):
    def write(self) -> Work:
        return (yield from self._best([self._whole], self.words) if self._at_once else super().write())

    def plan(self) -> Plan:
        return self._planned([self._whole], self.words) if self._at_once else super().plan()

    @property
    def _at_once(self) -> bool:
        """Whether all is read at once, and the best of several texts taken."""
        return self._fits_at_once() and self.to.limits.candidates > 1

    def written_in_parts(self) -> Work:
        return (yield from self._best(self.parts(_WORDS), _WORDS))

    def planned_in_parts(self) -> Plan:
        return self._planned(self.parts(_WORDS), _WORDS)

    def _planned(self, parts: Sequence[FittedPrompt], words: int) -> Plan:
        each = [self.planned(part.messages, words) for part in parts] * self.to.limits.candidates
        return sum(each, Plan())

    def _best(self, parts: Sequence[FittedPrompt], words: int) -> Work:
        each, reader = self.to.limits.candidates, RelevanceReader(self.to.prompt.context)
        self.notes.append(f"Read in {counted_parts(len(parts))}.")
        asks = [
            replace(self.ask(part, words), candidate=candidate) for part in parts for candidate in range(each)
        ]
        attempt = twice if each == 1 else once
        written = yield from attempt(self.to, asks, heard=False, step=(0, len(asks)))
        fit = [
            (n // each, parse(keeping(one.text, asks[n].shown.numbers)))
            for n, one in enumerate(written)
            if one.fault is None
        ]
        ranked = [
            max(some, key=lambda one: one.support + one.coverage)
            for _, some in groupby(self._ranked(fit, parts, reader), key=attrgetter("part"))
        ]
        self.left_out(len(parts), len(ranked))
        chosen = self._chosen(ranked)
        if each > 1:
            self.notes.append(f"Of {each} texts on each part the one that the book bears out best is taken.")
        if len(parts) > 1:
            self.notes.append(
                f"Of these, the texts on {len(chosen)} are kept: those that the book bears out best."
            )
        said = [replace(one, heading=None) for text in chosen for one in text]
        cited = attach(said, self.to.prompt, reader=reader)
        return Draft(cited, notes=tuple(self.notes))

    def _ranked(
        self, fit: Sequence[tuple[int, PartText]], parts: Sequence[FittedPrompt], reader: RelevanceReader
    ) -> list[RankedText]:
        told = self._support([text for _, text in fit], reader)
        return [
            RankedText(part, text, _mean(support), self._coverage(parts[part], text, support))
            for (part, text), support in zip(fit, told, strict=True)
        ]

    def _coverage(self, part: FittedPrompt, text: PartText, support: Sequence[float]) -> float:
        """Return the share of a part's events whose passages are cited, as far as they bear it out."""
        passages = self.to.prompt.passages
        cited: dict[int, float] = {}
        for sentence, found in zip(text, support, strict=True):
            for number in sentence.numbers:
                cited[number] = max(cited.get(number, 0.0), found)
        told = weights = 0.0
        for number in part.numbers:
            span = passages[number - 1].span
            weight = sum(exp(e.score) for e in self.to.prompt.events if span.covers(e.span))
            told, weights = told + weight * cited.get(number, 0.0), weights + weight
        return told / weights if weights else 0.0

    def _chosen(self, ranked: Sequence[RankedText]) -> list[PartText]:
        """Return the texts with the most support, as many as there are words for, in story order."""
        texts = [each.text for each in ranked]
        chosen: list[int] = []
        words = self.words
        for at in sorted(range(len(texts)), key=lambda n: -ranked[n].support):
            length = sum(count_words(sentence.text) for sentence in texts[at])
            if chosen and length > words:
                break
            chosen.append(at)
            words -= length
        return [texts[at] for at in sorted(chosen)]

    def _support(self, texts: Sequence[PartText], reader: RelevanceReader) -> list[list[float]]:
        """Return how well the passages that each sentence cites bear it out, from 0 to 1."""
        passages = self.to.prompt.passages
        pairs, owners = [], []
        for at, text in enumerate(texts):
            for n, sentence in enumerate(text):
                for number in sentence.numbers:
                    pairs.append((reader.claim(sentence.text, ()), passages[number - 1]))
                    owners.append((at, n))
        best = [[0.0] * len(text) for text in texts]
        for (at, n), support in zip(owners, reader.supports(pairs), strict=True):
            best[at][n] = max(best[at][n], support)
        return best


def _mean(support: Sequence[float]) -> float:
    return sum(support) / len(support) if support else 0.0
