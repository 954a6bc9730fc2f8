"""The registry of formats, one line each; `detect` chooses the format by content."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from books.errors import UnsupportedFormat
from books.source import SourceReader


def _plain() -> SourceReader:
    from books.formats.plain import read

    return read


def _html() -> SourceReader:
    from books.formats.html import read

    return read


def _epub() -> SourceReader:
    from books.formats.epub import read

    return read


def _docx() -> SourceReader:
    from books.formats.docx import read

    return read


def _markdown() -> SourceReader:
    from books.formats.markdown import read

    return read


READERS: Final[Mapping[str, Callable[[], SourceReader]]] = {
    "text": _plain,
    "html": _html,
    "epub": _epub,
    "markdown": _markdown,
    "docx": _docx,
}


def reader(name: str) -> SourceReader:
    if name not in READERS:
        raise UnsupportedFormat(f"There is no reader for the format {name!r}.")
    return READERS[name]()
