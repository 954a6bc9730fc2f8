"""What a title says about its part: a preface, an appendix, advertisements, or nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from books import lists
from books.source import Block
from books.types import Part

CAST = "list of characters"
"""The reason for which a list of a play's people is no part of the story."""
_MOST_WORDS = 12
_HEADING_WORDS = 9
_LONGEST_HEADING = 120
_SMALL_WORD = 3
_TAKES_ANY = frozenset(
    {"by", "from", "for", "of", "to", "second", "third", "fourth", "concerning", "written"}
)
_EDITORIAL = 10.0
"""Editorial words per thousand that show an introduction to be about the book and not in it."""
_FEWEST_EDITORIAL = 4
_NAMED = re.compile(r"[:.—–]\s|--")
"""Separates a kind from a name: `Appendix: Production notes`."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|12mo|16mo|8vo|vols\.")


@dataclass(frozen=True, slots=True)
class Matter:
    part: Part
    reason: str
    doubtful: bool
    """Stories have such parts of their own, so the content of the part must decide."""


def matter_of(title: str, part: Part) -> Matter | None:
    """Return the kind of part that a title names.

    `Preface to the Second Edition` before the story is a preface; `Preface Street` is not.
    """
    said = _plain(title)
    if not said or len(said.split()) > _MOST_WORDS:
        return None
    exact, open_ended = _table()[part]
    if said in exact:
        return exact[said]
    if named := open_ended.get(_plain(_NAMED.split(title, maxsplit=1)[0])):
        return named
    words = said.split()
    for count in range(len(words), 0, -1):
        found = open_ended.get(" ".join(words[:count]))
        if found and (count == len(words) or words[count - 1] in _TAKES_ANY or _goes_on(words[count])):
            return found
    return None


def heads(block: Block, part: Part) -> Matter | None:
    """Return the same for a block that stands alone like a heading."""
    if len(block.span) > _LONGEST_HEADING:
        return None
    text = block.text.strip("_*=[]() ")
    opens = text[:1].isupper() or text[:1] >= "\u3400"
    if not opens or text.endswith((",", ";", "?", "!", "”", '"')):
        return None
    words = text.split()
    small = sum(word[0].islower() for word in words)
    if len(words) > _HEADING_WORDS or block.text.count("\n") > 1 or small > len(words) / 2:
        return None
    return matter_of(text, part)


def is_editorial(texts: Iterable[str]) -> bool:
    """Return whether the texts mention authors, novels and editions.

    An introduction that belongs to the story hardly does.
    """
    rate, count = _rate(texts, "data/editorial_words.txt")
    return count >= _FEWEST_EDITORIAL and rate >= _EDITORIAL


def advertises(texts: Iterable[str]) -> bool:
    rate, count = _rate(texts, "data/advertisement_words.txt")
    return count >= 2 and rate >= _EDITORIAL


def _rate(texts: Iterable[str], path: str) -> tuple[float, int]:
    known = frozenset(lists.lines("books", path))
    words = [word for text in texts for word in _WORD.findall(text.casefold().replace("’", "'"))]
    count = sum(word in known for word in words)
    return 1000 * count / max(1, len(words)), count


def _goes_on(word: str) -> bool:
    """Return whether a title goes on as in `Appendix A` or `Preface to the Reader`, not `Preface Street`."""
    return len(word) <= _SMALL_WORD or word.isdigit() or word in _TAKES_ANY


@cache
def _table() -> dict[Part, tuple[dict[str, Matter], dict[str, Matter]]]:
    table: dict[Part, tuple[dict[str, Matter], dict[str, Matter]]] = {
        Part.FRONT: ({}, {}),
        Part.BACK: ({}, {}),
    }
    for row in lists.lines("books", "data/matter.txt"):
        where, _, rest = row.partition(": ")
        title, _, reason = rest.partition(" = ")
        part = Part(where)
        exact, open_ended = table[part]
        found = Matter(part, reason.removesuffix(" ?"), reason.endswith(" ?"))
        (open_ended if title.endswith("*") else exact)[title.removesuffix("*")] = found
    return table


def _plain(title: str) -> str:
    said = re.sub(r"[^\w'’&\s]+", " ", title.replace("_", " ")).replace("’", "'").casefold()
    words = said.split()
    while words and words[0] in ("a", "an", "the", "our"):
        words = words[1:]
    return " ".join(words)
