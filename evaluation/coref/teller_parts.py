"""Measures who tells which part of a novel, by stretches that readers marked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from books.types import Book, ParagraphKind, Span
from coref.types import Annotations
from evaluation.coref.tallies import Sums
from evaluation.corpus.casts import NovelCast

_MOSTLY = 0.9


@dataclass(frozen=True, slots=True)
class TellerScore(Sums):
    """Letters of the text, and stretches of it."""

    told: int = 0
    right: int = 0
    parts: int = 0
    parts_right: int = 0
    """Stretches of which nine tenths are right."""


def score_tellers(
    cast: NovelCast, book: Book, annotations: Annotations, people: Mapping[str, str]
) -> TellerScore:
    """`people` are the characters by the keys of the cast. Raises ValueError if the text lacks a stretch.

    What somebody tells aloud is right where they are the speaker of what is quoted.
    """
    found = TellerScore()
    for part in cast.tellers:
        span = part.find(book.text)
        if span is None:
            raise ValueError(f"{cast.novel} does not have “{part.start}” … “{part.end}”")
        meant = None if part.who is None else people.get(part.who, "")
        paragraphs = [
            p.span for p in book.paragraphs if p.span.overlaps(span) and p.kind is not ParagraphKind.HEADING
        ]
        teller_at = speaker_at if part.quoted else _teller_at
        told = [(len(each), teller_at(each, annotations)) for each in paragraphs]
        whole = sum(length for length, _ in told)
        right = sum(length for length, teller in told if teller == meant)
        found += TellerScore(whole, right, 1, int(right >= _MOSTLY * whole))
    return found


def _teller_at(span: Span, annotations: Annotations) -> str | None:
    return next((each.character for each in annotations.tellers if each.span.overlaps(span)), None)


def speaker_at(span: Span, annotations: Annotations) -> str | None:
    return next((each.speaker for each in annotations.quotes if each.span.overlaps(span)), None)
