"""The best extract by the mean of ROUGE-1, -2 and -L with the summary: an upper bound for extraction.

For a paragraph it is the paper's (after Zhong et al. 2020): of the five sentences with the highest mean, the
best combination of one, two or three. The paper does not say how it is made for chapters and books, where
three sentences are too few. There sentences are added one at a time, each the one that raises the mean most,
until none does.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from evaluation.booksum.types import SummaryLevel
from evaluation.metrics.rouge import Rouge

BEST = 5
COMBINED = (1, 2, 3)
GREEDY = 60
"""Sentences, the best alone, among which those of a long text are chosen."""
Extract = tuple[int, ...]


def mean_rouge(answer: str, reference: str, rouge: Rouge) -> float:
    found = rouge.compare(answer, reference)
    return sum(found[name] or 0.0 for name in ("rouge1", "rouge2", "rougeL")) / 3


def oracle(sentences: Sequence[str], reference: str, rouge: Rouge, *, level: SummaryLevel) -> Extract:
    """Return the numbers of the sentences, in order."""
    alone = [mean_rouge(sentence, reference, rouge) for sentence in sentences]
    ranked = sorted(range(len(sentences)), key=lambda at: (-alone[at], at))
    if level is SummaryLevel.PARAGRAPH:
        return combined(sentences, reference, rouge, candidates=ranked[:BEST])
    return greedy(sentences, reference, rouge, candidates=ranked[:GREEDY])


def candidate_extracts(candidates: Sequence[int]) -> list[Extract]:
    """Return all combinations of one, two or three sentences, each in the order of the text."""
    return [found for size in COMBINED for found in combinations(sorted(candidates), size)]


def combined(sentences: Sequence[str], reference: str, rouge: Rouge, *, candidates: Sequence[int]) -> Extract:
    extracts = candidate_extracts(candidates)
    return max(extracts, key=lambda each: _score(sentences, each, reference, rouge), default=())


def greedy(sentences: Sequence[str], reference: str, rouge: Rouge, *, candidates: Sequence[int]) -> Extract:
    chosen: Extract = ()
    best, left = 0.0, list(candidates)
    while left:
        scored = {at: _score(sentences, tuple(sorted((*chosen, at))), reference, rouge) for at in left}
        at = max(left, key=scored.__getitem__)
        if scored[at] <= best:
            break
        chosen, best = tuple(sorted((*chosen, at))), scored[at]
        left.remove(at)
    return chosen


def _score(sentences: Sequence[str], chosen: Extract, reference: str, rouge: Rouge) -> float:
    return mean_rouge(" ".join(sentences[at] for at in chosen), reference, rouge)
