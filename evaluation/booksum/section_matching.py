"""Match BookSum's sections with the chapters of a novel.

Editions number chapters through, or begin again in each part, and so does BookSum: the second chapter of the
second volume may be `volume 2.chapter 2` or `volume 2.chapter 17`. How BookSum numbers a book is read off all
its sections together; how we do, off our titles. What stays unclear is not matched, with the reason.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from evaluation.booksum.novel_layout import NovelChapter, NovelLayout
from evaluation.booksum.sections import Place, SectionReading, SectionRun, heads, section_units


class MatchedBy(StrEnum):
    PRINTED = "printed number"
    NAME = "name"
    """An epilogue."""
    PART = "whole part"
    COUNTED = "counted through"
    """BookSum counts through the book, where our text begins again in each part."""
    IN_PART = "counted in its part"
    """The reverse, with our parts known."""
    ADDED = "added up"
    """The reverse, with our parts unknown: by the lengths of BookSum's parts, which make up our total."""


@dataclass(frozen=True, slots=True)
class SectionScheme:
    """How BookSum numbers the chapters of one book."""

    restarts: bool
    """Whether most numbers of the later parts occur in earlier ones; a few do so by mistake."""
    lengths: tuple[tuple[int, int], ...]
    """The highest chapter of each part, by the part's number, in order."""


@dataclass(frozen=True, slots=True)
class SectionMatch:
    first: int
    """Index of our first chapter, and of the last one that is included."""
    last: int
    by: MatchedBy


@dataclass(frozen=True, slots=True)
class _Located:
    index: int
    by: MatchedBy


def scheme_of(readings: Iterable[SectionReading]) -> SectionScheme:
    """Read the scheme off all sections of a book."""
    parts: dict[int, set[int]] = defaultdict(set)
    for run in (run for reading in readings for run in reading.runs):
        part, numbers = _part_number(run.first), _numbers(run)
        if part is not None and part == _part_number(run.last):
            parts[part] |= numbers
    known: set[int] = set()
    again = later = 0
    for _, numbers in sorted(parts.items()):
        if known:
            again, later = again + len(numbers & known), later + len(numbers)
        known |= numbers
    lengths = tuple((part, max(numbers)) for part, numbers in sorted(parts.items()) if numbers)
    return SectionScheme(2 * again > later, lengths)


def match_section(reading: SectionReading, layout: NovelLayout, scheme: SectionScheme) -> SectionMatch | str:
    """Return our chapters, or the reason why they are not known."""
    if not reading.runs or any(word in section_units() for word in reading.words):
        return "it is not understood"
    ends: list[_Located] = []
    for place, last in ((reading.runs[0].first, False), (reading.runs[-1].last, True)):
        found = _locate(place, layout, scheme, last=last)
        if isinstance(found, str):
            return found
        ends.append(found)
    if ends[1].index < ends[0].index:
        return "it ends before it begins"
    return SectionMatch(ends[0].index, ends[1].index, ends[0].by)


def _locate(place: Place, layout: NovelLayout, scheme: SectionScheme, *, last: bool) -> _Located | str:
    inner = place[-1]
    kind = heads(inner.unit)
    if kind == "named" and inner.number is None:
        named = [each for each in layout.chapters if each.name == inner.unit]
        return _only(named, MatchedBy.NAME, f"{len(named) or 'no'} chapters here are named {inner.unit}")
    if kind == "part":
        return _whole(inner.number or 0, layout, last=last)
    if any(heads(step.unit) == "named" for step in place):
        return f"chapters of the {place[0].unit} are not told apart here"
    return _chapter(inner.number or 0, _part_number(place), layout, scheme)


def _whole(number: int, layout: NovelLayout, *, last: bool) -> _Located | str:
    """Find a part; in a text without parts, a division that BookSum calls a part may be our chapter."""
    if layout.parted:
        mine = layout.part(number)
        if not mine:
            return f"there is no part {number} here"
        return _Located(mine[-1 if last else 0].index, MatchedBy.PART)
    mine = [each for each in layout.chapters if each.number == number]
    return _only(mine, MatchedBy.PRINTED, f"there is no part {number} here")


def _chapter(number: int, part: int | None, layout: NovelLayout, scheme: SectionScheme) -> _Located | str:
    if scheme.restarts and part is None:
        return f"there is a chapter {number} in several parts"
    if scheme.restarts and part is not None:
        return _restarting(number, part, layout, scheme)
    if not layout.restarts:
        mine = [each for each in layout.numbered if each.number == number]
        found = _only(mine, MatchedBy.PRINTED, f"there is no chapter {number} here")
    elif number <= len(layout.numbered):
        found = _Located(layout.numbered[number - 1].index, MatchedBy.COUNTED)
    else:
        found = f"there are only {len(layout.numbered)} chapters here"
    if isinstance(found, _Located) and part is not None and layout.parted:
        ours = layout.parts[found.index]
        found = found if ours == part else f"chapter {number} is in part {ours} here, not in part {part}"
    return found


def _restarting(number: int, part: int, layout: NovelLayout, scheme: SectionScheme) -> _Located | str:
    """Find a chapter that BookSum numbers within its part."""
    if layout.parted:
        mine = [each for each in layout.part(part) if each.number is not None]
        if layout.restarts:
            same = [each for each in mine if each.number == number]
            return _only(same, MatchedBy.PRINTED, f"part {part} has no chapter {number} here")
        if number > len(mine):
            return f"part {part} has only {len(mine)} chapters here"
        return _Located(mine[number - 1].index, MatchedBy.IN_PART)
    if sum(length for _, length in scheme.lengths) != len(layout.numbered):
        return "our text has no parts, and their lengths do not make up our chapters"
    before = sum(length for each, length in scheme.lengths if each < part)
    return _Located(layout.numbered[before + number - 1].index, MatchedBy.ADDED)


def _only(found: list[NovelChapter], by: MatchedBy, otherwise: str) -> _Located | str:
    return _Located(found[0].index, by) if len(found) == 1 else otherwise


def _numbers(run: SectionRun) -> set[int]:
    """Return the numbers of the chapters in a run within one part."""
    first, last = run.first[-1], run.last[-1]
    if heads(first.unit) != "chapter" or first.number is None:
        return set()
    return set(range(first.number, (last.number or first.number) + 1))


def _part_number(place: Place) -> int | None:
    """Return the number of the finest part that a chapter is in."""
    parts = [step.number for step in place[:-1] if heads(step.unit) == "part"]
    return parts[-1] if parts else None
