"""Estimates the memory that the parts of an open book take. It is counted and not measured, because every
opening asks for it.

The size of each item follows the object layout of CPython: an object with its slots, the numbers and the span
that belong to it alone, and its entry in a tuple. Shared strings are not counted. A test compares the sums
with the measurements of `tracemalloc`.
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
"""Bytes for one word in the columns of the grammar."""
CHARACTER: Final = 1_000
"""Bytes for one character with its names."""
POSTING: Final = 30
"""Bytes for one mention or quote in the columns of an index."""
PLACE: Final = 10
"""Bytes for a mention that a view shares with the whole book: a tuple entry, and a few new objects."""
INDEX: Final = 20_000
PASSAGE: Final = 350
"""Bytes for one passage: mostly its share of the vocabulary, which grows with the book."""


def of_book(book: Book) -> int:
    return sys.getsizeof(book.text) + PARAGRAPH * len(book.paragraphs)


def of_index(passages: int) -> int:
    return INDEX + PASSAGE * passages


def of_annotations(annotations: Annotations) -> int:
    counted = MENTION * len(annotations.mentions) + TRAIT * len(annotations.traits)
    counted += PARSED * len(annotations.parse or ())
    return counted + of_people(annotations)


def of_changed(annotations: Annotations) -> int:
    """Annotations that were derived from others and share most mentions and character data with them."""
    return PLACE * (len(annotations.mentions) + len(annotations.traits)) + of_people(annotations)


def of_people(annotations: Annotations) -> int:
    """The parts that are created for every reader, and their index columns."""
    people, quotes = len(annotations.characters), len(annotations.quotes)
    return CHARACTER * people + QUOTE * quotes + POSTING * (len(annotations.mentions) + quotes)
