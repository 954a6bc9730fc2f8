"""DOCX: the paragraphs of a Word file, the roles their styles give them, and its notes after the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Final

from books.errors import EmptyBook
from books.formats.archive import Archive, open_archive
from books.formats.laying import Piece, laid_out
from books.formats.markup import parse_xml
from books.formats.metadata import tidy_authors, tidy_title
from books.formats.word_body import Told, body, joined, parts_of
from books.formats.word_runs import printed
from books.formats.word_styles import Look, Styles, language_of, styles_of
from books.formats.word_xml import Element, main_part, name_of, neighbours, units, value
from books.limits import Limits
from books.source import Role, Source

_CORE: Final = "docProps/core.xml"
_TITLE_PAGE: Final = 10
"""The book's title is one of this many first paragraphs."""
_TITLES: Final = 2
"""If more paragraphs than this have the title style, they are the titles of chapters and not of the book."""


def read(data: bytes, *, limits: Limits, encoding: str | None) -> Source:  # noqa: ARG001 - XML has its own
    archive = open_archive(data, limits)
    main = main_part(archive, limits)
    near = neighbours(archive, main, limits)
    styles = styles_of(archive, near, limits)
    printed_title, told = _title_and_text(archive, main, near, styles)
    blocks = laid_out(_pieces(told))
    if not blocks:
        raise EmptyBook("The Word file holds no text.")
    title, author, language = _core(archive, limits)
    return Source(
        text=blocks[0].within,
        format="docx",
        encoding="utf-8",
        blocks=blocks,
        title=title or printed_title,
        author=author,
        language=language or styles.language,
    )


def _title_and_text(
    archive: Archive, main: str, near: dict[str, str], styles: Styles
) -> tuple[str | None, list[Told]]:
    told, notes = body(archive.read(main), styles)
    title, story = _titled(joined(told))
    return title, [*story, *_notes(archive, near, notes, styles)]


def _pieces(told: list[Told]) -> Iterator[Piece]:
    """Yield pieces, and free each part of the text once it is yielded.

    There is no room to hold the text twice.
    """
    told.reverse()
    while told:
        each = told.pop()
        yield Piece(each.text, each.look.role, each.look.level, each.locator)


def _titled(told: Sequence[Told]) -> tuple[str | None, list[Told]]:
    """Return the book's title, if it is printed, and the text with roles for paragraphs in title style."""
    places = [at for at, each in enumerate(told) if each.look.title]
    heading = next((at for at, each in enumerate(told) if each.look.role is Role.HEADING), _TITLE_PAGE)
    of_book = len(places) <= _TITLES and all(at < min(heading, _TITLE_PAGE) for at in places)
    look = Look(Role.FRONT) if of_book else Look(Role.HEADING, 1)
    explained = [Told(e.text, look, e.locator) if e.look.title else e for e in told]
    if not of_book or not places or len(places) == len(told):
        return None, explained if len(places) < len(told) else list(told)
    return " ".join(told[places[0]].text.split()), explained


def _notes(
    archive: Archive, near: dict[str, str], marks: Sequence[tuple[str, str]], styles: Styles
) -> Iterator[Told]:
    """Yield the notes that the text refers to, in that order; Word does not print the others either."""
    texts: dict[tuple[str, str], list[str]] = {}
    for kind in sorted({kind for kind, _ in marks}):
        part = archive.find(near.get(f"{kind}s", f"word/{kind}s.xml"))
        for note in units(archive.read(part), (kind,)) if part else ():
            key = (kind, value(note, "id") or "")
            texts[key] = [text for p in _paragraphs(note) for text in parts_of(printed(p, styles).text)]
    numbers = {kind: count(1) for kind, _ in marks}
    for mark in marks:
        number = next(numbers[mark[0]])
        for text in texts.get(mark, ()):
            yield Told(text, Look(Role.NOTE), f"{mark[0]} {number}")


def _paragraphs(note: Element) -> Iterator[Element]:
    return (each for each in note if name_of(each) == "p")


def _core(archive: Archive, limits: Limits) -> tuple[str | None, str | None, str | None]:
    """Return title, author and language from the core properties, if they were filled in."""
    there = archive.find(_CORE)
    if there is None:
        return None, None, None
    said: dict[str, str] = {}
    for each in parse_xml(archive.read(there), limits):
        if isinstance(each.tag, str) and (text := " ".join((each.text or "").split())):
            said.setdefault(each.tag.rsplit("}", 1)[-1], text)
    title, by = tidy_title(said.get("title"))
    return title, tidy_authors([said.get("creator")]) or by, language_of(said.get("language", ""))
