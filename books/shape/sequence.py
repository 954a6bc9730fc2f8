"""Which numbered headings follow one another: the best sequence by a small dynamic programme.

A sequence counts up by one. It may miss a few numbers, and it may start again from one where a new part
begins; a lone 7, the numbers of a tale within the tale, running heads and a list of contents gain it nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

HOLLOW = 150
"""A heading with fewer characters than this before the next of its series heads nothing."""
_MISSING = 0.4
_MOST_MISSING = 4
_LATE_START = 0.5
_RESTART = 1.5
_JUMP = 3.0
_AHEAD = 0.9
"""What more numbers missing than that cost; a count that restarts dearly may not jump."""
_AT_PART = 0.1
_HOLLOW_WORTH = 0.3


@dataclass(frozen=True, slots=True)
class Item:
    """A numbered heading for the count: where it stands and how much text it heads."""

    number: int
    start: int
    size: int
    """Characters up to the next heading of its series."""


@dataclass(frozen=True, slots=True)
class _Best:
    """The best sequence that ends at one item."""

    worth: float
    item: int


def sequence(items: Sequence[Item], parts: Sequence[int], *, restart: float = _RESTART) -> list[int]:
    """Indices of the items to believe, in order; at the offsets `parts` the count may start again freely."""
    if not items:
        return []
    worths = _worths(items)
    before: list[int | None] = []
    by_number: dict[int, _Best] = {}
    best = at_part = None
    part = 0
    for index, item in enumerate(items):
        while part < len(parts) and parts[part] <= item.start:
            at_part, part = best, part + 1
        worth, previous = _joined(item, items, by_number, best, at_part, restart)
        worth += worths[index]
        before.append(previous)
        here = _Best(worth, index)
        known = by_number.get(item.number)
        if known is None or worth > known.worth:
            by_number[item.number] = here
        if best is None or worth > best.worth:
            best = here
    return _traced(best.item if best else None, before)


def _joined(
    item: Item,
    items: Sequence[Item],
    by_number: dict[int, _Best],
    best: _Best | None,
    at_part: _Best | None,
    restart: float,
) -> tuple[float, int | None]:
    """The worth of the best sequence that this item can go on from, less what the step costs."""
    options: list[tuple[float, int | None]] = [(0.0 if item.number == 1 else -_LATE_START, None)]
    for missing in range(_MOST_MISSING + 1):
        known = by_number.get(item.number - 1 - missing)
        if known:
            options.append((known.worth - _MISSING * missing, known.item))
    if best:
        options.append((best.worth - _leap(item.number, items[best.item].number, restart), best.item))
    if at_part and item.number == 1:
        options.append((at_part.worth - _AT_PART, at_part.item))
    return max(options, key=lambda option: option[0])


def _leap(number: int, before: int, restart: float) -> float:
    """What it costs to go on with any other number: `last` nothing, one the restart, others more."""
    if number == 0:
        return 0.0
    if number == 1:
        return restart
    return _AHEAD if number > before and restart < _JUMP else _JUMP


def _worths(items: Sequence[Item]) -> list[float]:
    """What heads nothing and comes again is an entry of a table of contents, and so is the one after it."""
    later: dict[int, int] = {}
    for item in items:
        later[item.number] = later.get(item.number, 0) + 1
    worths: list[float] = []
    run = 0
    for before, item in zip([None, *items], items, strict=False):
        later[item.number] -= 1
        follows = before is not None and item.number == before.number + 1
        run = run if follows else 0
        hollow, again = item.size <= HOLLOW, later[item.number] > 0
        entry = again and (hollow or run >= 2)
        worths.append(0.0 if entry else _HOLLOW_WORTH if hollow else 1.0)
        run = run + 1 if hollow and again else 0
    return worths


def _traced(last: int | None, before: Sequence[int | None]) -> list[int]:
    chain = []
    while last is not None:
        chain.append(last)
        last = before[last]
    return chain[::-1]
