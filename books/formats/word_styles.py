"""What the styles of a Word file say about a paragraph, whatever the language of the Word that wrote it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from books.formats.archive import Archive
from books.formats.markup import parse_xml
from books.formats.word_numbers import Numbering, numbering_of
from books.formats.word_xml import Element, child, is_on, name_of, number_of, value
from books.limits import Limits
from books.source import Role

_BODY_LEVEL: Final = 9
"""The outline level that Word gives to text that is no heading."""
_HEADING = re.compile(r"heading ?([1-9])$")
_NO_LIST: Final = "0"
"""The list id that removes a number given by a style."""
_DEPTH: Final = 20
"""A chain of styles longer than this is taken to be circular."""
_ROLES: Final = (
    (re.compile(r"(toc|index|table of) ?(heading|[1-9]|figures|authorities|contents)"), Role.CONTENTS),
    (re.compile(r"(foot|end)note text"), Role.NOTE),
    (re.compile(r"caption"), Role.CAPTION),
    (re.compile(r"verse|poem|poetry|stanza|lyrics"), Role.VERSE),
    (re.compile(r"quote|quotation|block text|body text|dialogue"), Role.TEXT),
)


Place: TypeAlias = tuple[str, int]
"""A list and a level in it."""


@dataclass(frozen=True, slots=True)
class Look:
    """What is known of a paragraph before its text is read."""

    role: Role = Role.UNKNOWN
    level: int = 0
    """Level of a heading, from 1."""
    title: bool = False
    """Whether it has the style of the book's title or subtitle."""


@dataclass(frozen=True, slots=True)
class _Style:
    name: str
    based_on: str | None
    level: int | None
    """From 0, as Word counts."""
    hidden: bool
    numbered_in: str | None
    """The list that numbers its paragraphs."""
    numbered_at: int | None
    """The level of that list."""


@dataclass(slots=True)
class Styles:
    language: str | None = None
    numbering: Numbering = field(default_factory=Numbering)
    known: dict[str, _Style] = field(default_factory=dict)
    looks: dict[str, Look] = field(default_factory=dict)
    places: dict[str, Place | None] = field(default_factory=dict)

    def look(self, properties: Element | None) -> Look:
        """Return the look of a paragraph with these properties; its own outline level overrides its style."""
        name = value(child(properties, "pStyle")) or ""
        if name not in self.looks:
            self.looks[name] = self._resolved(name)
        look = self.looks[name]
        level = number_of(child(properties, "outlineLvl"))
        if level is None:
            return look
        return Look(Role.HEADING, level + 1) if level < _BODY_LEVEL else _no_heading(look)

    def place(self, properties: Element | None) -> Place | None:
        """Return where a paragraph with these properties is numbered; its styles supply what is not set."""
        own = child(properties, "numPr")
        style = value(child(properties, "pStyle")) or ""
        if own is not None:
            return self._place(style, value(child(own, "numId")), number_of(child(own, "ilvl")))
        if style not in self.places:
            self.places[style] = self._place(style, None, None)
        return self.places[style]

    def _place(self, style: str, key: str | None, level: int | None) -> Place | None:
        chain = list(self._chain(style))
        key = key or next((known.numbered_in for _, known in chain if known.numbered_in), None)
        if key is None or key == _NO_LIST:
            return None
        for name, known in chain:
            if level is not None:
                break
            linked = self.numbering.level_of_style(key, name)
            level = known.numbered_at if linked is None else linked
        return key, level or 0

    def _chain(self, name: str) -> Iterator[tuple[str, _Style]]:
        """Yield a style and those that it is based on."""
        at: str | None = name
        for _ in range(_DEPTH):
            style = self.known.get(at or "")
            if style is None or at is None:
                return
            yield at, style
            at = style.based_on

    def hides(self, properties: Element | None) -> bool:
        """Return whether a run with these properties is hidden."""
        own = child(properties, "vanish")
        if own is not None:
            return is_on(own)
        style = self.known.get(value(child(properties, "rStyle")) or "")
        return style is not None and style.hidden

    def _resolved(self, name: str) -> Look:
        """Return the look from the nearest style in the chain that sets one."""
        if name not in self.known:
            return _by_name(name.lower())
        for _, style in self._chain(name):
            look = _by_name(style.name)
            if look != Look():
                return look
            if style.level is not None:
                return Look(Role.HEADING, style.level + 1) if style.level < _BODY_LEVEL else Look()
        return Look()


def styles_of(archive: Archive, parts: Mapping[str, str], limits: Limits) -> Styles:
    """Read the styles; in a file without them, the style names that paragraphs give are all there is."""
    styles = _styles(archive, parts.get("styles"), limits)
    lists = {name: style.numbered_in for name, style in styles.known.items()}
    styles.numbering = numbering_of(archive, parts.get("numbering"), lists, limits)
    return styles


def _styles(archive: Archive, part: str | None, limits: Limits) -> Styles:
    there = archive.find(part or "word/styles.xml")
    if there is None:
        return Styles()
    root = parse_xml(archive.read(there), limits)
    declared = value(child(root, "docDefaults", "rPrDefault", "rPr", "lang")) or ""
    styles = Styles(language_of(declared))
    for each in root:
        if name_of(each) == "style" and (key := value(each, "styleId")):
            styles.known[key] = _style(each)
    return styles


def _style(element: Element) -> _Style:
    return _Style(
        name=(value(child(element, "name")) or "").lower(),
        based_on=value(child(element, "basedOn")),
        level=number_of(child(element, "pPr", "outlineLvl")),
        hidden=is_on(child(element, "rPr", "vanish")),
        numbered_in=value(child(element, "pPr", "numPr", "numId")),
        numbered_at=number_of(child(element, "pPr", "numPr", "ilvl")),
    )


def _by_name(name: str) -> Look:
    """Return the look of one of Word's own styles, which keep their English names in every language."""
    heading = _HEADING.match(name)
    if heading:
        return Look(Role.HEADING, int(heading[1]))
    if name in ("title", "subtitle"):
        return Look(title=True)
    for pattern, role in _ROLES:
        if pattern.match(name) or (role is Role.VERSE and pattern.search(name)):
            return Look(role)
    return Look()


def _no_heading(look: Look) -> Look:
    return Look() if look.role is Role.HEADING else look


def language_of(tag: str) -> str | None:
    """Return the language code of a tag, `en` for `en-US`."""
    code = tag.split("-")[0].lower()
    return code if len(code) == 2 and code.isascii() and code.isalpha() else None
