"""Calibration error and AUC by hand, and whether the confidence can be believed on the novella."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import evaluation.novella as novella
from books.reading import read
from coref.language.word_lists import same
from coref.names.certainty import MentionSort
from coref.native.mention_facts import facts_of
from coref.native.resolver import NativeResolver, assemble
from evaluation.coref.reliability import JudgedMention, ReliabilityReport, reliability, report

WRONG, RIGHT = False, True


def test_figures_by_hand() -> None:
    found = reliability(np.array([0.95, 0.91, 0.25, 0.25]), np.array([RIGHT, WRONG, WRONG, RIGHT]))
    assert (found.count, found.right) == (4, 0.5)
    assert found.error == pytest.approx((2 * abs(0.93 - 0.5) + 2 * abs(0.25 - 0.5)) / 4)
    assert found.auc == pytest.approx((1 + 1 + 0 + 0.5) / 4), "two pairs right, one wrong, one equal"
    assert [b.count for b in found.bins] == [0, 0, 2, 0, 0, 0, 0, 0, 0, 2]
    assert (found.bins[0].mean, found.bins[2].right) == (None, 0.5)


def test_a_confidence_of_one_is_in_the_last_bin() -> None:
    found = reliability(np.array([1.0, 1.0]), np.array([RIGHT, RIGHT]))
    assert found.bins[-1].count == 2
    assert (found.error, found.auc) == (0.0, None)


def test_nothing_to_measure_is_refused() -> None:
    with pytest.raises(ValueError, match="no mentions"):
        report([])


@pytest.fixture(scope="module")
def measured() -> ReliabilityReport:
    """The novella's mentions at the gold's places. A character is whoever most of its names mean."""
    resolver = NativeResolver()
    book = read(novella.path().read_bytes())
    ground, meaning = resolver.resolve(book)
    facts, found = facts_of(ground, meaning), assemble(ground, meaning)
    names = {c.id: {same(c.name), *(same(a.text) for a in c.aliases)} for c in novella.gold().characters}
    gold = {(m.start, m.end): m.character for m in novella.gold().mentions}
    known = {s.span: facts[s.at] for s in meaning.sightings if s.at in facts}
    meant: dict[str, str] = {}
    for character in found.characters:
        votes: Counter[str] = Counter()
        for alias in character.aliases:
            votes.update({who: alias.count for who, theirs in names.items() if same(alias.text) in theirs})
        if votes:
            meant[character.id] = votes.most_common(1)[0][0]
    judged = [
        JudgedMention(known[m.span].sort, known[m.span].raw, m.confidence, meant.get(m.character) == whom)
        for m in found.mentions
        if m.character is not None and (whom := gold.get((m.span.start, m.span.end))) is not None
    ]
    return report(judged)


@pytest.mark.soak
def test_the_confidence_can_be_believed_more_than_the_raw_share(measured: ReliabilityReport) -> None:
    before, after = measured.before, measured.after
    assert after.error < before.error
    assert after.brier < before.brier
    assert after.error <= 0.12
    assert after.auc is not None
    assert before.auc is not None
    assert after.auc >= before.auc


@pytest.mark.soak
def test_pronouns_are_less_certain_than_names(measured: ReliabilityReport) -> None:
    by_sort = {sort: after for sort, (_, after) in measured.sorts.items()}
    assert by_sort[MentionSort.THIRD.value].mean < by_sort[MentionSort.NAME.value].mean
