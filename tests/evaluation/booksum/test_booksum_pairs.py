"""Texts beside summaries: cleaning, stable matching, and figures that are counted by hand."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.booksum.aligning import AlignedSentence, align, paragraph_pairs, tenths
from evaluation.booksum.cleaning import clean_summary
from evaluation.booksum.novel_texts import NovelTexts
from evaluation.booksum.pair_statistics import figures_of
from evaluation.booksum.pairs import SummaryPair, joined_paragraphs, load_pairs
from evaluation.booksum.section_matching import MatchedBy, SectionMatch
from evaluation.booksum.stable_matching import Scores, stable_match
from evaluation.booksum.types import AlignedRow, SummaryLevel
from generation.training.types import DataSplit
from retrieval.embedders.hashing import HashingEmbedder

PAGE = """Chapter 3
Summary
Summary: Anne keeps the lamp.
Read more about lamps on this page
Peter sees an <b>analysis</b> of the sea.
Analysis
The lamp is a symbol.
Chapter 4 Summary and Analysis
The storm comes.
Analysis: hope is a lamp too.
Summary of the whole sea was what he wanted.
Commentary on Chapter IV
"""


def test_headings_analyses_and_pages_are_left_out() -> None:
    found = clean_summary(PAGE.replace("Commentary on", "Commentary of"))
    assert found.paragraphs == (
        "Anne keeps the lamp.",
        "Peter sees an analysis of the sea.",
        "The storm comes.",
        "Summary of the whole sea was what he wanted.",
    )
    assert "The lamp is a symbol." in found.dropped
    assert len(found.paragraphs) + len(found.dropped) == len(PAGE.splitlines())


@pytest.mark.parametrize("summary", ["Anne leaves.\nShe returns.", ["Anne leaves.", "She returns."]])
def test_json_keeps_the_analysis_apart(summary: object) -> None:
    content = json.dumps({"name": "Chapter 1", "summary": summary, "analysis": ["A symbol."]})
    assert clean_summary(content).paragraphs == ("Anne leaves.", "She returns.")


def stable(scores: Scores, match: dict[int, int]) -> bool:
    """Whether no pair prefers each other to whom they have."""
    rows, columns = scores.shape
    holder = {column: row for row, column in match.items()}

    def better(row: int, column: int) -> bool:
        mine = match.get(row)
        theirs = holder.get(column)
        return (mine is None or scores[row, column] > scores[row, mine]) and (
            theirs is None or scores[row, column] > scores[theirs, column]
        )

    return not any(better(row, column) for row in range(rows) for column in range(columns))


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 4), st.integers(1, 4), st.randoms(use_true_random=False))
def test_stable_matching_beside_brute_force(rows: int, columns: int, random: object) -> None:
    order = list(range(rows * columns))
    random.shuffle(order)  # type: ignore[attr-defined]
    scores = np.array(order, dtype=np.float32).reshape(rows, columns)
    found = stable_match(scores)
    small, large = sorted((rows, columns))
    every = [
        dict(zip(range(rows), chosen, strict=True))
        if rows <= columns
        else {r: c for c, r in enumerate(chosen)}
        for chosen in itertools.permutations(range(large), small)
    ]
    # With distinct scores that both sides share there is only one stable matching.
    assert [match for match in every if stable(scores, match)] == [found]


def test_equal_scores_are_matched_in_order() -> None:
    assert stable_match(np.ones((2, 3), dtype=np.float32)) == {0: 0, 1: 1}
    assert stable_match(np.ones((3, 1), dtype=np.float32)) == {0: 0}
    assert stable_match(np.ones((2, 0), dtype=np.float32)) == {}


def pair(
    paragraphs: tuple[str, ...], *summary: str, level: SummaryLevel = SummaryLevel.CHAPTER
) -> SummaryPair:
    return SummaryPair(level, DataSplit.TEST, "7", "summary.txt", paragraphs, summary)


STORY = ("Anne kept the lamp.", "Peter hated the grey sea.", "The storm broke the old boat.", "They slept.")


def test_sentences_are_aligned_with_their_paragraphs() -> None:
    told = pair(STORY, "The storm destroys the boat.", "Peter hates the sea.")
    aligned = align(told, HashingEmbedder())
    assert [(each.sentence, each.paragraph) for each in aligned] == [(0, 2), (1, 1)]
    # 4, 5, 6 and 2 words: the middle of the third paragraph is after 12 of 17.
    assert aligned[0].place == pytest.approx(12 / 17)
    assert tenths(aligned) == (0, 0, 0, 1, 0, 0, 0, 1, 0, 0)
    assert tenths([AlignedSentence(0, 0, 1.0, 1.0)])[9] == 1
    one, two = paragraph_pairs(told, aligned)
    assert (one.level, one.text, one.reference) == (
        SummaryLevel.PARAGRAPH,
        STORY[2],
        "The storm destroys the boat.",
    )
    assert (two.name, two.bid) == ("summary.txt#2", "7")


def test_figures_by_hand() -> None:
    found = figures_of([pair(("Anne kept the lamp. She was patient.",), "Anne kept the lamp well.")])
    means = {name: value.mean for name, value in found.items() if value}
    # Seven words; of "anne kept the lamp well" four are copied in a row.
    assert means["coverage"] == pytest.approx(4 / 5)
    assert means["density"] == pytest.approx(16 / 5)
    assert means["compression"] == pytest.approx(7 / 5)
    assert [means[f"novel{n}"] for n in (1, 2, 3, 4)] == pytest.approx([1 / 5, 1 / 4, 1 / 3, 1 / 2])
    assert (means["source_words"], means["summary_words"]) == (7, 5)


def test_short_paragraphs_are_joined() -> None:
    assert joined_paragraphs(["a b", "c", "d e f", "g"], 3) == ("a b c", "d e f g")
    assert joined_paragraphs(["a", "b"], 3) == ("a b",)
    assert joined_paragraphs([], 3) == ()


def row(name: str, text: str = "chapters/1.txt", level: SummaryLevel = SummaryLevel.CHAPTER) -> AlignedRow:
    return AlignedRow(DataSplit.TEST, level, "7", "The Keeper", "guide", text, f"summaries/{name}.txt")


def test_pairs_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "summaries").mkdir()
    (tmp_path / "chapters").mkdir()
    (tmp_path / "chapters/1.txt").write_text("Anne kept\nthe lamp.\n\nPeter slept.")
    for name in ("a", "b", "c"):
        (tmp_path / f"summaries/{name}.txt").write_text("Summary\nAnne keeps it.")
    (tmp_path / "summaries/empty.txt").write_text("Analysis\nNothing.")
    rows = [row("a"), row("missing"), row("empty"), row("b", "chapters/2.txt"), row("c", "../outside.txt")]
    found = load_pairs(rows, tmp_path)
    assert [each.name for each in found.pairs] == ["summaries/a.txt"]
    assert found.pairs[0].paragraphs == ("Anne kept the lamp. Peter slept.",)
    assert (found.without_summary, found.without_text, found.dropped) == (2, 2, 1)
    chapters = (("Not this.",), ("From a novel.",))
    novels = NovelTexts({"7": chapters}, {"summaries/b.txt": SectionMatch(1, 1, MatchedBy.PRINTED)})
    more = load_pairs(rows, tmp_path, novels=novels)
    assert [each.text for each in more.pairs][1:] == ["From a novel."]
    assert len(load_pairs([row("a"), row("b"), row("c")], tmp_path, limit=2).pairs) == 2
