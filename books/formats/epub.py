"""EPUB 2 and 3: the pages of the spine as one text, and its table of contents as places in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from lxml import etree

from books.encodings import Decoded, canonical
from books.errors import EmptyBook, NotText
from books.formats.archive import Archive, open_archive
from books.formats.epub_contents import Entry, anchors, entries
from books.formats.epub_package import Package, named, open_package
from books.formats.markup import decoded, parse_xhtml
from books.formats.markup_walk import Walker
from books.formats.markup_words import Word
from books.formats.markup_writer import Writer
from books.limits import Limits
from books.source import Role, Source
from books.types import EncodingBy

_COVER_TEXT = 300
"""In characters. A cover says little more than title and author; a longer page is read like any other."""
_COVER_NAME = re.compile(r"(?:.*/)?cover(?:[-_ ]?page)?\d*\.\w+", re.I)
_REGIONS = {Word.CONTENTS: Role.CONTENTS, Word.NOTE: Role.NOTE, Word.FRONT: Role.FRONT, Word.BACK: Role.BACK}


@dataclass(slots=True)
class _Reading:
    """The values collected while the pages are read."""

    archive: Archive
    package: Package
    limits: Limits
    order: str | None
    """The user's encoding."""
    encodings: Counter[tuple[str, EncodingBy]] = field(default_factory=Counter)
    warnings: list[str] = field(default_factory=list)
    told: dict[str, list[str]] = field(default_factory=dict)
    """The warnings about single pages, each with the files it is about."""

    def page(self, name: str) -> etree._Element | None:
        """Return the root of a page, or None when it is empty or unreadable."""
        try:
            page = self._decoded(self.archive.read(name))
        except EmptyBook:
            return None
        except NotText:
            self.warnings.append(f"The file {name} of the book is not text, and was left out.")
            return None
        self.encodings[page.encoding, page.by] += 1
        for warning in page.warnings:
            self.told.setdefault(warning, []).append(name)
        return parse_xhtml(page.text, self.limits)

    def _decoded(self, data: bytes) -> Decoded:
        """Decode a page in its own encoding. The user's is only for one whose encoding has to be guessed."""
        try:
            page = decoded(data)
        except NotText:
            if self.order is None:
                raise
            return decoded(data, order=self.order)
        if self.order is not None and page.by is EncodingBy.GUESSED:
            with suppress(NotText):
                return decoded(data, order=self.order)
        return page


def read(data: bytes, *, limits: Limits, encoding: str | None) -> Source:
    archive = open_archive(data, limits)
    package = open_package(archive, limits)
    reading = _Reading(archive, package, limits, encoding and canonical(encoding))
    if package.missing:
        reading.warnings.append(f"Files of the book are missing: {_some(package.missing)}.")
    listed = _contents(reading)
    writer = Writer()
    walker = Walker(writer)
    regions = _regions(package, listed)
    for name in package.spine:
        root = reading.page(name)
        if root is not None and not _left_out(name, root, package):
            walker.page(root, name, regions.get(name))
    written = writer.finish()
    if not written.text:
        raise EmptyBook("The EPUB holds no text.")
    chosen, by = reading.encodings.most_common(1)[0][0]
    return Source(
        text=written.text,
        format="epub",
        encoding=chosen,
        encoding_by=by,
        blocks=written.blocks,
        anchors=anchors(listed, written.places, len(written.text)),
        excluded=written.excluded,
        title=package.title,
        author=package.author,
        language=package.language,
        warnings=(*reading.warnings, *(f"{_some(names)}: {said}" for said, names in reading.told.items())),
    )


def _contents(reading: _Reading) -> list[Entry]:
    try:
        return entries(reading.archive, reading.package, reading.limits)
    except (EmptyBook, NotText):
        reading.warnings.append("The table of contents of the book can't be read.")
        return []


def _regions(package: Package, listed: Sequence[Entry]) -> dict[str, Role]:
    """Return the roles of whole files that the package calls title page, notes and so on.

    Files in which chapters begin have no such role.
    """
    if len(package.spine) < 2:
        return {}
    begin = Counter(entry.file for entry in listed)
    regions = {}
    for name, words in package.guide.items():
        role = next((role for word, role in _REGIONS.items() if word in words), None)
        if role and Word.STORY not in words and begin[name] < 2:
            regions[name] = role
    return regions


def _left_out(name: str, root: etree._Element, package: Package) -> bool:
    """Return whether the page is only the cover or the navigation document."""
    covers = name in package.covers or _COVER_NAME.fullmatch(name)
    if not covers and name != package.nav:
        return False
    printed = sum(map(_printed, list(named(root, "body")) or [root]))
    return printed - sum(map(_printed, named(root, "nav"))) <= _COVER_TEXT


def _printed(element: etree._Element) -> int:
    """Count the characters of an element without white space."""
    return sum(len("".join(str(piece).split())) for piece in element.itertext())


def _some(names: Sequence[str]) -> str:
    """Return the first names, and how many others there are."""
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
