"""Display names of the supported formats, for the API, the command line help and `docs/formats.md`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from books.formats.registry import READERS


@dataclass(frozen=True, slots=True)
class Format:
    name: str
    endings: str
    """Usual file name extensions. They are only for display: the format is detected from the content."""
    gives: str
    """What Bookworm reads from the format in addition to the text."""


_ALL: Final[Mapping[str, Format]] = {
    "text": Format("Plain text", ".txt", "The text as it is; everything else is detected in it."),
    "epub": Format(
        "EPUB 2 and 3", ".epub", "Reading order, table of contents, headings, notes; title, author, language."
    ),
    "html": Format("HTML", ".html, .xhtml", "Headings, notes, verse, links to chapters; title, author."),
    "markdown": Format("Markdown", ".md", "Headings, verse, notes; title and author of its front matter."),
    "docx": Format(
        "Word", ".docx", "Headings by their styles, notes; title and author of the document. Not .doc."
    ),
}

FORMATS: Final[Mapping[str, Format]] = {name: _ALL[name] for name in READERS}
"""Formats by their name in the registry."""


def listed(last: str = "or") -> str:
    """Returns a list such as `plain text, EPUB or HTML`."""
    names = [_plain(one.name) for one in FORMATS.values()]
    return f" {last} ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _plain(name: str) -> str:
    words = name.split(" ")
    return name.lower() if words[0] == "Plain" else words[0]
