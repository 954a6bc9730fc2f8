"""The share of an answer's sentences that some paragraph of the book entails, by a local model.

After Narayan et al. (2022) and Laban et al. (2022), as in BookWorm's paper: for each sentence the highest
entailment probability of any paragraph, which counts from one half. To test every paragraph takes hours for a
novel, so for each sentence those that mention the character are tested, preferring paragraphs that share more
rare words with it; if they are few, others are added.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from books.sampling import evenly
from books.types import Span
from evaluation.metrics.errors import MetricUnavailable
from evaluation.metrics.likely import Paragraphs
from evaluation.metrics.sentences import sentences_of
from evaluation.metrics.types import MetricSample, Scores
from generation.checking.judges.nli_judge import NliJudge
from generation.checking.setup import NliSetup
from generation.checking.types import Case, Evidence
from generation.errors import JudgeUnavailable
from generation.types import Category, Claim, Label, Verdict
from retrieval.types import Passage

_REMEDY = (
    "Give as model of inference the folder of a sequence-classification checkpoint that was trained for it, "
    "with safetensors weights and a label `entailment`; or leave `nli` out."
)
_NEVER = 2.0
"""No probability is as high: a sentence that one paragraph contradicts may be entailed by another."""
_SENTENCES = 200
"""Of a longer answer, this many sentences are tested, spread from its beginning to its end."""


class Entailment:
    columns = ("nli", "nli_probability")

    def __init__(self, folder: Path | None, *, paragraphs: int) -> None:
        if folder is None:
            raise MetricUnavailable("`nli` needs a model.", remedy=_REMEDY)
        try:
            self._judge = NliJudge(NliSetup(folder=folder, contradiction=_NEVER))
        except JudgeUnavailable as error:
            raise MetricUnavailable(error.wording(candid=True).detail, remedy=_REMEDY) from error
        self._most = paragraphs
        self._kept: tuple[str, Paragraphs] | None = None

    @property
    def name(self) -> str:
        return f"nli/1-{self._judge.name}-{self._most}"

    def score(self, samples: Sequence[MetricSample]) -> list[Scores]:
        """Score the samples; `nli_probability` is the mean of the values that are compared with one half."""
        order = sorted(range(len(samples)), key=lambda at: samples[at].book.sha256)
        found: list[Scores] = [{} for _ in samples]
        for at in order:
            found[at] = self._scored(samples[at])
        return found

    def _scored(self, sample: MetricSample) -> Scores:
        claims = [_claim(s, at) for at, s in enumerate(evenly(sentences_of(sample.answer), _SENTENCES))]
        if not claims:
            return dict.fromkeys(self.columns)
        book = self._paragraphs(sample)
        first = book.mentioning(sample.annotations, sample.character.id)
        cases = [
            Case(claim, passages=_evidence(book.likeliest(claim.text, first, self._most))) for claim in claims
        ]
        try:
            verdicts = self._judge.judge(cases).verdicts
        except JudgeUnavailable as error:
            raise MetricUnavailable(error.wording(candid=True).detail, remedy=_REMEDY) from error
        entailed = [verdict.label is Label.SUPPORTED for verdict in verdicts]
        likely = [_probability(verdict) for verdict in verdicts]
        return {"nli": sum(entailed) / len(claims), "nli_probability": sum(likely) / len(claims)}

    def _paragraphs(self, sample: MetricSample) -> Paragraphs:
        if self._kept is None or self._kept[0] != sample.book.sha256:
            self._kept = sample.book.sha256, Paragraphs(sample.book)
        return self._kept[1]


def _claim(sentence: str, at: int) -> Claim:
    return Claim(sentence, Category.OTHER, at, Span(0, len(sentence)), None)


def _evidence(passages: Sequence[Passage]) -> tuple[Evidence, ...]:
    return tuple(Evidence(p.span, p.chapter, p.text) for p in passages)


def _probability(verdict: Verdict) -> float:
    """Return the probability of entailment.

    The judge gives the probability of its label, and there are two labels.
    """
    return verdict.score if verdict.label is Label.SUPPORTED else 1 - verdict.score
