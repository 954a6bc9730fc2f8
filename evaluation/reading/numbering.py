"""Check whether chapter numbers increase as they should, from their titles alone.

This does not use the numbers that the reader recognised: it parses the titles again, so that a missed,
doubled or invented chapter shows as a break in the count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from books import lists
from books.shape.headings.numbers import CHINESE, parse_number
from books.types import ChaptersBy
from evaluation.reading.types import ChapterNumbering, NumberingVerdict

_START = re.compile(r"(?:^|[.,:;—–(\[]|--|\s-(?=\s))[\s_*\[(]*(?:the\s+)?", re.I)
"""Where segments of a title begin: a number inside a segment is not the chapter's."""
_WORD = re.compile(r"[^\s.,:;—–()\[\]_*=-]+(?:-[^\W\d_]+)?")
_CHINESE = re.compile(rf"第\s*([{CHINESE}]+)\s*([章回折篇话話节節])")
_PARTED = re.compile(r"(?P<part>[^\s,]+),\s+(?P<inner>\S)")
"""`II, 4`: the fourth chapter, in the second part."""
_FIGURES = re.compile(r"\d+|[IVXLC]+")
_HIGHEST = 999
"""A higher bare number is a year."""
_MOST_WORDS = 4
_BARE = "numeral"


@dataclass(frozen=True, slots=True)
class TitleNumber:
    """The number that a title gives its chapter, and its series."""

    part: str
    """The text before the chapter's own words: `book two, `."""
    series: str
    """The word before the number, such as `chapter` or `letter`."""
    number: int
    of_part: bool = False
    """Whether the title numbers only a part."""


def numbering(titles: Sequence[str], chapters_by: str) -> ChapterNumbering:
    """Return the numbering; the longest run counts consecutive chapters, skipping those without a number."""
    places = [place for title in titles if (place := place_of(title))]
    # A narrative without chapters, amid narratives that have them, is counted with neither.
    places = [place for place in places if not place.of_part] or places
    breaks = tuple(_breaks(places))
    if 2 * len(places) > len(titles) and len(places) > 1:
        verdict = NumberingVerdict.WRONG if breaks else NumberingVerdict.RIGHT
    elif chapters_by == ChaptersBy.CONTENTS and len(titles) > 1:
        verdict = NumberingVerdict.RIGHT
    else:
        verdict = NumberingVerdict.UNTOLD
    return ChapterNumbering(len(places), _longest_run(places), breaks, verdict)


def follows(one: TitleNumber, two: TitleNumber) -> bool:
    """Return whether one number follows another: up by one, or 1 again at a new part or after letters."""
    if two.number == one.number + 1:
        return True
    return two.number == 1 and (one.part, one.series) != (two.part, two.series)


def _breaks(places: Sequence[TitleNumber]) -> Iterator[str]:
    if places and places[0].number != 1:
        yield f"begins with {places[0].number}"
    for one, two in pairwise(places):
        if not follows(one, two):
            yield f"{one.number} → {two.number}"


def _longest_run(places: Sequence[TitleNumber]) -> int:
    longest = run = min(1, len(places))
    for one, two in pairwise(places):
        run = run + 1 if follows(one, two) else 1
        longest = max(longest, run)
    return longest


@cache
def _kinds() -> dict[str, str]:
    """Return words that precede a number, and what they head: a part, a chapter, a section."""
    rows = (line.split() for line in lists.lines("books", "data/heading_keys.txt"))
    return {word.rstrip("."): kind for word, kind, _ in rows}


def place_of(title: str) -> TitleNumber | None:
    """Return None for a title without a number, and for `Chapter the Last`."""
    chinese = _CHINESE.search(title)
    if chinese:
        number = parse_number(chinese[1])
        return TitleNumber(title[: chinese.start()].casefold(), chinese[2], number) if number else None
    starts = [match.end() for match in _START.finditer(title)]
    worded = [(at, *found) for at in starts if (found := _worded(title, at))]
    bare = next(iter(worded), None) is None and _PARTED.match(title)
    if bare and (number := _bare(title, bare.start("inner"))) and _bare(title, starts[0]):
        return TitleNumber(bare["part"].casefold(), _BARE, number)
    parted = bool(worded) and worded[0][0] == starts[0] and _kinds()[worded[0][1]] == "part"
    for at, word, numbered in worded:
        if _kinds()[word] == "chapter" or (_kinds()[word] == "section" and (parted or at == starts[0])):
            return TitleNumber(_before(title, at, starts[0]), word, numbered)
    for at in starts[1:] if parted else starts[:1]:
        if number := _bare(title, at):
            return TitleNumber(_before(title, at, starts[0]), _BARE, number)
    if not parted:
        return None
    at, word, number = worded[-1]
    return TitleNumber(_before(title, at, starts[0]), word, number, of_part=True)


def _before(title: str, at: int, first: int) -> str:
    return title[:at].casefold() if at > first else ""


def _worded(title: str, at: int) -> tuple[str, int] | None:
    """Match `Chapter the Fifth`, `LETTER V`, `The Fifth Chapter`."""
    opening = title[at : at + 80]
    words = [match[0].casefold() for match in _WORD.finditer(opening)]
    if len(words) < 2:
        return None
    if words[0] in _kinds():
        number = _number([word for word in words[1:] if word not in ("the", "no", "number")])
        return (words[0], number) if number else None
    together = re.match(r"[\w-]+\s+\w", opening) and words[1] in _kinds()
    number = parse_number(words[0]) if together else None
    return (words[1], number) if number else None


def _number(words: Sequence[str]) -> int | None:
    """Return the longest number that the words begin with: `one hundred and two`."""
    for count in range(min(_MOST_WORDS, len(words)), 0, -1):
        number = parse_number(" ".join(words[:count]))
        if number is not None:
            return number
    return None


def _bare(title: str, at: int) -> int | None:
    """Return a numeral that is a segment by itself, or figures that open a chapter's title."""
    first = _WORD.match(title, at)
    if first is None:
        return None
    rest = title[first.end() :].lstrip(" _*])")
    alone = not rest or rest[0] in ".:,;—–-"
    opens = title[:at].rstrip(" _*[(")[-1:] in ("", ",") and _FIGURES.fullmatch(first[0])
    number = parse_number(first[0]) if alone or opens else None
    return number if number and number <= _HIGHEST else None
