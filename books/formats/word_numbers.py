"""The numbers that Word prints before paragraphs and stores apart from their text: `Chapter 3`, `2.1`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from books.formats.archive import Archive
from books.formats.markup import parse_xml
from books.formats.word_numerals import printed_number
from books.formats.word_xml import Element, child, is_on, name_of, number_of, value
from books.limits import Limits

_LEVELS: Final = 9
_PLACE: Final = re.compile(r"%([1-9])")
_LONGEST: Final = 200
"""No real label is longer; an overlong one would be repeated as often as the file likes."""
_WORDS: Final = re.compile(r"[^\W\d_]{2}|第")
_PLAIN: Final = "decimal"


@dataclass(frozen=True, slots=True)
class Level:
    """How the paragraphs of one level are numbered."""

    start: int = 0
    """The standard's default for a level without a start value."""
    kind: str = _PLAIN
    text: str = ""
    """`Chapter %1`, `%1.%2`: `%n` stands for the number of level n."""
    after: str = " "
    restarts: int | None = None
    """Paragraphs of levels up to this one, from 1, restart the count; None means all higher levels."""
    legal: bool = False
    """Whether every number is printed in digits."""
    style: str | None = None
    hidden: bool = False


@dataclass(slots=True)
class _List:
    """A list definition, which several lists may share with one count for all."""

    levels: dict[int, Level]
    link: str | None = None
    """The style that defines the list instead."""
    counts: dict[int, int] = field(default_factory=dict)


@dataclass(slots=True)
class _Instance:
    of: _List
    levels: dict[int, Level]
    """Levels that replace those of the definition."""
    starts: dict[int, int]
    """The start value for a level when this list first reaches it."""


@dataclass(slots=True)
class Numbering:
    instances: dict[str, _Instance] = field(default_factory=dict)

    def level(self, key: str, level: int) -> Level | None:
        instance = self.instances.get(key)
        return (instance.levels.get(level) or instance.of.levels.get(level)) if instance else None

    def level_of_style(self, key: str, style: str) -> int | None:
        """Return the level whose paragraphs have this style."""
        instance = self.instances.get(key)
        levels = {**instance.of.levels, **instance.levels} if instance else {}
        return next((at for at, level in levels.items() if level.style == style), None)

    def says_words(self, key: str, level: int) -> bool:
        """Return whether the label contains words, as chapter numbers do and list items do not."""
        said = self.level(key, level)
        return said is not None and _WORDS.search(_PLACE.sub("", said.text)) is not None

    def count(self, key: str, level: int) -> str:
        """Count one more paragraph of this list and level and return its printed label."""
        instance, said = self.instances.get(key), self.level(key, level)
        if instance is None or said is None:
            return ""
        counts = instance.of.counts
        begun = instance.starts.pop(level, None)
        counts[level] = begun if begun is not None else counts.get(level, said.start - 1) + 1
        for deeper in [at for at in counts if at > level]:
            below = self.level(key, deeper)
            if below is None or below.restarts is None or level < below.restarts:
                del counts[deeper]
        return "" if said.hidden else self._printed(key, said, counts)

    def _printed(self, key: str, said: Level, counts: Mapping[int, int]) -> str:
        def number(place: re.Match[str]) -> str:
            at = int(place[1]) - 1
            level = self.level(key, at) or Level()
            return printed_number(counts.get(at, level.start), _PLAIN if said.legal else level.kind)

        label = _PLACE.sub(number, said.text) if said.kind != "bullet" else ""
        return label + said.after if label.strip() and len(label) <= _LONGEST else ""


def numbering_of(
    archive: Archive, part: str | None, styled: Mapping[str, str | None], limits: Limits
) -> Numbering:
    """Read the numbering of a Word file; `styled` gives the list that numbers each style."""
    there = archive.find(part or "word/numbering.xml")
    if there is None:
        return Numbering()
    root = parse_xml(archive.read(there), limits)
    lists = {value(each, "abstractNumId"): _list(each) for each in root if name_of(each) == "abstractNum"}
    numbering = Numbering()
    for each in root:
        key, of = value(each, "numId"), lists.get(value(child(each, "abstractNumId")))
        if name_of(each) == "num" and key and of is not None:
            numbering.instances[key] = _instance(each, of)
    for instance in numbering.instances.values():
        linked = numbering.instances.get(styled.get(instance.of.link or "") or "")
        if linked is not None:
            instance.of = linked.of
    return numbering


def _list(element: Element) -> _List:
    levels = dict(_levels([each for each in element if name_of(each) == "lvl"]))
    return _List(levels, value(child(element, "numStyleLink")))


def _instance(element: Element, of: _List) -> _Instance:
    changed = [each for each in element if name_of(each) == "lvlOverride"]
    starts = {
        level: start
        for each in changed
        if (level := number_of(each, "ilvl")) is not None
        and (start := number_of(child(each, "startOverride"))) is not None
    }
    levels = dict(_levels([lvl for each in changed if (lvl := child(each, "lvl")) is not None]))
    return _Instance(of, levels, starts)


def _levels(elements: Sequence[Element]) -> Iterator[tuple[int, Level]]:
    for each in elements:
        at = number_of(each, "ilvl")
        if at is not None and at < _LEVELS:
            yield at, _level(each)


def _level(element: Element) -> Level:
    text = value(child(element, "lvlText")) or ""
    start = number_of(child(element, "start"))
    level = Level(
        kind=value(child(element, "numFmt")) or _PLAIN,
        text=text if len(text) <= _LONGEST else "",
        after="" if value(child(element, "suff")) == "nothing" else " ",
        restarts=number_of(child(element, "lvlRestart")),
        legal=is_on(child(element, "isLgl")),
        style=value(child(element, "pStyle")),
        hidden=is_on(child(element, "rPr", "vanish")),
    )
    return level if start is None else replace(level, start=start)
