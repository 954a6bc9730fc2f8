"""Make the questions: targets spread over near and far, wrong choices mixed, right ones in any position."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, zip_longest
from random import Random
from typing import Final

from generation.quiz.material import BookSoFar, with_others
from generation.quiz.types import Choice, CorrectionTask, FalseHappening, Happening, ReadAlongQuestion

CHOICES: Final = 5
"""Choices of a question, besides “none of these”."""
FEWEST: Final = 3
"""The fewest that a question can have."""
_WRONG: Final = 0.5
"""Share of a summary's sentences that a correction task changes; at least one."""


def read_along(
    reading: BookSoFar, false: Sequence[FalseHappening], *, count: int, rng: Random
) -> list[ReadAlongQuestion]:
    """Return at most `count` questions. `false` are wrong choices besides those with other people in them."""
    pools: dict[str, list[FalseHappening]] = {}
    for each in (*false, *_with_others(reading, rng)):
        pools.setdefault(each.why, []).append(each)
    for pool in pools.values():
        rng.shuffle(pool)
    made: list[ReadAlongQuestion] = []
    targets = _spread(reading, count, rng)
    used = {each for pool in pools.values() for each in pool if each.of in targets}  # one answers the other
    for target, position in zip(targets, _positions(rng), strict=False):
        nothing = position == CHOICES
        wrong = _wrong(pools, target, CHOICES if nothing else CHOICES - 1, used)
        rng.shuffle(wrong)
        choices = [Choice(each.text, each.why) for each in wrong]
        if not nothing:
            choices.insert(position, Choice(target.text))
        if len(choices) < FEWEST:
            break
        made.append(_question(reading, choices, None if nothing else target))
    return made


def corrections(reading: BookSoFar, *, level: int, count: int, rng: Random) -> list[CorrectionTask]:
    """Return summaries in which some sentences are wrong: of a scene, a chapter, or all that is read."""
    groups = _groups(reading.happenings, level)
    made: list[CorrectionTask] = []
    for group in rng.sample(groups, len(groups)):
        if len(made) == count:
            break
        changed = {each: wrong for each in group if (wrong := with_others(reading, each, rng))}
        if changed:
            chosen = rng.sample(list(changed), max(1, round(_WRONG * len(changed))))
            given = " ".join(changed[each].text if each in chosen else each.text for each in group)
            right = " ".join(each.text for each in group)
            made.append(CorrectionTask(given, right, tuple(group), level, reading.end))
    return made


def _with_others(reading: BookSoFar, rng: Random) -> list[FalseHappening]:
    made = (with_others(reading, each, rng) for each in reading.happenings)
    return [each for each in made if each is not None]


def _positions(rng: Random) -> Iterator[int]:
    """Yield positions of right choices without end, each as often; the last one stands for none."""
    while True:
        yield from rng.sample(range(CHOICES + 1), CHOICES + 1)


def _spread(reading: BookSoFar, count: int, rng: Random) -> list[Happening]:
    """Return happenings at distances that are even on a logarithmic scale: as many near ones as far ones."""
    rest = [(math.log1p(reading.words_since(each.place.end)), each) for each in reading.happenings]
    far = max((distance for distance, _ in rest), default=0.0)
    near = min((distance for distance, _ in rest), default=0.0)
    chosen: list[Happening] = []
    while rest and len(chosen) < count:
        wanted = rng.uniform(near, far)
        best = min(rest, key=lambda each: abs(each[0] - wanted))
        rest.remove(best)
        chosen.append(best[1])
    return chosen


def _wrong(
    pools: Mapping[str, Sequence[FalseHappening]], target: Happening, count: int, used: set[FalseHappening]
) -> list[FalseHappening]:
    """Take wrong choices of each kind in turn: those used already only when there are no others.

    None is made from the target: the pair would give it away.
    """
    fit = [[each for each in pool if each.of != target] for pool in pools.values()]
    fresh = _in_turn([each for each in pool if each not in used] for pool in fit)
    again = _in_turn([each for each in pool if each in used] for pool in fit)
    taken = list(islice(chain(fresh, again), count))
    used.update(taken)
    return taken


def _in_turn(pools: Iterable[Sequence[FalseHappening]]) -> list[FalseHappening]:
    return [each for row in zip_longest(*pools) for each in row if each is not None]


def _question(reading: BookSoFar, choices: Sequence[Choice], target: Happening | None) -> ReadAlongQuestion:
    answer = next((n for n, choice in enumerate(choices) if choice.why is None), len(choices))
    load = None if target is None else reading.words_since(target.place.end)
    return ReadAlongQuestion(tuple(choices), answer, reading.end, target, load)


def _groups(happenings: Sequence[Happening], level: int) -> list[tuple[Happening, ...]]:
    if level == 0:
        return [(each,) for each in happenings]
    chapters: dict[int, list[Happening]] = {}
    for each in happenings:
        chapters.setdefault(each.scene.chapter, []).append(each)
    if level == 1:
        return [tuple(each) for each in chapters.values()]
    return [tuple(each[0] for each in chapters.values())] if chapters else []
