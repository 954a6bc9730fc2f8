"""The extractive baselines on texts small enough to see the answer."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest

from evaluation.booksum import bench
from evaluation.booksum.centrality import centrality
from evaluation.booksum.extractive_oracle import candidate_extracts, mean_rouge, oracle
from evaluation.booksum.extractive_systems import SYSTEMS, ExtractiveTools
from evaluation.booksum.pairs import SummaryPair
from evaluation.booksum.sentence_extractor import train_extractor
from evaluation.booksum.source_sentences import source_sentences
from evaluation.booksum.types import SummaryLevel
from evaluation.metrics.cloze import ClozeScorer
from evaluation.metrics.rouge import Rouge
from generation.training.types import DataSplit
from retrieval.embedders.hashing import HashingEmbedder

SENTENCES = (
    "The rain fell.",
    "Anne kept the old lamp.",
    "Somebody laughed.",
    "Peter sailed into the grey storm.",
    "The clock struck nine.",
    "A dog barked at the gate.",
)
REFERENCE = "Anne keeps the lamp. Peter sails into a storm."
EMBEDDER = HashingEmbedder(dimension=64)


@pytest.fixture(scope="module")
def rouge() -> Rouge:
    return Rouge()


def pair(
    *sentences: str,
    reference: str = REFERENCE,
    level: SummaryLevel = SummaryLevel.PARAGRAPH,
    split: DataSplit = DataSplit.TEST,
    bid: str = "7",
    name: str = "summary",
) -> SummaryPair:
    paragraphs = (" ".join(sentences),) if level is SummaryLevel.PARAGRAPH else sentences
    return SummaryPair(level, split, bid, name, paragraphs, (reference,))


def test_the_mean_by_hand(rouge: Rouge) -> None:
    # "anne sails" in "anne keeps the lamp": one word of two and of four; no bigram; one in sequence.
    assert mean_rouge("Anne sails.", "Anne keeps the lamp.", rouge) == pytest.approx((1 / 3 + 0 + 1 / 3) / 3)


def test_the_oracle_of_a_paragraph_is_the_best_of_all(rouge: Rouge) -> None:
    found = oracle(SENTENCES, REFERENCE, rouge, level=SummaryLevel.PARAGRAPH)
    assert found == (1, 3)
    every = [each for size in (1, 2, 3) for each in combinations(range(len(SENTENCES)), size)]

    def score(chosen: tuple[int, ...]) -> float:
        return mean_rouge(" ".join(SENTENCES[at] for at in chosen), REFERENCE, rouge)

    assert max(every, key=score) == found


def test_the_oracle_of_a_chapter_takes_as_many_as_help(rouge: Rouge) -> None:
    reference = " ".join(SENTENCES[at] for at in (0, 2, 3, 5))
    assert oracle(SENTENCES, reference, rouge, level=SummaryLevel.CHAPTER) == (0, 2, 3, 5)
    assert oracle((), reference, rouge, level=SummaryLevel.CHAPTER) == ()
    assert oracle((), reference, rouge, level=SummaryLevel.PARAGRAPH) == ()


def test_candidates() -> None:
    assert candidate_extracts([2, 0]) == [(0,), (2,), (0, 2)]
    assert len(candidate_extracts(range(5))) == 5 + 10 + 10


def test_centrality_by_hand() -> None:
    # The middle of a path of three has 0.05 + 0.85 · (both ends), the ends the rest.
    angle = np.pi / 2
    vectors = np.array([[np.cos(a), np.sin(a)] for a in (0, angle / 2, angle)], dtype=np.float32)
    found = centrality(vectors)
    middle = (0.05 + 0.85) / 1.85
    assert found == pytest.approx([(1 - middle) / 2, middle, (1 - middle) / 2], abs=1e-4)
    assert centrality(np.eye(3, dtype=np.float32)) == pytest.approx([1 / 3] * 3)
    assert len(centrality(np.zeros((0, 2), dtype=np.float32))) == 0


def training() -> list[SummaryPair]:
    """Summaries that are always about what Anne does."""
    deeds = (
        "kept the lamp",
        "mended a net",
        "climbed the tower",
        "rowed home",
        "lit a fire",
        "fed the gulls",
    )
    return [
        pair(
            "The rain fell on the roof.",
            f"Anne {deed} that day.",
            "A dog barked.",
            reference=f"Anne {deed}.",
            split=DataSplit.TRAIN,
            bid="1",
            name=f"train{at}",
        )
        for at, deed in enumerate(deeds)
    ]


def test_the_extractor_learns_from_oracles(rouge: Rouge) -> None:
    extractor = train_extractor([source_sentences(each, EMBEDDER) for each in training()], rouge)
    assert extractor is not None
    unseen = source_sentences(pair("A dog slept.", "The rain stopped.", "Anne sang in the tower."), EMBEDDER)
    assert int(np.argmax(extractor.scores(unseen))) == 2
    assert train_extractor([], rouge) is None


def test_systems(rouge: Rouge) -> None:
    tools = ExtractiveTools(EMBEDDER, rouge, 1, None)
    source = source_sentences(pair(*SENTENCES, level=SummaryLevel.CHAPTER), EMBEDDER)
    chosen = {name: system(source, 2, tools) for name, system in SYSTEMS.items()}
    assert chosen["lead"] == (0, 1, 2)
    assert len(chosen["random"]) == 3
    assert chosen["random"] == SYSTEMS["random"](source, 2, tools)
    seeds = {SYSTEMS["random"](source, 2, ExtractiveTools(EMBEDDER, rouge, seed, None)) for seed in range(9)}
    assert len(seeds) > 1
    assert chosen["oracle"] == (1, 3)
    assert len(chosen["centrality"]) == 2
    assert len(chosen["matched"]) >= 2
    assert source.extract((3, 1)) == f"{SENTENCES[1]} {SENTENCES[3]}"
    nothing = source_sentences(pair("…", level=SummaryLevel.CHAPTER), EMBEDDER)
    assert all(system(nothing, 2, tools) == () for system in SYSTEMS.values())


def test_a_candidate_is_matched_as_a_whole(rouge: Rouge) -> None:
    tools = ExtractiveTools(EMBEDDER, rouge, 1, None)
    source = source_sentences(pair("Lamp lamp lamp sea.", "Lamp sea sea sea."), EMBEDDER)
    # Only both sentences together have the words of the paragraph in its proportions.
    assert SYSTEMS["matched"](source, 1, tools) == (0, 1)


def test_the_bench() -> None:
    chapter = pair(*SENTENCES, level=SummaryLevel.CHAPTER, name="chapter")
    other = pair(*SENTENCES[::-1], level=SummaryLevel.CHAPTER, name="other", bid="8")
    aligned = bench.align_all([chapter, other], EMBEDDER)
    pairs = [*training(), *bench.with_paragraphs([chapter, other], aligned)]
    figures = {each.level: each for each in bench.figures_by_level(pairs, aligned)}
    assert figures[SummaryLevel.CHAPTER].pairs == 2
    assert sum(figures[SummaryLevel.CHAPTER].tenths) == 4
    assert figures[SummaryLevel.CHAPTER].unaligned == 0
    assert figures[SummaryLevel.PARAGRAPH].tenths == ()
    scores = {(each.level, each.system): each for each in bench.measure_systems(pairs, EMBEDDER)}
    assert {system for level, system in scores if level is SummaryLevel.CHAPTER} == set(SYSTEMS)
    best, lead = (scores[SummaryLevel.CHAPTER, name].scores["rouge1"] for name in ("oracle", "lead"))
    assert best is not None
    assert lead is not None
    assert best.mean > lead.mean
    assert best.units == 2


def test_books_of_the_test_split_are_not_trained_on() -> None:
    test = pair(*SENTENCES, bid="1")
    systems = {each.system for each in bench.measure_systems([*training(), test], EMBEDDER)}
    assert systems == set(SYSTEMS) - {"extractor"}


def test_bertscore_if_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    class Same:
        def compare(self, pairs: Sequence[tuple[str, str]]) -> list[dict[str, float]]:
            return [{"bertscore": float(answer == reference)} for answer, reference in pairs]

    monkeypatch.setattr("evaluation.metrics.bertscore.BertScore", Same)
    told = pair(*SENTENCES, reference=" ".join(SENTENCES[:3]))
    scores = {each.system: each.scores for each in bench.measure_systems([told], EMBEDDER, bertscore=True)}
    lead, central = scores["lead"]["bertscore"], scores["centrality"]["rouge1"]
    assert lead is not None
    assert lead.mean == 1.0
    assert central is not None
    assert "bertscore" not in bench.measure_systems([told], EMBEDDER)[0].scores


def test_cloze_questions_if_asked() -> None:
    told = pair(
        "Elizabeth Bennet walked to Meryton through the rain.",
        "Nobody saw the lamp in the window of the mill.",
        "It was late, and the road was long and wet.",
        "Mr. Darcy wrote a long letter about the captain.",
        reference="Mr. Darcy wrote a letter.",
    )
    measured = bench.measure_systems([told], EMBEDDER, cloze=ClozeScorer())
    scores = {each.system: each.scores[bench.CLOZE] for each in measured}
    lead = scores["lead"]
    assert lead is not None
    assert lead.mean == 0.5, "it has the first of the two names"
    assert bench.CLOZE not in bench.measure_systems([told], EMBEDDER)[0].scores
