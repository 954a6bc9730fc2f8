"""The sums over conversations, compared with sums over all assignments one by one."""

from __future__ import annotations

from itertools import product
from math import exp, log

import numpy as np
import pytest

from coref.speech.speaker_sequence import NOBODY, TurnLink, TurnStep, weigh


def conversation(seed: int, turns: int) -> list[TurnStep]:
    chance = np.random.default_rng(seed)
    steps = []
    for at in range(turns):
        candidates = [int(who) for who in chance.permutation(5)[: 1 + int(chance.integers(3))]]
        link = None
        if at:
            again, back, answer = (float(value) for value in chance.normal(size=3))
            link = TurnLink(again, back, answer, frozenset((int(chance.integers(5)),)))
        steps.append(TurnStep((*candidates, NOBODY), chance.normal(size=len(candidates) + 1), link))
    return steps


def by_hand(steps: list[TurnStep]) -> tuple[float, list[list[float]]]:
    """Sum over every assignment in turn."""
    found = [[0.0] * len(step.candidates) for step in steps]
    total = 0.0
    for ways in product(*(range(len(step.candidates)) for step in steps)):
        who = [step.candidates[way] for step, way in zip(steps, ways, strict=True)]
        score = sum(float(step.scores[way]) for step, way in zip(steps, ways, strict=True))
        for at, step in enumerate(steps):
            if step.link is None:
                continue
            again = who[at] == who[at - 1] != NOBODY
            back = at > 1 and who[at] == who[at - 2] != NOBODY and not again
            answer = who[at - 1] in step.link.called and not again
            score += step.link.again * again + step.link.back * back + step.link.answer * answer
        total += exp(score)
        for at, way in enumerate(ways):
            found[at][way] += exp(score)
    return log(total), [[value / total for value in row] for row in found]


@pytest.mark.parametrize("seed", range(8))
def test_the_sums_are_those_over_all_ways(seed: int) -> None:
    steps = conversation(seed, 1 + seed % 5)
    total, speakers = by_hand(steps)
    outcome = weigh(steps)
    assert outcome.total == pytest.approx(total)
    for ours, theirs in zip(outcome.speakers, speakers, strict=True):
        assert ours == pytest.approx(np.array(theirs))


def test_a_long_conversation_stays_finite() -> None:
    steps = [
        TurnStep((0, 1, NOBODY), np.array([3.0, 2.0, -1.0]), TurnLink(-2.0, 3.0, 0.0) if i else None)
        for i in range(2000)
    ]
    outcome = weigh(steps)
    assert np.isfinite(outcome.total)
    assert all(row.sum() == pytest.approx(1.0) for row in outcome.speakers)
