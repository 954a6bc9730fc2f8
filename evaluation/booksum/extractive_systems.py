"""The extractive baselines: each returns which sentences of a text are its summary.

As in the paper, `lead` and `random` take three sentences. The others take as many as the summaries of the
training split have on average at that level; `oracle` and, for a paragraph, `matched` choose how many.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.booksum.centrality import centrality
from evaluation.booksum.extractive_oracle import BEST, Extract, candidate_extracts, oracle
from evaluation.booksum.sentence_extractor import SentenceExtractor
from evaluation.booksum.source_sentences import SourceSentences
from evaluation.booksum.types import SummaryLevel
from evaluation.metrics.rouge import Rouge
from retrieval.protocols import Embedder

FEW = 3


@dataclass(frozen=True, slots=True)
class ExtractiveTools:
    """What the systems work with."""

    embedder: Embedder
    rouge: Rouge
    seed: int
    extractor: SentenceExtractor | None
    """None where there was no training split."""


System = Callable[[SourceSentences, int, ExtractiveTools], Extract]
"""Takes the number of sentences wanted."""


def _lead(source: SourceSentences, _: int, __: ExtractiveTools) -> Extract:
    return tuple(range(min(FEW, len(source.sentences))))


def _random(source: SourceSentences, _: int, tools: ExtractiveTools) -> Extract:
    drawn = random.Random(f"{tools.seed} {source.pair.name}")
    count = len(source.sentences)
    return tuple(sorted(drawn.sample(range(count), min(FEW, count))))


def _oracle(source: SourceSentences, _: int, tools: ExtractiveTools) -> Extract:
    return oracle(source.sentences, source.pair.reference, tools.rouge, level=source.pair.level)


def _central(source: SourceSentences, wanted: int, _: ExtractiveTools) -> Extract:
    return _highest(centrality(source.vectors), wanted)


def _extractor(source: SourceSentences, wanted: int, tools: ExtractiveTools) -> Extract:
    return _highest(_scores(source, tools), wanted)


def _matched(source: SourceSentences, wanted: int, tools: ExtractiveTools) -> Extract:
    """Choose among candidates by the cosine of whole texts: for a long text, paragraph by paragraph.

    The paragraphs whose candidates are nearest to them come first, until there are enough sentences.
    """
    scores = _scores(source, tools)
    found: list[tuple[float, Extract]] = []
    whole = tools.embedder.embed(list(source.pair.paragraphs))
    for paragraph, vector in enumerate(whole):
        mine = [at for at, owner in enumerate(source.paragraphs) if owner == paragraph]
        best = sorted(mine, key=lambda at: (-scores[at], at))[:BEST]
        extracts = candidate_extracts(best)
        if extracts:
            cosines = tools.embedder.embed([source.extract(each) for each in extracts]) @ vector
            at = int(np.argmax(cosines))
            found.append((float(cosines[at]), extracts[at]))
    if source.pair.level is SummaryLevel.PARAGRAPH:
        return found[0][1] if found else ()
    return _until(wanted, [extract for _, extract in sorted(found, key=lambda each: -each[0])])


SYSTEMS: dict[str, System] = {
    "lead": _lead,
    "random": _random,
    "oracle": _oracle,
    "centrality": _central,
    "extractor": _extractor,
    "matched": _matched,
}
TRAINED = ("extractor",)
"""Systems that are left out without a training split."""


def _scores(source: SourceSentences, tools: ExtractiveTools) -> NDArray[np.float64]:
    """Return the extractor's scores, or the centrality where none was trained."""
    return centrality(source.vectors) if tools.extractor is None else tools.extractor.scores(source)


def _highest(scores: NDArray[np.float64], wanted: int) -> Extract:
    return tuple(sorted(int(at) for at in np.argsort(-scores, kind="stable")[:wanted]))


def _until(wanted: int, extracts: Sequence[Extract]) -> Extract:
    chosen: list[int] = []
    for extract in extracts:
        if len(chosen) >= wanted:
            break
        chosen += extract
    return tuple(sorted(chosen))
