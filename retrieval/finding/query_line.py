"""A line of a search: words, "phrases", and filters such as `by:Ann` and `chapter:3-5`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from retrieval.errors import SearchInvalid
from retrieval.tokenizer import terms

_PART: Final = re.compile(
    r"(?:\b(?P<filter>by|with|said|chapter)[:：])?"
    r"(?:[\"“「『](?P<quoted>[^\"“”「」『』]*)[\"”」』]|(?P<bare>[^\s「」『』]+))?",
    re.I,
)
_CHAPTERS: Final = re.compile(r"(\d+)(?:[-–](\d+))?")


@dataclass(frozen=True, slots=True)
class QueryLine:
    words: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    by: str | None = None
    """Everything must be in what this person says."""
    company: tuple[str, ...] = ()
    """People who must be there."""
    spoken: bool = False
    """Everything must be in somebody's speech."""
    chapters: tuple[int, int] | None = None
    """First and last, counted from 1."""

    @property
    def filtered(self) -> bool:
        return bool(self.by or self.company or self.spoken or self.chapters)

    @property
    def text(self) -> str:
        """The words that are searched for, without filters."""
        return " ".join((*self.words, *self.phrases))


def parse(line: str) -> QueryLine:
    """Return what a line asks for. Raises SearchInvalid.

    Words that are too common to be found alone are a phrase if there is nothing else.
    """
    words: list[str] = []
    phrases: list[str] = []
    company: list[str] = []
    by: str | None = None
    spoken = False
    chapters: tuple[int, int] | None = None
    for part in _PART.finditer(line):
        kind = (part["filter"] or "").lower()
        quoted, value = part["quoted"] is not None, (part["quoted"] or part["bare"] or "").strip()
        if not value:
            if kind:
                raise SearchInvalid(f"`{kind}:` needs something after it.")
            continue
        if kind == "by":
            by = value
        elif kind == "with":
            company.append(value)
        elif kind == "chapter":
            chapters = _chapters(value)
        else:
            spoken = spoken or kind == "said"
            (phrases if quoted else words).append(value)
    if not phrases and words and not any(terms(word) for word in words):
        words, phrases = [], [" ".join(words)]
    if not (words or phrases or by or company or spoken or chapters):
        raise SearchInvalid("There is nothing to search for.")
    return QueryLine(tuple(words), tuple(phrases), by, tuple(company), spoken, chapters)


def _chapters(value: str) -> tuple[int, int]:
    found = _CHAPTERS.fullmatch(value)
    first = int(found[1]) if found else 0
    last = int(found[2] or first) if found else 0
    if not 1 <= first <= last:
        raise SearchInvalid(f"`chapter:{value}` is no chapter.")
    return first, last
