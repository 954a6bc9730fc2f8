"""Turn the tree of a page into text: which elements are blocks, their roles, and what is not for reading."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from lxml import etree

from books.formats.markup_words import Word, elements, words_of
from books.formats.markup_writer import INLINE_NOTE, NOTE_MARK, PAGE_NUMBER, Setting, Writer
from books.source import Role

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_TEXT = frozenset(("p", "li", "dd", "dt", "blockquote"))
_ROLES = {
    Word.NOTE: Role.NOTE,
    Word.CONTENTS: Role.CONTENTS,
    Word.CAPTION: Role.CAPTION,
    Word.VERSE: Role.VERSE,
    Word.STANZA: Role.VERSE,
    Word.FRONT: Role.FRONT,
    Word.BACK: Role.BACK,
}
_TAGS = {"nav": Role.CONTENTS, "figcaption": Role.CAPTION, "caption": Role.CAPTION}
_MARKS = {Word.PAGE: PAGE_NUMBER, Word.NOTEREF: NOTE_MARK}
_LONGEST_MARK = 40
"""In characters, with white space; an element whose class says "pagebreak" may hold the page as well."""
_LONGEST_LINK = 300
_KEPT = (Role.NOTE, Role.CONTENTS, Role.CAPTION)
"""Roles that apply to everything inside the region."""
_MATTER = (Role.FRONT, Role.BACK)
_NO_VERSE = frozenset((*_KEPT, *_MATTER))
_NOTE_SIGN = re.compile(r"[\[({]?(?:\d{1,4}|[a-z]|[*†‡§¶]{1,3})[\])}]?")
_BARE_NOTE_SIGN = re.compile(r"\d{1,4}|[a-z]")
_NO_WORDS: frozenset[Word] = frozenset()
_PROSE, _UNKNOWN = Setting(Role.TEXT), Setting(Role.UNKNOWN)
_INITIAL = re.compile(r"[“‘\"']?[^\W\d_]")
_POEM_IN_PRE = 2_000
"""A longer `<pre>` is likely to be a page of plain text."""
_DEEPEST_PATH = 24
_NOT_HERE = re.compile(r"[a-z][a-z0-9+.-]+:|//", re.I)


@dataclass(frozen=True, slots=True)
class Link:
    target: str
    text: str
    at: int


@dataclass(frozen=True, slots=True)
class _Around:
    """What the enclosing elements say about their content."""

    region: Role | None = None
    stanza: bool = False
    """Blocks in it are lines of verse."""
    pre: bool = False
    inline: bool = False
    """Inside a mark, or inside an element of a line."""


class Walker:
    """Walks one page after another; `writer` collects the text."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.links: list[Link] = []
        """Links to places in the same book, in order."""
        self._path: list[tuple[str, int]] = []
        self._places: list[str | None] = []
        """The paths, as text, of the open elements for which one has been requested."""
        writer.locate = self._locator
        self._blocks = elements("block")
        self._silent = elements("silent")

    def page(self, root: etree._Element, file: str, region: Role | None = None) -> None:
        """Read a page; `region` is the role that the package gives to the whole page."""
        self.writer.next_file(file)
        self._path, self._places = [], []
        self._element(root, _name(root), 1, _Around(region))
        self.writer.end()

    def _children(self, parent: etree._Element, around: _Around) -> None:
        write = self.writer.write_as_is if around.pre else self.writer.write
        if parent.text:
            write(parent.text)
        counts: dict[str, int] = {}
        for child in parent:
            name = _name(child)
            if name:
                counts[name] = number = counts.get(name, 0) + 1
                self._element(child, name, number, around)
            if child.tail:
                write(child.tail)

    def _element(self, element: etree._Element, name: str, number: int, around: _Around) -> None:
        bare = not element.keys()
        words = _NO_WORDS if bare else words_of(element)
        if name in self._silent or Word.HIDDEN in words:
            return
        place = None if bare else element.get("id") or (element.get("name") if name == "a" else None)
        if place and name not in self._blocks:
            self.writer.place(place)
        self._path.append((name, number))
        self._places.append(None)
        if name == "br":
            self.writer.line_break(again=not around.stanza)
        elif name == "img":
            self._picture(element)
        elif name in self._blocks:
            self._block(element, name, place, words, around)
        elif mark := self._mark(element, name, words, around):
            self.writer.begin_mark(mark)
            self._children(element, replace(around, inline=True))
            self.writer.end_mark()
        else:
            self._inline(element, name, around)
        self._path.pop()
        self._places.pop()

    def _inline(self, element: etree._Element, name: str, around: _Around) -> None:
        if name in ("td", "th"):
            self.writer.cell()
        linked = name == "a" and _leads_within(element)
        if linked:
            self.links.append(
                Link(element.get("href") or "", short_text(element, _LONGEST_LINK) or "", self.writer.here)
            )
            self.writer.enter_link()
        self._children(element, around)
        if linked:
            self.writer.leave_link()

    def _block(
        self, element: etree._Element, name: str, place: str | None, words: frozenset[Word], around: _Around
    ) -> None:
        if (
            Word.PAGE in words
            and around.region not in _KEPT
            and short_text(element, _LONGEST_MARK) is not None
        ):
            self._page_number(element, place, around)
            return
        region = _region(name, words, around.region)
        line = region is Role.VERSE and (around.stanza or _is_line(words, around))
        self._border(line)
        if place:
            self.writer.place(place)
        before = self.writer.setting
        inner = around
        if words or region is not around.region or name == "pre":
            stanza = line or around.stanza or Word.STANZA in words
            inner = _Around(region, stanza, around.pre or name == "pre", around.inline)
        if not line or not self.writer.begun:
            self.writer.setting = self._setting(element, name, words, inner)
        self._children(element, inner)
        self._border(line)
        self.writer.setting = before

    def _border(self, line: bool) -> None:
        if line:
            self.writer.line_break(again=False)
        else:
            self.writer.end()

    def _setting(
        self, element: etree._Element, name: str, words: frozenset[Word], around: _Around
    ) -> Setting:
        if around.region is not None and (around.region in _NO_VERSE or name not in _HEADINGS):
            return Setting(around.region)
        if name in _HEADINGS:
            return Setting(Role.HEADING, _HEADINGS[name])
        if Word.HEADING in words and not any(_name(child) in self._blocks for child in element):
            return Setting(Role.HEADING)
        if name == "pre":
            return Setting(Role.UNKNOWN if short_text(element, _POEM_IN_PRE) is None else Role.VERSE)
        return _PROSE if name in _TEXT else _UNKNOWN

    def _page_number(self, element: etree._Element, place: str | None, around: _Around) -> None:
        """Write a page number as a block of its own."""
        self.writer.end()
        if place:
            self.writer.place(place)
        self.writer.begin_mark(PAGE_NUMBER)
        self._children(element, replace(around, inline=True))
        self.writer.end_mark()
        self.writer.end()

    def _mark(
        self, element: etree._Element, name: str, words: frozenset[Word], around: _Around
    ) -> str | None:
        if around.inline or around.region in _KEPT:
            return None
        if Word.NOTE in words:
            return INLINE_NOTE
        reason = next((reason for word, reason in _MARKS.items() if word in words), None)
        if reason and short_text(element, _LONGEST_MARK) is not None:
            return reason
        return NOTE_MARK if name == "a" and _is_note_mark(element) else None

    def _picture(self, element: etree._Element) -> None:
        alt = (element.get("alt") or "").strip()
        if _INITIAL.fullmatch(alt):
            self.writer.initial(alt)

    def _locator(self, place: str | None) -> str:
        file = self.writer.file
        if place:
            return f"{file}#{place}"
        depth = min(len(self._path), _DEEPEST_PATH + 1)
        while depth > 1 and self._path[depth - 1][0] not in self._blocks:
            depth -= 1
        path = self._path_to(depth)
        return f"{file}/{path}" if file else path

    def _path_to(self, depth: int) -> str:
        """Return the path of the element at this depth.

        The path of the element that holds the whole book is needed for each of its paragraphs, so paths are
        cached.
        """
        if not depth:
            return ""
        known = self._places[depth - 1]
        if known is None:
            name, number = self._path[depth - 1]
            above = self._path_to(depth - 1)
            step = "" if name == "html" else name if name == "body" else f"{name}[{number}]"
            known = self._places[depth - 1] = f"{above}/{step}" if above and step else above or step
        return known


def _name(element: etree._Element) -> str:
    """Return an element's name without its namespace; empty for a node that is no element."""
    tag = element.tag
    return _local(tag) if isinstance(tag, str) else ""


@lru_cache(maxsize=1024)
def _local(tag: str) -> str:
    return tag.rpartition("}")[2].lower()


def _region(name: str, words: frozenset[Word], around: Role | None) -> Role | None:
    """Return the role of everything in this block, from its own markup or from the region around it."""
    if around in _KEPT or (not words and name not in _TAGS):
        return around
    said = _TAGS.get(name) or next((_ROLES[word] for word in _ROLES if word in words), None)
    if Word.STORY in words and said in (None, *_MATTER):
        return None
    if around in _MATTER and said not in _KEPT:
        return around
    return said or around


def short_text(element: etree._Element, most: int) -> str | None:
    """Return an element's text with single spaces, or None when it is longer, without reading the rest."""
    pieces = []
    size = 0
    for piece in element.itertext():
        pieces.append(str(piece))
        size += len(pieces[-1].strip())
        if size > most:
            return None
    return " ".join("".join(pieces).split())


def _is_line(words: frozenset[Word], around: _Around) -> bool:
    return Word.LINE in words and around.region is Role.VERSE


def _leads_within(link: etree._Element) -> bool:
    """Return whether a link leads to a place in the same book."""
    target = link.get("href") or ""
    return target != "" and not _NOT_HERE.match(target)


def _is_note_mark(link: etree._Element) -> bool:
    """Return whether a link is a raised or bracketed sign that leads to a place."""
    if "#" not in (link.get("href") or ""):
        return False
    text = short_text(link, _LONGEST_MARK)
    if text is None or not _NOTE_SIGN.fullmatch(text):
        return False
    if not _BARE_NOTE_SIGN.fullmatch(text):
        return True
    parent = link.getparent()
    raised = parent is not None and _name(parent) == "sup"
    return raised or any(_name(child) == "sup" for child in link)
