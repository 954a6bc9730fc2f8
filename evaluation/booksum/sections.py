"""Read what a summary covers: `part 1.chapters 1-3`, `act ii-iii.scenes iii-i`, `prologue and chapter i`.

A section is one or more runs, each from a place to a place. A place is a path from the outside in, such as
(part 3, chapter 1). Words beside the divisions, such as a chapter's title, are left over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from books import lists
from books.shape.headings.numbers import parse_number

_TOKEN = re.compile(r"\d+|[^\W\d_]+(?:['’][^\W\d_]+)*|[-–—.,:;&]")
_ASIDE = re.compile(r"\([^)]*\)")
_DASHES = {"-", "–", "—", "to", "through"}
_ANDS = {";", "and", "&"}
_GUIDE = "section"
_MOST_PARTS = 2
"""Of a number: `twenty-one`."""


@dataclass(frozen=True, slots=True)
class SectionStep:
    """One level of a place: `chapter 3`, `epilogue`."""

    unit: str
    number: int | None = None
    """None only for a named division."""

    def __str__(self) -> str:
        return self.unit if self.number is None else f"{self.unit} {self.number}"


Place = tuple[SectionStep, ...]
"""From the outside in."""


@dataclass(frozen=True, slots=True)
class SectionRun:
    """From the beginning of one place to the end of another, which may be the same."""

    first: Place
    last: Place


@dataclass(frozen=True, slots=True)
class SectionReading:
    runs: tuple[SectionRun, ...]
    words: tuple[str, ...]
    """Words after the last division: the chapter's own title, if any."""


@dataclass(frozen=True, slots=True)
class _Division:
    """A word with its number or its range, and what stands before it."""

    unit: str
    first: int | None
    last: int | None
    joined: str = ","
    """A dash, `and`, or a comma for everything else."""


@cache
def section_units() -> dict[str, tuple[str, str]]:
    """Return each word, singular or plural, with its singular and what it heads: part, chapter or named."""
    rows = (line.split() for line in lists.lines("evaluation.booksum", "section_words.txt"))
    return {word: (one, kind) for one, kind, many in rows for word in (one, many)}


def heads(unit: str) -> str:
    return section_units()[unit][1]


def read_section(text: str) -> SectionReading:
    """Return the runs of a section; none where it names no division, as in `the ferryman`."""
    tokens = [match[0].lower() for match in _TOKEN.finditer(_ASIDE.sub(" ", text.replace("_", " ")))]
    divisions, words = _divisions(tokens)
    return SectionReading(tuple(_runs(divisions)), tuple(words))


def _divisions(tokens: Sequence[str]) -> tuple[list[_Division], list[str]]:
    found: list[_Division] = []
    words: list[str] = []
    at, joined = 0, ","
    while at < len(tokens):
        division, after = _division(tokens, at)
        if division is None and found and not words and tokens[at - 1] in (*_ANDS, ","):
            division, after = _numbered(tokens, at, found[-1].unit)  # `chapters 3 and 5`
        if division is not None:
            found.append(replace(division, joined=joined))
            words.clear()
            at, joined = after, ","
            continue
        if tokens[at] in _DASHES and not words:
            joined = "-"
        elif tokens[at] in _ANDS and not words:
            joined = "and"
        elif tokens[at][0].isalnum():
            words.append(tokens[at])
            joined = ","
        at += 1
    return found, words


def _division(tokens: Sequence[str], at: int) -> tuple[_Division | None, int]:
    """Read `chapter 3`, `chapters 3-5`, `epilogue`."""
    if tokens[at] not in section_units():
        return None, at
    unit, kind = section_units()[tokens[at]]
    division, after = _numbered(tokens, at + 1, unit)
    if division is None and kind == "named":
        return _Division(unit, None, None), at + 1
    return division, after


def _numbered(tokens: Sequence[str], at: int, unit: str) -> tuple[_Division | None, int]:
    first, after = _number(tokens, at)
    if first is None:
        return None, at
    last = None
    if after < len(tokens) and tokens[after] in _DASHES:
        last, end = _number(tokens, after + 1)
        after = after if last is None else end
    return _Division(unit, first, last or first), after


def _number(tokens: Sequence[str], at: int) -> tuple[int | None, int]:
    if at < len(tokens) and tokens[at] == "the":
        at += 1
    for parts in range(_MOST_PARTS, 0, -1):
        end = at + 2 * parts - 1
        words = tokens[at:end]
        if len(words) == end - at and (number := parse_number("".join(words))):
            return number, end
    return None, at


def _runs(divisions: Sequence[_Division]) -> Iterator[SectionRun]:
    """Group the divisions into places, and these into runs where a dash stands between them."""
    last: SectionRun | None = None
    for place in _places(divisions):
        first = tuple(SectionStep(each.unit, each.first) for each in place)
        end = tuple(SectionStep(each.unit, each.last) for each in place)
        if place[0].joined == "-" and last is not None:
            last = SectionRun(last.first, _inherited(last.last, end))
            continue
        if last is not None:
            yield last
        last = SectionRun(first, end)
    if last is not None:
        yield last


def _places(divisions: Sequence[_Division]) -> Iterator[tuple[_Division, ...]]:
    """Yield the path of each place; of several beside one another, all but the first inherit the outer ones.

    The guide's own count, the section in `section 1: chapters 1-3`, is no part of a path.
    """
    place: tuple[_Division, ...] = ()
    for division in divisions:
        units = [each.unit for each in place]
        if division.first is None and units[-1:] == [division.unit]:
            continue  # `finale.finale`
        if division.joined == "," and division.unit not in units:
            place = (*(() if units == [_GUIDE] else place), division)
            continue
        if place:
            yield place
        outer: tuple[_Division, ...] = ()
        if division.joined != "-" and division.unit in units:
            outer = tuple(replace(each, first=each.last) for each in place[: units.index(division.unit)])
        place = (*outer, division)
    if place:
        yield place


def _inherited(before: Place, last: Place) -> Place:
    """Give the `chapter 5` of `part 1, chapter 1 - chapter 5` its part."""
    units = [step.unit for step in before]
    if last[0].unit in units:
        return (*before[: units.index(last[0].unit)], *last)
    return (*before[:-1], *last) if heads(last[0].unit) == "named" else last
