"""Words that are broken at the ends of printed lines."""

from __future__ import annotations

import time

from books.formats.broken_words import joined
from books.reading import read

TEXT = """Mr. Boldwood met an old sea-captain at the breakfast-room door. "Bold-
wood," said he to Boldwood, "the sea-
captain waits, to-
  day, for Farmer Bold-
wood.

Was it he? Con-
gegation is no word."
"""


def test_a_word_is_whole_that_the_book_has_elsewhere() -> None:
    found = joined(TEXT)
    assert '"Boldwood,"  \nsaid he' in found
    assert "for Farmer Boldwood.  \n\nWas" in found
    for kept in ("the sea-\ncaptain", "to-\n  day", "Con-\ngegation"):
        assert kept in found, "a hyphen may be its own"
    assert len(found) == len(TEXT), "places after it are where they were"


def test_a_text_file_is_read_so() -> None:
    book = read(TEXT.encode())
    assert "Bold-" not in book.text
    assert len(book.text) == len(TEXT)


def test_many_broken_words_take_little_time() -> None:
    start = time.process_time()
    joined("Boldwood Bold" + "-\nwood" * 100_000 + "a" * 100_000 + "-\n" * 100_000)
    assert time.process_time() - start < 2
