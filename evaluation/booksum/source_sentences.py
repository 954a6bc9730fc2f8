"""The sentences of a pair's text, with their vectors: what the extractive baselines choose from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from evaluation.booksum.pairs import SummaryPair
from evaluation.metrics.sentences import sentences_of
from retrieval.protocols import Embedder, Vectors


@dataclass(frozen=True, slots=True)
class SourceSentences:
    pair: SummaryPair
    sentences: tuple[str, ...]
    paragraphs: tuple[int, ...]
    """The paragraph that each sentence is in."""
    vectors: Vectors

    def extract(self, chosen: Iterable[int]) -> str:
        """Return the chosen sentences in the order of the text."""
        return " ".join(self.sentences[at] for at in sorted(set(chosen)))


def source_sentences(pair: SummaryPair, embedder: Embedder) -> SourceSentences:
    placed = [(at, each) for at, paragraph in enumerate(pair.paragraphs) for each in sentences_of(paragraph)]
    sentences = tuple(sentence for _, sentence in placed)
    return SourceSentences(pair, sentences, tuple(at for at, _ in placed), embedder.embed(sentences))
