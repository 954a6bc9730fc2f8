"""The probability of mentions: features, the file of the weights, and that it moves the right way."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

from coref.names import certainty
from coref.names.certainty import (
    FEATURES,
    LEAST,
    MOST,
    CertaintyModel,
    MentionFacts,
    MentionSort,
    features,
    read,
    shipped,
    sort_of,
    write,
)
from coref.names.person_candidates import HE, ME, THEY, YOU
from coref.types import MentionKind
from coref.weights_file import WeightsUnknown

HIM = MentionFacts(
    sort=MentionSort.THIRD,
    raw=0.9,
    support=0.8,
    margin=0.6,
    agreed=1,
    through=0.7,
    distance=120,
    rivals=0,
    gap=30,
    topic=True,
    company=0.7,
    presence=0.05,
    gendered=True,
)


def probability(facts: MentionFacts) -> float:
    return float(shipped().probabilities([facts])[0])


def test_every_fact_is_a_feature() -> None:
    told_apart = {"agreed": 2, "distance": 2, "sort": 0}
    assert len(FEATURES) == sum(told_apart.get(field.name, 1) for field in fields(MentionFacts))
    row = features([HIM])
    assert row.shape == (1, len(FEATURES))
    assert np.abs(row).max() <= 2.5
    assert features([]).shape == (0, len(FEATURES))


def test_a_name_that_was_not_yet_used_is_farther_than_any_other() -> None:
    near, far, never = features([replace(HIM, distance=d) for d in (50, 5_000, None)])
    at, flag = FEATURES.index("distance"), FEATURES.index("unnamed yet")
    assert near[at] < far[at] < never[at]
    assert (near[flag], far[flag], never[flag]) == (0, 0, 1)


def test_sorts_of_mentions() -> None:
    pronoun = MentionKind.PRONOUN
    assert sort_of(MentionKind.PROPER, "Tom", quoted=True) is MentionSort.NAME
    assert sort_of(MentionKind.NOMINAL, "man", quoted=False) is MentionSort.NOUN
    assert sort_of(pronoun, HE, quoted=False) is MentionSort.THIRD
    assert sort_of(pronoun, HE, quoted=True) is MentionSort.THIRD_QUOTED
    assert sort_of(pronoun, ME, quoted=False) is MentionSort.FIRST
    assert sort_of(pronoun, ME, quoted=True) is MentionSort.FIRST_QUOTED
    assert sort_of(pronoun, YOU, quoted=True) is sort_of(pronoun, YOU, quoted=False) is MentionSort.SECOND
    assert sort_of(pronoun, THEY, quoted=True) is MentionSort.OTHER


@pytest.mark.parametrize("sort", MentionSort)
def test_more_evidence_is_never_less_certain(sort: MentionSort) -> None:
    him = replace(HIM, sort=sort)
    rising = [
        [replace(him, raw=value) for value in (0.2, 0.5, 0.95)],
        [replace(him, support=value) for value in (0.1, 0.5, 0.95)],
        [replace(him, margin=value) for value in (-0.5, 0.2, 0.9)],
        [replace(him, through=value) for value in (0.0, 0.3, 0.9)],
        [replace(him, company=value) for value in (0.1, 0.5, 0.9)],
        [replace(him, speaker=value) for value in (0.3, 0.6, 0.9)],
        [replace(him, agreed=value) for value in (-1, 0, 1)],
        [replace(him, rivals=value) for value in (3, 1, 0)],
        [replace(him, distance=value) for value in (8_000, 400, 20)],
        [replace(him, bearers=value) for value in (4, 2, 1)],
    ]
    for facts in rising:
        found = [probability(each) for each in facts]
        assert found == sorted(found), facts[0]


def test_a_pronoun_among_rivals_far_from_the_name_is_doubted() -> None:
    doubted = replace(
        HIM, raw=0.5, support=0.4, margin=0.0, agreed=-1, rivals=3, distance=3_000, topic=False, company=0.2
    )
    assert probability(doubted) < 0.75 < 0.8 < probability(HIM)


def test_nothing_is_certain_and_nothing_impossible() -> None:
    extreme = CertaintyModel({s: [sign * 90.0] + [0.0] * len(FEATURES) for s, sign in _signs().items()})
    found = extreme.probabilities([replace(HIM, sort=sort) for sort in MentionSort])
    assert set(found.tolist()) == {LEAST, MOST}
    assert not len(shipped().probabilities([]))


def _signs() -> dict[MentionSort, int]:
    return {sort: 1 if at % 2 else -1 for at, sort in enumerate(MentionSort)}


def test_the_weights_are_kept() -> None:
    text = write(shipped(), {"on": "nothing"})
    again = read(text)
    assert again.probabilities([HIM]) == pytest.approx(shipped().probabilities([HIM]))
    with pytest.raises(WeightsUnknown, match="format 9"):
        read(text.replace(f'"format": {certainty.FORMAT}', '"format": 9'))
