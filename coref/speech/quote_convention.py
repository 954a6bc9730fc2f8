"""How a book marks speech, counted over the book and again over each part of it.

One book may mix several conventions, so a convention only says what to expect of a paragraph. The paragraph's
own marks decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from books.types import Book, Paragraph, ParagraphKind
from coref.speech.quote_marks import QuoteMark, SpeechStyle, marks_in

DASH = re.compile(r"\s*(?:—|―|–|--+)\s*(?=[\w¡¿‘“«\"'_…])")
_SPOKEN_DASH = re.compile(r"\s*(?:—|―|–|--+)\s*(?:[^\W\d_a-zà-ÿ]|[¡¿…‘'_])[^\n]*[.!?…,]")
"""A line that opens with a dash and reads like a sentence, because lists have dashes too."""
_LOOK = 400
_PART = 60
"""Number of paragraphs that are counted together."""
_ENOUGH = 8
"""Number of marks from which on a part is judged by itself."""
_CLEARLY = 2
_MANY_DASHES = 3
_DASHED_SHARE = 20


@dataclass(frozen=True, slots=True)
class Convention:
    """The main style of speech, and whether guillemets point inwards (`»so«`)."""

    main: SpeechStyle
    inwards: bool


@dataclass(slots=True)
class _Tally:
    double: int = 0
    single: int = 0
    dashes: int = 0
    outwards: int = 0
    inwards: int = 0
    paragraphs: int = 0

    def add(self, other: _Tally) -> None:
        self.double += other.double
        self.single += other.single
        self.dashes += other.dashes
        self.outwards += other.outwards
        self.inwards += other.inwards
        self.paragraphs += other.paragraphs

    @property
    def evidence(self) -> int:
        return self.double + self.single + self.dashes

    @property
    def main(self) -> SpeechStyle:
        """The main style: double marks unless another style clearly prevails."""
        if (
            self.dashes > _MANY_DASHES * self.double
            and self.dashes > self.single
            and self.dashes > self.paragraphs // _DASHED_SHARE
        ):
            return SpeechStyle.DASH
        return SpeechStyle.SINGLE if self.single > _CLEARLY * self.double else SpeechStyle.DOUBLE


def is_spoken_dash(text: str, start: int, end: int) -> bool:
    """Return whether a paragraph opens with a dash and reads like a sentence."""
    return _SPOKEN_DASH.match(text, start, min(end, start + _LOOK)) is not None


def conventions(book: Book) -> list[Convention]:
    """Return one convention for each paragraph of the book."""
    tallies = [_tally(book.text, paragraph) for paragraph in book.paragraphs]
    whole = _sum(tallies)
    found: list[Convention] = []
    for first in range(0, len(tallies), _PART):
        part = _sum(tallies[max(0, first - _PART // 2) : first + _PART + _PART // 2])
        main = part.main if part.evidence >= _ENOUGH else whole.main
        turned = part if part.inwards + part.outwards >= _ENOUGH else whole
        found += [Convention(main, turned.inwards > turned.outwards)] * len(tallies[first : first + _PART])
    return found


def _sum(tallies: Iterable[_Tally]) -> _Tally:
    total = _Tally()
    for tally in tallies:
        total.add(tally)
    return total


def _tally(text: str, paragraph: Paragraph) -> _Tally:
    if paragraph.kind is ParagraphKind.HEADING:
        return _Tally()
    start, end = paragraph.span.start, paragraph.span.end
    marks = marks_in(text, start, end)
    paired = sum(
        mark.style in (SpeechStyle.DOUBLE, SpeechStyle.GUILLEMETS, SpeechStyle.CORNERS) for mark in marks
    )
    outwards, inwards = _pointing(text, marks, start)
    return _Tally(
        double=(paired + 1) // 2,
        single=sum(mark.style is SpeechStyle.SINGLE and mark.opens and not mark.elides for mark in marks),
        dashes=is_spoken_dash(text, start, end),
        outwards=outwards,
        inwards=inwards,
        paragraphs=1,
    )


def _pointing(text: str, marks: Sequence[QuoteMark], start: int) -> tuple[int, int]:
    """Count how often guillemets open as `«` and as `»`, as far as the text beside them shows it."""
    found = {"«": 0, "»": 0}
    for mark in marks:
        if mark.char in found:
            before = text[mark.at - 1] if mark.at > start else ""
            after = text[mark.end : mark.end + 1]
            found[mark.char] += (not before or before.isspace() or before in "(—") and not after.isspace()
            found[mark.char] += 2 * (not before)
    return found["«"], found["»"]
