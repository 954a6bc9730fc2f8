"""However cuts meet, a book stays valid and no text is lost."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from books.errors import BookwormError
from books.reading import read
from tests.books.laws import assert_lawful

PROSE = "It rained on the harbour all that morning, and the boats[1] stayed in. " * 9
PARTS = [
    PROSE,
    "“Yes,” said Tom.*",
    "* A footnote.",
    "[1] A sloop.",
    "[Footnote 2: It ran on",
    "and on.] And then [Illustration: a boat] it rained.",
    "[Illustration]\nCHAPTER II",
    "Chapter 1",
    "PREFACE",
    "CONTENTS",
    "NOTES",
    "APPENDIX",
    "THE TIDE",
    "by Ann Hand",
    "THE END",
    "* * *",
    "12",
    "[Pg 12]",
    "{13}",
    "Transcriber's Note:",
    "+----+\n| spelling |",
    "*** START OF THE PROJECT GUTENBERG EBOOK X ***",
    "*** END OF THE PROJECT GUTENBERG EBOOK X ***",
    "Title: The Tide",
    "    A line that stands in\nand one that does not.\n    “A third.”",
    "\f",
    "[",
    "]",
    "　　雨下了一整天。",
]


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.sampled_from(PARTS), min_size=1, max_size=40),
    st.sampled_from(["\n", "\n\n", "\n\n\n", " "]),
)
def test_whatever_is_cut_the_book_is_lawful(parts: list[str], between: str) -> None:
    source = between.join(parts).encode()
    try:
        book = read(source, force=True)
    except BookwormError:
        return
    assert_lawful(book)
    assert read(source, force=True) == book
