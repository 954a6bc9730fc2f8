"""Make the questions: targets spread over near and far, wrong choices mixed, right ones in any position."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice, zip_longest
from random import Random
from typing import Final

from generation.quiz.material import BookSoFar, with_others
from generation.quiz.merging import grouped, shortened
from generation.quiz.types import (
    Choice,
    CorrectionTask,
    Happening,
    QuizLevel,
    QuizLoad,
    ReadAlongQuestion,
    WhyWrong,
)

CHOICES: Final = 5
"""Choices of a question, besides “none of these”."""
FEWEST: Final = 3
"""The fewest that a question can have."""
_SWAPS: Final = 3
"""Wrong choices made from one happening, at most, so that one of them may be of the right one's people."""
_WRONG: Final = 0.5
"""Share of a summary's sentences that a correction task changes; at least one."""

Answers = Counter[tuple[int, int | None]]
"""How often each position has been that of the right one of so many choices; None if none was right."""
_WrongFor = Callable[[Happening, Sequence[Choice]], list[Choice]]
"""Returns those of some choices that are wrong beside what happens, the best first."""


def read_along(
    reading: BookSoFar,
    false: Sequence[Choice],
    *,
    count: int,
    rng: Random,
    load: QuizLoad | None = None,
    used: Answers | None = None,
) -> list[ReadAlongQuestion]:
    """Return at most `count` questions: as many as there are wrong choices for.

    While there are some, these are of somebody of whom the right one is, too: if only right ones were of the
    hero, they would be known by that. `false` are wrong choices besides those with other people in them.
    `used` counts the answers to questions before, and goes on with these.
    """
    used = Counter() if used is None else used
    true = {each.text for each in reading.happenings}
    pools: dict[WhyWrong | None, list[Choice]] = {}
    for each in rng.sample(false, len(false)):
        if each.text not in true:
            pools.setdefault(each.why, []).append(each)
    pools.setdefault(WhyWrong.PEOPLE, []).extend(_with_others(reading, rng))
    names = reading.cast.names
    about = {f.text: frozenset(n.character for n in names.find(f.text)) for f in chain(*pools.values())}

    def of_them_first(target: Happening, pool: Sequence[Choice]) -> list[Choice]:
        return sorted(pool, key=lambda each: about[each.text].isdisjoint(target.people))

    asked = _loaded(reading.happenings, load)
    made = _questions(reading, asked, list(pools.values()), of_them_first, count=count, rng=rng, used=used)
    used.update(_answers(made.values()))
    return list(made.values())


def by_chapter(
    reading: BookSoFar,
    *,
    count: int,
    rng: Random,
    load: QuizLoad | None = None,
    besides: Sequence[ReadAlongQuestion] = (),
) -> list[ReadAlongQuestion]:
    """Return at most `count` questions which of several things happens in a chapter, besides others.

    Their wrong choices happen in other chapters, so they need neither other people nor other books. None is
    what a choice of the others was made from, and would tell that it is wrong.
    """
    told = {_source(choice) for question in besides for choice in question.choices}
    rest = [each for each in reading.happenings if each.text not in told]
    asked = [each for each in _loaded(reading.happenings, load) if each.text not in told]
    pool = [Choice(each.text, WhyWrong.ELSEWHERE) for each in rng.sample(rest, len(rest))]

    def elsewhere(target: Happening, pool: Sequence[Choice]) -> list[Choice]:
        here = {each.text for each in reading.happenings if each.scene.chapter == target.scene.chapter}
        return [each for each in pool if each.text not in here]

    used = Counter(_answers(besides))
    made = _questions(reading, asked, [pool], elsewhere, count=count, rng=rng, used=used)
    return [replace(question, chapter=target.scene.chapter) for target, question in made.items()]


def _questions(
    reading: BookSoFar,
    happenings: Sequence[Happening],
    pools: Sequence[Sequence[Choice]],
    wrong_for: _WrongFor,
    *,
    count: int,
    rng: Random,
    used: Answers,
) -> dict[Happening, ReadAlongQuestion]:
    """Return as many questions about some of the happenings as there can be, with as many choices.

    If they are fewer than could be asked, they have the fewest choices, and leave sentences for others.
    """
    distinct = list({each.text: each for each in happenings}.values())
    most = min(count, len(distinct))
    sizes = [(most, choices) for choices in range(CHOICES, FEWEST, -1)]
    sizes += [(number, FEWEST) for number in range(most, 0, -1)]
    for number, choices in sizes:
        targets = _spread(reading, distinct, number, rng)
        positions = dict(zip(targets, _positions(number, choices, used, rng), strict=True))
        made = _questions_about(reading, positions, pools, wrong_for, choices, rng)
        if len(made) == number:
            return made
    # Where none is right, there is one more wrong choice, and there may be too few for that.
    right = ({each: rng.randrange(FEWEST)} for each in _spread(reading, distinct, len(distinct), rng))
    asked = (_questions_about(reading, one, pools, wrong_for, FEWEST, rng) for one in right)
    return next(filter(None, asked), {})


def _questions_about(
    reading: BookSoFar,
    positions: Mapping[Happening, int | None],
    pools: Sequence[Sequence[Choice]],
    wrong_for: _WrongFor,
    choices: int,
    rng: Random,
) -> dict[Happening, ReadAlongQuestion]:
    """Return a question about each target with so many choices, until the wrong ones run out.

    A target has the position of the right choice, None if it is to be missing. No two choices are of one
    sentence: one that came again would give itself away, as only wrong ones come with other names.
    """
    spent = {each.text for each, at in positions.items() if at is not None}
    made: dict[Happening, ReadAlongQuestion] = {}
    for number, (target, position) in enumerate(positions.items()):
        rest = [[each for each in pool if _source(each) not in spent] for pool in pools]
        first = number % max(1, len(rest))  # so that each kind comes as often as the others
        fitting = [wrong_for(target, pool) for pool in (*rest[first:], *rest[:first])]
        wanted = choices if position is None else choices - 1
        wrong = _take(_in_turn(fitting), wanted)
        if len(wrong) < wanted:
            break
        spent |= {_source(each) for each in wrong}
        rng.shuffle(wrong)
        made[target] = _question(reading, wrong, target, position)
    return made


def corrections(reading: BookSoFar, *, level: QuizLevel, count: int, rng: Random) -> list[CorrectionTask]:
    """Return summaries in which some sentences are wrong."""
    groups = [shortened(group) for group in grouped(reading.happenings, level)]
    made: list[CorrectionTask] = []
    for group in rng.sample(groups, len(groups)):
        if len(made) == count:
            break
        changed = {each: wrong for each in group if (wrong := next(with_others(reading, each, rng), None))}
        if changed:
            chosen = rng.sample(list(changed), max(1, round(_WRONG * len(changed))))
            given = " ".join(changed[each].text if each in chosen else each.text for each in group)
            right = " ".join(each.text for each in group)
            made.append(CorrectionTask(given, right, group, level, reading.end))
    return made


def _with_others(reading: BookSoFar, rng: Random) -> list[Choice]:
    """Return what happens with others in it, of each happening a few times."""
    mixed = rng.sample(reading.happenings, len(reading.happenings))
    return [choice for each in mixed for choice in islice(with_others(reading, each, rng), _SWAPS)]


def _positions(count: int, choices: int, used: Answers, rng: Random) -> list[int | None]:
    """Return positions of right choices, None for no right one: each time one that has come least often."""
    counts, found = Counter(used), list[int | None]()
    for _ in range(count):
        at = min((None, *range(choices)), key=lambda position: (counts[choices, position], rng.random()))
        counts[choices, at] += 1
        found.append(at)
    return found


def _loaded(happenings: Sequence[Happening], load: QuizLoad | None) -> Sequence[Happening]:
    """Return the happenings that are asked about: all, or those of one half of the story so far."""
    half = len(happenings) // 2
    ordered = sorted(happenings, key=lambda each: each.place)
    return {None: ordered, QuizLoad.FAR: ordered[:half], QuizLoad.NEAR: ordered[half:]}[load]


def _spread(reading: BookSoFar, happenings: Sequence[Happening], count: int, rng: Random) -> list[Happening]:
    """Return happenings at distances that are even on a logarithmic scale: as many near ones as far ones."""
    rest = [(math.log1p(reading.words_since(each.place.end)), each) for each in happenings]
    far = max((distance for distance, _ in rest), default=0.0)
    near = min((distance for distance, _ in rest), default=0.0)
    chosen: list[Happening] = []
    while rest and len(chosen) < count:
        wanted = rng.uniform(near, far)
        best = min(rest, key=lambda each: abs(each[0] - wanted))
        rest.remove(best)
        chosen.append(best[1])
    return chosen


def _take(rest: Iterable[Choice], count: int) -> list[Choice]:
    """Return the first wrong choices of some: never two of the same sentence."""
    taken: dict[str, Choice] = {}
    for each in rest:
        if len(taken) < count:
            taken.setdefault(_source(each), each)
    return list(taken.values())


def _source(choice: Choice) -> str:
    """Return the sentence that a choice was made from, or its own words."""
    return choice.text if choice.of is None else choice.of.text


def _in_turn(pools: Iterable[Sequence[Choice]]) -> list[Choice]:
    return [each for row in zip_longest(*pools) for each in row if each is not None]


def _question(
    reading: BookSoFar, wrong: Sequence[Choice], target: Happening, position: int | None
) -> ReadAlongQuestion:
    """Return a question with the right choice at a position or missing."""
    if position is None:
        return ReadAlongQuestion(tuple(wrong), len(wrong), reading.end, None, None)
    choices = (*wrong[:position], Choice(target.text), *wrong[position:])
    return ReadAlongQuestion(choices, position, reading.end, target, reading.words_since(target.place.end))


def _answers(questions: Iterable[ReadAlongQuestion]) -> Iterator[tuple[int, int | None]]:
    """Yield how many choices there are, and where the right one is; None if there is none."""
    return ((len(each.choices), each.answer if each.happening else None) for each in questions)
