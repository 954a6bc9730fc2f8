"""Find the text around the story in files as people have them: licences, and the metadata in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from books import lists
from books.shape.body.title_page import calm
from books.shape.frame.fields import fields_of
from books.shape.frame.imprint import imprint_end, imprint_start
from books.shape.frame.markers import Marker, MarkerKind, markers
from books.types import Exclusion, Part, Span

_MAX_CUT = 0.3
"""A cut of more than this share of the text is more likely our mistake than part of the book."""
_LICENCE_AT_MOST = 30_000
"""No licence is longer; two markers further apart than this belong to different books."""
_HEADER = 0.5
"""A header's marker is in the first half of the text, a footer's in the second, in short texts too."""
_TOO_MUCH = "Licence markers were found, but they would cut away a third of the text: nothing was cut."


@dataclass(frozen=True, slots=True)
class Framing:
    story: Span
    excluded: tuple[Exclusion, ...]
    title: str | None
    author: str | None
    warnings: tuple[str, ...]
    fields: Mapping[str, str] = field(default_factory=dict)
    """Fields of the header by lower-case name: title, author, language, translator, editor."""


def frame(text: str) -> Framing:
    """Find the licence header and footer, if any; they are excluded by span, never deleted."""
    found = markers(text)
    start, end = _header(text, found), _footer(text, found)
    if end <= start:
        end = len(text)
    said = fields_of(text[:start])
    start, end, warnings = _bounded(text, start, end)
    excluded = []
    if text[:start].strip():
        excluded.append(Exclusion(Span(0, start), Part.FRONT, "licence header" if found else "imprint"))
    if text[end:].strip():
        excluded.append(Exclusion(Span(end, len(text)), Part.BACK, "licence footer" if found else "imprint"))
    return Framing(
        Span(start, end), tuple(excluded), _calm(said, "title"), _calm(said, "author"), warnings, said
    )


def _calm(said: Mapping[str, str], name: str) -> str | None:
    return calm(said[name]) if name in said else None


def licences_within(text: str, story: Span) -> list[Span]:
    """Find the licences between books that were joined into one file: from a footer to the next header."""
    spans = []
    footer: Marker | None = None
    for marker in markers(text):
        if not story.start <= marker.span.start < story.end:
            continue
        if marker.kind is MarkerKind.FOOTER:
            footer = footer or marker
        elif footer and marker.span.end - footer.span.start <= 2 * _LICENCE_AT_MOST:
            spans.append(Span(footer.span.start, imprint_end(text, marker.span.end)))
            footer = None
    return spans


def _header(text: str, found: list[Marker]) -> int:
    """Return the end of the first book's last header marker and of the credits after it."""
    reached = 0
    for marker in found:
        far = marker.span.end > _HEADER * len(text) or marker.span.start > reached + _LICENCE_AT_MOST
        if marker.kind is MarkerKind.FOOTER or (reached and far):
            break
        reached = marker.span.end
    return imprint_end(text, reached)


def _footer(text: str, found: list[Marker]) -> int:
    """Return the first of the markers that end the last book."""
    starts: list[int] = []
    for marker in reversed(found):
        near = marker.span.start >= (starts[-1] if starts else len(text)) - _LICENCE_AT_MOST
        if marker.kind is MarkerKind.HEADER or not near:
            break
        starts.append(marker.span.start)
    halfway = (1 - _HEADER) * len(text)
    believed = (at for at in reversed(starts) if at >= halfway or _is_licence(text[at:]))
    return imprint_start(text, next(believed, len(text)))


def _bounded(text: str, start: int, end: int) -> tuple[int, int, tuple[str, ...]]:
    """Undo the larger cut if both together are too much; text that reads as a licence is no loss."""
    allowed = _MAX_CUT * len(text)
    front = 0 if _is_licence(text[:start]) else start
    back = 0 if _is_licence(text[end:]) else len(text) - end
    if front + back <= allowed:
        return start, end, ()
    if front > allowed:
        start = 0
    if back > allowed or front <= allowed:
        end = len(text)
    return start, end, (_TOO_MUCH,)


def _is_licence(text: str) -> bool:
    if not 0 < len(text) <= _LICENCE_AT_MOST:
        return False
    said = " ".join(text.casefold().split())
    return sum(phrase in said for phrase in lists.lines("books", "data/licence_words.txt")) >= 2
