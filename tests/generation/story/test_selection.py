"""The quotations that say most come first, and none says the same as one before it."""

from __future__ import annotations

from books.types import Span
from generation.story.quotation import Quotation
from generation.story.selection import best, distinct, repeats, worth_showing
from generation.types import Category, Citation


def quotation(text: str, at: int, role: float = 0.0, *, worth: float = 0.5) -> Quotation:
    return Quotation(
        text=text,
        citation=Citation(Span(at, at + len(text)), 0),
        character="ann",
        category=Category.ROLE,
        speaker=None,
        tagged=False,
        certainty=1.0,
        worth=worth,
        alone=0.9,
        by_category={**dict.fromkeys(Category, 0.0), Category.ROLE: role},
    )


CLERK = quotation("She was the senior clerk of the Board.", 0, role=1.0)
BAKER = quotation("Her father had been a baker in Plymouth.", 100, role=2.0)
AGAIN = quotation("Ann was the senior clerk at the Board.", 200, role=3.0)


def test_the_best_come_first() -> None:
    assert best([CLERK, BAKER, AGAIN], Category.ROLE, 1) == [AGAIN]
    assert best([CLERK, BAKER, AGAIN], Category.ROLE, 3) == [AGAIN, BAKER]
    assert best([CLERK, BAKER], Category.EVENT, 2) == [CLERK, BAKER], "of equals the first in the book"
    assert best([], Category.ROLE, 3) == []


def test_what_repeats() -> None:
    assert repeats(CLERK, AGAIN)
    assert not repeats(CLERK, BAKER)
    assert repeats(BAKER, quotation("of the sea", 110)), "it shares a place"
    assert distinct([CLERK, AGAIN, BAKER], 2) == [CLERK, BAKER]


def test_what_is_worth_little_is_shown_only_where_there_is_nothing_else() -> None:
    poor = [quotation("Ann.", n, worth=0.1 * n) for n in range(3)]
    assert worth_showing([CLERK, *poor, BAKER]) == [CLERK, BAKER]
    assert worth_showing(poor) == poor[1:], "two, the best that there are"
