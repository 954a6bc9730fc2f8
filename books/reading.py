"""Read a book from its bytes, whatever its format: the entry point of this package."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from books import languages
from books.edits import ChapterEdit, ChapterMark, placed
from books.encodings import composed
from books.errors import EmptyBook, UnsupportedLanguage
from books.formats.detect import detect, unwrapped
from books.formats.metadata import turned_round
from books.formats.registry import reader
from books.limits import Limits
from books.shape.body.title_page import title_page
from books.shape.frame.boilerplate import Framing, frame
from books.shape.structure import Shape, shape_of
from books.source import Source
from books.types import UNTITLED, Book, ChaptersBy, ImportReport, text_sha256

_TELLING = 1000
"""Number of characters from which on a known language would have been recognised."""


def read(
    data: bytes,
    *,
    name: str | None = None,
    title: str | None = None,
    author: str | None = None,
    encoding: str | None = None,
    force: bool = False,
    edit: ChapterEdit | None = None,
    limits: Limits | None = None,
) -> Book:
    """Read a whole source. A given title, author or encoding takes precedence over the source's own.

    `force` continues in an unsupported language; `edit` is a reader's correction of the chapters.
    """
    source = extract(data, encoding=encoding, limits=limits or Limits())
    framing = frame(source.text)
    language, doubts = _language(framing.story.of(source.text), source, force=force)
    sha256 = text_sha256(source.text)
    marks, lost = _marks(edit, source.text, sha256)
    shape = shape_of(source, framing.story, marks)
    if shape is None:
        raise EmptyBook("The file holds a licence but no story.")
    said_title, said_author = title_page(shape.front)
    return Book(
        text=source.text,
        title=composed(title or framing.title or source.title or said_title or _title_from(name) or UNTITLED),
        author=composed(author or framing.author or _as_printed(source.author, said_author) or "") or None,
        chapters=shape.chapters,
        paragraphs=shape.paragraphs,
        excluded=tuple(sorted((*framing.excluded, *shape.excluded), key=lambda e: e.span)),
        report=_report(source, framing, shape, language, [*doubts, *lost]),
        play=shape.play,
        sha256=sha256,
    )


def _as_printed(author: str | None, printed: str | None) -> str | None:
    """Return the author a file names, `Carroll, Lewis` in the order of the title page: `Lewis Carroll`."""
    turned = turned_round(author or "")
    return turned if turned and turned.casefold() == (printed or "").casefold() else author or printed


def extract(data: bytes, *, encoding: str | None, limits: Limits) -> Source:
    """Return the text and what the format says about it, before its chapters are found."""
    data = unwrapped(data, limits)
    return reader(detect(data))(data, limits=limits, encoding=encoding)


def _language(story: str, source: Source, *, force: bool) -> tuple[str, list[str]]:
    found = languages.identify(story) or _declared_language(story, source)
    if found is None:
        return "en", ["The language could not be told, so the book was taken for English."]
    if found in languages.SUPPORTED:
        return found, []
    if not force:
        raise UnsupportedLanguage(f"The book is in {languages.name_of(found)}, which is not supported.")
    return found, [f"The book is in {languages.name_of(found)}: names and speakers will often be wrong."]


def _declared_language(story: str, source: Source) -> str | None:
    """Return the declared language if the text itself gives none: files often declare a wrong one.

    A few lines that give no evidence are no reason to refuse them for what their file declares.
    """
    trusted = source.language in languages.SUPPORTED or len(story) >= _TELLING
    return source.language if trusted else None


def _marks(
    edit: ChapterEdit | None, text: str, sha256: str
) -> tuple[Sequence[ChapterMark] | None, Sequence[str]]:
    if edit is None:
        return None, ()
    marks = placed(edit, text=text, sha256=sha256)
    lost = ("The text is read otherwise than before, and your chapters no longer fit it: set them again.",)
    return marks, () if marks is not None else lost


def _report(
    source: Source, framing: Framing, shape: Shape, language: str, doubts: Sequence[str]
) -> ImportReport:
    warnings = [*source.warnings, *framing.warnings, *shape.warnings, *doubts]
    if shape.by is ChaptersBy.NONE:
        warnings.append("No chapter headings were found, so the book is one chapter.")
    return ImportReport(
        format=source.format,
        encoding=source.encoding,
        language=language,
        chapters_by=shape.by,
        warnings=tuple(warnings),
        encoding_by=source.encoding_by,
    )


def _title_from(name: str | None) -> str | None:
    if not name:
        return None
    stem = PurePath(name.replace("\\", "/")).name
    stem = re.sub(r"(\.(txt|text|gz|epub|html?|xhtml|md|markdown|docx))+$", "", stem, flags=re.I)
    return re.sub(r"[_\s]+", " ", stem).strip() or None
