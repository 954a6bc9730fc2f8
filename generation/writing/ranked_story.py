"""Summarise a book by choosing: each part is told alone, and the texts that the book bears out best are kept.

This is BookSum's way to read what does not fit into a model ("generate and rank"). There the model's own
confidence ranks the texts; servers of models seldom tell it, so here the passages that a text cites do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from books.types import count_words
from generation.types import Draft, Plan
from generation.writing.answer_parsing import WrittenSentence, keeping, parse
from generation.writing.citations import attach
from generation.writing.passage_relevance import RelevanceReader
from generation.writing.request_rounds import Work
from generation.writing.story_parts import StoryParts, counted_parts

PartText = Sequence[WrittenSentence]
_WORDS: Final = 50
"""Length of the text on one part: short, so that many parts have room in a summary."""


class RankedStory(StoryParts):
    def written_in_parts(self) -> Work:
        parts = self.parts(_WORDS)
        self.notes.append(f"Read in {counted_parts(len(parts))}.")
        written = yield from self.texts(parts, _WORDS, step=(0, len(parts)))
        fit = [keeping(w.text, part.numbers) for w, part in zip(written, parts, strict=True) if not w.fault]
        self.left_out(len(parts), len(fit))
        reader = RelevanceReader(self.to.prompt.context)
        chosen = self._chosen([parse(text) for text in fit], reader)
        self.notes.append(
            f"Of these, the texts on {len(chosen)} are kept: those that the book bears out best."
        )
        said = [replace(one, heading=None) for text in chosen for one in text]
        cited = attach(said, self.to.prompt, reader=reader)
        return Draft(cited, self.to.model.name, notes=tuple(self.notes))

    def planned_in_parts(self) -> Plan:
        return sum((self.planned(part.messages, _WORDS) for part in self.parts(_WORDS)), Plan())

    def _chosen(self, texts: Sequence[PartText], reader: RelevanceReader) -> list[PartText]:
        """Return the texts with the most support, as many as there are words for, in story order."""
        support = self._support(texts, reader)
        chosen: list[int] = []
        words = self.words
        for at in sorted(range(len(texts)), key=lambda n: -support[n]):
            length = sum(count_words(sentence.text) for sentence in texts[at])
            if chosen and length > words:
                break
            chosen.append(at)
            words -= length
        return [texts[at] for at in sorted(chosen)]

    def _support(self, texts: Sequence[PartText], reader: RelevanceReader) -> list[float]:
        """Return how well the passages that each text cites bear its sentences out, from 0 to 1."""
        passages = self.to.prompt.passages
        pairs, owners = [], []
        for at, text in enumerate(texts):
            for n, sentence in enumerate(text):
                for number in sentence.numbers:
                    pairs.append((reader.claim(sentence.text, ()), passages[number - 1]))
                    owners.append((at, n))
        best = [np.zeros(len(text)) for text in texts]
        for (at, n), found in zip(owners, reader.read(pairs) if pairs else (), strict=True):
            best[at][n] = max(best[at][n], found.support)
        return [float(each.mean()) if len(each) else 0.0 for each in best]
