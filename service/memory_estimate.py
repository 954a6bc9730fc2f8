"""About how much memory the parts of an open book take: counted, not measured, for each opening asks.

What one of each thing takes is how CPython lays it out: an object with its slots, the numbers and the span
that belong to it alone, and its place in a tuple. Strings that many share are not counted. A test holds the
sums against what `tracemalloc` finds.
"""

from __future__ import annotations

import sys
from typing import Final

from books.types import Book
from coref.types import Annotations

PARAGRAPH: Final = 240
MENTION: Final = 225
QUOTE: Final = 230
TRAIT: Final = 300
PARSED: Final = 19
"""Of one word in the columns of the grammar."""
CHARACTER: Final = 1_000
"""With the names they are called."""
POSTING: Final = 30
"""Of one mention or quote in the columns of an index."""
PLACE: Final = 10
"""Of a mention that a view shares with the whole book: its place in a tuple, and a few that it has anew."""
INDEX: Final = 20_000
PASSAGE: Final = 350
"""Mostly its share of the vocabulary, which grows with the book."""


def of_book(book: Book) -> int:
    return sys.getsizeof(book.text) + PARAGRAPH * len(book.paragraphs)


def of_index(passages: int) -> int:
    return INDEX + PASSAGE * passages


def of_annotations(annotations: Annotations) -> int:
    counted = MENTION * len(annotations.mentions) + TRAIT * len(annotations.traits)
    counted += PARSED * len(annotations.parse or ())
    return counted + of_people(annotations)


def of_changed(annotations: Annotations) -> int:
    """Of those made from others, with which they share most mentions and what is said of people."""
    return PLACE * (len(annotations.mentions) + len(annotations.traits)) + of_people(annotations)


def of_people(annotations: Annotations) -> int:
    """Of what is made anew for every reader, and the columns of the index for them."""
    people, quotes = len(annotations.characters), len(annotations.quotes)
    return CHARACTER * people + QUOTE * quotes + POSTING * (len(annotations.mentions) + quotes)
