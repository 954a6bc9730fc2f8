"""Two drafts of one book: where a passage of the one stands in the other."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Sequence

from books.types import Book, Span


def finder(old: Book, new: Book) -> Callable[[Span], Span | None]:
    """Return what finds a passage of `old` in `new`: None if its first or last paragraph was changed."""
    before, after = ([book.slice(p.span) for p in book.paragraphs] for book in (old, new))
    same = kept(before, after)
    starts = [p.span.start for p in old.paragraphs]
    ends = [p.span.end for p in old.paragraphs]

    def found(span: Span) -> Span | None:
        """A heading at its start or its end, which is in no paragraph, is left out."""
        first, last = bisect_right(ends, span.start), bisect_left(starts, span.end) - 1
        if first > last or first not in same or last not in same:
            return None
        opens, closes = new.paragraphs[same[first]].span, new.paragraphs[same[last]].span
        return Span(
            opens.start + max(0, span.start - starts[first]), closes.end - max(0, ends[last] - span.end)
        )

    return found


def kept(before: Sequence[str], after: Sequence[str]) -> dict[int, int]:
    """Return the place in `after` of each text in `before` that was kept, in order, as a patience diff does.

    Texts that occur once in both are matched first, then their equal neighbours: repeats cost no more.
    """
    same = dict(_in_order(_once_in_both(before, after)))
    taken = set(same.values())
    edges = [(-1, -1), *same.items(), (len(before), len(after))]
    for step in (1, -1):
        for one, two in edges:
            one, two = one + step, two + step
            while 0 <= one < len(before) and 0 <= two < len(after) and before[one] == after[two]:
                if one in same or two in taken:
                    break
                same[one] = two
                taken.add(two)
                one, two = one + step, two + step
    return same


def _once_in_both(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    counts, others = Counter(before), Counter(after)
    places = {text: at for at, text in enumerate(after) if others[text] == counts[text] == 1}
    return [(at, places[text]) for at, text in enumerate(before) if text in places]


def _in_order(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest run of pairs whose second numbers rise; the first ones do in all."""
    lasts: list[int] = []
    """The least second number that ends a run of each length; `ends` has its place in `pairs`."""
    ends: list[int] = []
    before: list[int] = []
    for at, (_, two) in enumerate(pairs):
        length = bisect_left(lasts, two)
        before.append(ends[length - 1] if length else -1)
        lasts[length : length + 1], ends[length : length + 1] = [two], [at]
    run = []
    at = ends[-1] if ends else -1
    while at >= 0:
        run.append(pairs[at])
        at = before[at]
    return run[::-1]
