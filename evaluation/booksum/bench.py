"""Measure pairs of texts and summaries, and extractive baselines on those of the test split."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from evaluation.booksum.aligning import AlignedSentence, align, paragraph_pairs, tenths
from evaluation.booksum.extractive_systems import FEW, SYSTEMS, TRAINED, ExtractiveTools
from evaluation.booksum.pair_statistics import LevelFigures, figures_of
from evaluation.booksum.pairs import SummaryPair, levels_of
from evaluation.booksum.rating_sheets import RatedSummary
from evaluation.booksum.sentence_extractor import train_extractor
from evaluation.booksum.source_sentences import source_sentences
from evaluation.booksum.types import SummaryLevel
from evaluation.metrics.cloze import ClozeScorer
from evaluation.metrics.rouge import Rouge
from evaluation.metrics.sentences import sentences_of
from evaluation.metrics.statistics import Interval, interval
from generation.training.types import DataSplit
from retrieval.protocols import Embedder

ROUGES = ("rouge1", "rouge2", "rougeL")
BERTSCORE = "bertscore"
CLOZE = "cloze"
"""F1 of names that the text leaves out and its summary tells, as SummaQA asks."""


@dataclass(frozen=True, slots=True)
class ExtractiveScores:
    """One baseline at one level."""

    level: SummaryLevel
    system: str
    pairs: int
    scores: Mapping[str, Interval | None]
    """F1; the intervals draw whole books."""
    sentences: float
    """Mean number of sentences that it took."""


Alignments = Mapping[str, Sequence[AlignedSentence]]
"""By the name of the pair."""


def align_all(pairs: Sequence[SummaryPair], embedder: Embedder) -> Alignments:
    return {pair.name: align(pair, embedder) for pair in pairs}


def with_paragraphs(pairs: Sequence[SummaryPair], aligned: Alignments) -> list[SummaryPair]:
    """Add the pairs of the paragraph level, which are made of those of the chapter level."""
    made = [
        each
        for pair in pairs
        if pair.level is SummaryLevel.CHAPTER
        for each in paragraph_pairs(pair, aligned[pair.name])
    ]
    return [*made, *pairs]


def figures_by_level(pairs: Sequence[SummaryPair], aligned: Alignments) -> list[LevelFigures]:
    return [_level(level, mine, aligned) for level, mine in levels_of(pairs)]


def _level(level: SummaryLevel, pairs: Sequence[SummaryPair], aligned: Alignments) -> LevelFigures:
    found = [(pair, each) for pair in pairs for each in aligned.get(pair.name, ())]
    sentences = sum(len(sentences_of(pair.reference)) for pair in pairs if pair.name in aligned)
    return LevelFigures(
        level,
        len(pairs),
        len({pair.bid for pair in pairs}),
        figures_of(pairs),
        tenths([each for _, each in found]) if found else (),
        sentences - len(found),
        interval([each.cosine for _, each in found], books=[pair.bid for pair, _ in found]),
    )


def measure_systems(
    pairs: Sequence[SummaryPair],
    embedder: Embedder,
    *,
    seed: int = 0,
    bertscore: bool = False,
    cloze: ClozeScorer | None = None,
    tell: Callable[[RatedSummary], None] | None = None,
) -> list[ExtractiveScores]:
    """Measure all baselines on the test split; the extractor is trained on paragraphs of the training split.

    A book that is in both, at different levels, is not trained on. `tell` is told of every summary.
    """
    rouge = Rouge()
    tested = {pair.bid for pair in pairs if pair.split is DataSplit.TEST}
    train = [pair for pair in pairs if pair.split is DataSplit.TRAIN and pair.bid not in tested]
    paragraphs = [pair for pair in train if pair.level is SummaryLevel.PARAGRAPH]
    extractor = train_extractor([source_sentences(pair, embedder) for pair in paragraphs], rouge)
    tools = ExtractiveTools(embedder, rouge, seed, extractor)
    found: list[ExtractiveScores] = []
    for level, mine in levels_of([pair for pair in pairs if pair.split is DataSplit.TEST]):
        sources = [source_sentences(pair, embedder) for pair in mine]
        wanted = _wanted([pair for pair in train if pair.level is level])
        for name, system in SYSTEMS.items():
            if extractor is None and name in TRAINED:
                continue
            chosen = [system(source, wanted, tools) for source in sources]
            answers = [source.extract(each) for source, each in zip(sources, chosen, strict=True)]
            if tell is not None:
                for pair, said in zip(mine, answers, strict=True):
                    tell(RatedSummary(name, level, pair.bid, pair.name, pair.text, said))
            scores = _scores(mine, answers, rouge, bertscore)
            if cloze is not None:
                told = cloze.score([(pair.text, said) for pair, said in zip(mine, answers, strict=True)])
                scores[CLOZE] = interval(told, books=[pair.bid for pair in mine])
            found.append(ExtractiveScores(level, name, len(mine), scores, fmean(map(len, chosen))))
    return found


def _wanted(train: Sequence[SummaryPair]) -> int:
    """Return how many sentences a summary of the training split has; three where there is none."""
    return max(1, round(fmean(len(sentences_of(pair.reference)) for pair in train))) if train else FEW


def _scores(
    pairs: Sequence[SummaryPair], answers: Sequence[str], rouge: Rouge, bertscore: bool
) -> dict[str, Interval | None]:
    books = [pair.bid for pair in pairs]
    rows = [rouge.compare(answer, pair.reference) for answer, pair in zip(answers, pairs, strict=True)]
    found = {name: interval([row[name] for row in rows], books=books) for name in ROUGES}
    if bertscore:
        from evaluation.metrics.bertscore import BertScore

        both = list(zip(answers, (pair.reference for pair in pairs), strict=True))
        found[BERTSCORE] = interval([row[BERTSCORE] for row in BertScore().compare(both)], books=books)
    return found
