"""The meaning of elements, classes and types in marked-up text; the word lists are in `books/data`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cache, lru_cache

from lxml import etree

from books.lists import lines

_EPUB_TYPE = "{http://www.idpf.org/2007/ops}type"
_TYPE_ATTRIBUTES = frozenset((_EPUB_TYPE, "epub:type", "role"))
_READ = _TYPE_ATTRIBUTES | {"class", "style", "hidden"}
_OF_ROLE = "doc-"
_HIDDEN = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.I)


class Word(StrEnum):
    """A meaning of markup; where an element has several, the first in this order counts."""

    HIDDEN = "hidden"
    PAGE = "page"
    NOTEREF = "noteref"
    NOTE = "note"
    CONTENTS = "contents"
    CAPTION = "caption"
    STANZA = "stanza"
    VERSE = "verse"
    LINE = "line"
    STORY = "story"
    FRONT = "front"
    BACK = "back"
    HEADING = "heading"


_NOTHING: frozenset[Word] = frozenset()


@cache
def elements(behaviour: str) -> frozenset[str]:
    """Return the names of HTML elements that are `block`, `void` or `silent`."""
    rows = (line.split() for line in lines("books", "data/html_elements.txt"))
    return frozenset(name for kind, name in rows if kind == behaviour)


@cache
def _meanings(kind: str) -> Mapping[str, frozenset[Word]]:
    found: dict[str, frozenset[Word]] = {}
    for where, name, meaning in (line.split() for line in lines("books", "data/markup_words.txt")):
        if where == kind:
            found[name] = found.get(name, _NOTHING) | {Word(meaning)}
    return found


def words_of(element: etree._Element) -> frozenset[Word]:
    """Return everything that an element's attributes say about it."""
    items = element.items()
    if not items:
        return _NOTHING
    return _words(tuple((str(k), str(v)) for k, v in items if k in _READ))


@lru_cache(maxsize=4096)
def _words(attributes: tuple[tuple[str, str], ...]) -> frozenset[Word]:
    words: set[Word] = set()
    for name, value in attributes:
        if name == "hidden" or (name == "style" and _HIDDEN.search(value)):
            words.add(Word.HIDDEN)
        elif name == "class":
            words |= _looked_up("class", value)
        elif name in _TYPE_ATTRIBUTES and (name != "role" or value.startswith(_OF_ROLE)):
            words |= words_of_type(value)
    return frozenset(words)


def types_of(element: etree._Element) -> list[str]:
    """Return the words of an element's `epub:type` and `role`, unchanged."""
    values = (element.get(name) or "" for name in sorted(_TYPE_ATTRIBUTES))
    return " ".join(values).lower().replace(_OF_ROLE, "").split()


def words_of_type(value: str) -> frozenset[Word]:
    """Return the meanings of an `epub:type` value, which may hold several words."""
    return _looked_up("type", value.replace(_OF_ROLE, ""))


def _looked_up(kind: str, value: str) -> frozenset[Word]:
    meanings = _meanings(kind)
    return _NOTHING.union(*(meanings.get(word, _NOTHING) for word in value.lower().split()))
