"""The chapters that Bookworm finds in a novel, as BookSum's sections can be matched with them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from evaluation.booksum.sections import Place, heads, read_section, section_units
from evaluation.reading.numbering import place_of

_LAST = re.compile(r"(?:the )?(?:chapter (?:the )?last|last chapter)\b", re.I)


@dataclass(frozen=True, slots=True)
class NovelChapter:
    index: int
    title: str
    path: Place
    """The parts that its title names, from the outside in."""
    number: int | None
    """As printed."""
    name: str | None
    """`epilogue` and the like, of a chapter without a number."""


@dataclass(frozen=True, slots=True)
class NovelLayout:
    chapters: tuple[NovelChapter, ...]
    parts: tuple[int, ...]
    """For each chapter the number of the part it is in: as printed, or counted where numbers begin again."""

    @property
    def parted(self) -> bool:
        return len(set(self.parts)) > 1

    @property
    def restarts(self) -> bool:
        """Return whether a chapter's number occurs twice, so that it says little without its part."""
        numbers = Counter(chapter.number for chapter in self.numbered)
        return any(count > 1 for count in numbers.values())

    @property
    def numbered(self) -> tuple[NovelChapter, ...]:
        return tuple(chapter for chapter in self.chapters if chapter.number is not None)

    def part(self, number: int) -> list[NovelChapter]:
        return [each for each, part in zip(self.chapters, self.parts, strict=True) if part == number]


def layout_of(titles: Sequence[str]) -> NovelLayout:
    chapters = [_chapter(index, title) for index, title in enumerate(titles)]
    for before, each in pairwise(chapters):
        if each.number is None and before.number and _LAST.match(each.title):
            chapters[each.index] = replace(each, number=before.number + 1)
    return NovelLayout(tuple(chapters), _parts(chapters))


def _chapter(index: int, title: str) -> NovelChapter:
    place = place_of(title)
    if place is None:
        words = [word.strip(".:,") for word in title.lower().split()]
        names = [section_units()[word][0] for word in words if word in section_units()]
        named = next((name for name in names if heads(name) == "named"), None)
        return NovelChapter(index, title, _path(title), None, named)
    return NovelChapter(index, title, _path(place.part), place.number, None)


def _path(text: str) -> Place:
    runs = read_section(text).runs
    return tuple(step for step in runs[0].first if heads(step.unit) == "part") if runs else ()


def _parts(chapters: Sequence[NovelChapter]) -> tuple[int, ...]:
    """Use the finest printed numbers of parts if they are in order; else count where numbers begin again."""
    printed = [each.path[-1].number or 0 if each.path else 0 for each in chapters]
    known = next((part for part in printed if part), 0)
    for at, part in enumerate(printed):  # A prologue or a finale may be titled without its part.
        known = printed[at] = part or known
    if known and printed == sorted(printed):
        return tuple(printed)
    found: list[int] = []
    last = 0
    for each in chapters:
        before = found[-1] if found else 1
        found.append(before + (each.number is not None and each.number <= last))
        last = last if each.number is None else each.number
    return tuple(found)
