"""Choose which numbered headings follow one another: the best sequence, by dynamic programming.

A sequence increases by one. It may miss a few numbers, and it may restart from one where a new part begins. A
lone 7, the numbers of a tale within the tale, running heads and a table of contents add nothing to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median_high

HOLLOW = 150
"""A heading with fewer characters before the next of its series has no text of its own."""
_MISSING = 0.4
_MOST_MISSING = 4
_LATE_START = 0.5
_RESTART = 1.5
_JUMP = 3.0
_AHEAD = 0.9
"""The cost of a larger gap in the numbers; where restarting is expensive, jumping ahead is not allowed."""
_AT_PART = 0.1
_HOLLOW_WORTH = 0.3
_SMALL = 0.2
"""The value that a heading with hardly any text loses, compared with one that has the usual amount."""
_PASSED = 0.3
"""The cost of skipping a heading that has text, unless it repeats the number before it."""


@dataclass(frozen=True, slots=True)
class Item:
    """A numbered heading: where it stands and how much text follows it."""

    number: int
    start: int
    size: int
    """Characters up to the next heading of its series."""


@dataclass(frozen=True, slots=True)
class _Best:
    """The best sequence that ends at one item."""

    worth: float
    """The value as if nothing had been skipped so far, so that later items can be compared."""
    item: int


def sequence(items: Sequence[Item], parts: Sequence[int], *, restart: float = _RESTART) -> list[int]:
    """Return indices of the items to believe, in order.

    At the offsets `parts` the count may restart freely.
    """
    worths = _worths(items)
    passed = _passed(items, worths)
    before: list[int | None] = []
    by_number: dict[int, _Best] = {}
    best = at_part = None
    last, highest = None, 0.0
    part = 0
    for index, item in enumerate(items):
        while part < len(parts) and parts[part] <= item.start:
            at_part, part = best, part + 1
        steps = _steps(item, by_number, at_part)
        if best:
            leap = _leap(item.number, items[best.item].number, restart)
            steps.append((best.worth - leap, best.item))
        worth, previous = max(steps, key=lambda step: step[0], default=(0.0, None))
        worth -= passed[index]
        start = -_LATE_START * (item.number != 1) - passed[index] / 2
        if not steps or start >= worth:
            worth, previous = start, None
        worth += worths[index]
        before.append(previous)
        if worth > highest:
            last, highest = index, worth
        here = _Best(worth + passed[index + 1], index)
        known = by_number.get(item.number)
        if known is None or here.worth > known.worth:
            by_number[item.number] = here
        if best is None or here.worth > best.worth:
            best = here
    return _traced(last, before)


def _steps(item: Item, by_number: dict[int, _Best], at_part: _Best | None) -> list[tuple[float, int | None]]:
    """Return the sequences that this item may extend, with the value of each after the step."""
    steps: list[tuple[float, int | None]] = []
    for missing in range(_MOST_MISSING + 1):
        known = by_number.get(item.number - 1 - missing)
        if known:
            steps.append((known.worth - _MISSING * missing, known.item))
    if at_part and item.number == 1:
        steps.append((at_part.worth - _AT_PART, at_part.item))
    return steps


def _passed(items: Sequence[Item], worths: Sequence[float]) -> list[float]:
    """Return the cost of skipping all the items before each one."""
    costs = [0.0]
    for before, item, worth in zip([None, *items], items, worths, strict=False):
        counts = worth > _HOLLOW_WORTH and (before is None or before.number != item.number)
        costs.append(costs[-1] + _PASSED * counts)
    return costs


def _leap(number: int, before: int, restart: float) -> float:
    """Return the cost of an unexpected number: nothing for `last`, the restart for one, more for others."""
    if number == 0:
        return 0.0
    if number == 1:
        return restart
    return _AHEAD if number > before and restart < _JUMP else _JUMP


def _worths(items: Sequence[Item]) -> list[float]:
    """Return the value of each item.

    A heading without text that recurs is an entry of a table of contents, and so is the one after it.
    """
    later = Counter(item.number for item in items)
    usual = median_high([item.size for item in items if item.size > HOLLOW] or [HOLLOW])
    worths: list[float] = []
    run = 0
    for before, item in zip([None, *items], items, strict=False):
        later[item.number] -= 1
        follows = before is not None and item.number == before.number + 1
        run = run if follows else 0
        hollow, again = item.size <= HOLLOW, later[item.number] > 0
        entry = again and (hollow or run >= 2)
        solid = 1.0 - _SMALL + _SMALL * min(1.0, item.size / usual)
        worths.append(0.0 if entry else _HOLLOW_WORTH if hollow else solid)
        run = run + 1 if hollow and again else 0
    return worths


def _traced(last: int | None, before: Sequence[int | None]) -> list[int]:
    chain = []
    while last is not None:
        chain.append(last)
        last = before[last]
    return chain[::-1]
