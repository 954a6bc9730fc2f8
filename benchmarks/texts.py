"""The text that benchmarks read: given files, or the project's own novella."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path

import evaluation.novella

NOVELLA = evaluation.novella.path()


def load(files: Sequence[Path]) -> str:
    """Return all files as one text."""
    return "\n\n".join(map(_read, files))


def first_words(text: str, words: int) -> str:
    """Return whole paragraphs with about `words` words in all; "" when there are not so many."""
    taken = 0
    paragraphs = text.split("\n\n")
    for at, paragraph in enumerate(paragraphs, start=1):
        taken += len(paragraph.split())
        if taken >= words:
            return "\n\n".join(paragraphs[:at])
    return ""


def repeated(text: str, words: int) -> str:
    """As `first_words`, but repeat a short text as often as necessary."""
    times = -(-words // max(1, len(text.split())))
    return first_words("\n\n".join([text] * times), words)


def marked(text: str, paragraphs: int) -> list[str]:
    """Return this many paragraphs, repeating a short text.

    From the second time on each paragraph gets a mark, so that no two are the same.
    """
    own = [paragraph for paragraph in text.split("\n\n") if paragraph.strip()]
    times = ((at // len(own), own[at % len(own)]) for at in range(paragraphs))
    return [f"{paragraph} [{time + 1}]" if time else paragraph for time, paragraph in times]


def _read(path: Path) -> str:
    content = path.read_bytes()
    if path.suffix == ".gz":
        content = gzip.decompress(content)
    return content.decode("utf-8", errors="replace").replace("\r\n", "\n")
