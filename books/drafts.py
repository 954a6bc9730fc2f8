"""Two drafts of one book: where a passage of the one stands in the other."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from difflib import SequenceMatcher

from books.types import Book, Span


def finder(old: Book, new: Book) -> Callable[[Span], Span | None]:
    """Return what finds a passage of `old` in `new`: None if its first or last paragraph was changed."""
    before, after = ([book.slice(p.span) for p in book.paragraphs] for book in (old, new))
    same: dict[int, int] = {}
    for one, two, size in SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks():
        same.update(zip(range(one, one + size), range(two, two + size), strict=True))
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
