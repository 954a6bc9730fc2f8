"""Finds direct speech in a book, whatever marks each paragraph uses for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from books.types import Book, Paragraph, ParagraphKind
from coref.language.tokens import Tokens
from coref.speech.dash_speech import dashed_in, has_dash_tag, opens_with_dash
from coref.speech.genuine_quotes import is_speech
from coref.speech.quote_convention import Convention, conventions, is_spoken_dash
from coref.speech.quote_marks import SpeechStyle, marks_in
from coref.speech.quoted_stretches import QuotedStretch, stretches_in

_MOST_OPEN = 20
"""Maximum number of paragraphs without any mark inside a quotation, such as a letter."""


@dataclass(slots=True)
class DirectSpeech:
    """One stretch of speech inside one paragraph, including its marks."""

    start: int
    end: int
    paragraph: int
    continues: bool = False
    """Whether it continues the speech of the paragraph before."""
    runs_on: bool = False
    """Whether it has no closing mark."""
    style: SpeechStyle = SpeechStyle.DOUBLE


def find_speech(book: Book, tokens: Tokens) -> list[DirectSpeech]:
    """Return speech in order, and set for each token to which it belongs, and whether that quotes it."""
    found = _Search(book, tokens).run()
    for index, speech in enumerate(found):
        for i in range(tokens.at(speech.start), tokens.at(speech.end)):
            tokens.quote[i] = index
    _find_inner(tokens, found)
    return found


class _Search:
    def __init__(self, book: Book, tokens: Tokens) -> None:
        self.text, self.paragraphs, self.tokens = book.text, book.paragraphs, tokens
        self.ways = conventions(book)
        self.found: list[DirectSpeech] = []
        self.left_open: SpeechStyle | None = None
        """The style of the speech that the last paragraph left open."""
        self.unmarked: list[Paragraph] = []
        """The paragraphs since then that have no mark at all."""

    def run(self) -> list[DirectSpeech]:
        for paragraph, way in zip(self.paragraphs, self.ways, strict=True):
            if paragraph.kind is not ParagraphKind.HEADING:
                self._read(paragraph, way)
        return self.found

    def _read(self, paragraph: Paragraph, way: Convention) -> None:
        start, end = paragraph.span.start, paragraph.span.end
        if self._is_dashed(paragraph, way):
            self._leave_off()
            self._add(paragraph, list(dashed_in(self.text, start, end)), way)
            return
        if self.left_open is not None and not marks_in(self.text, start, end):
            self.unmarked.append(paragraph)
            if len(self.unmarked) > _MOST_OPEN:
                self._leave_off()
            return
        stretches = stretches_in(self.text, start, end, way, self.left_open)
        kept = self._add(paragraph, stretches, way)
        self.unmarked.clear()
        self.left_open = kept[-1].style if kept and kept[-1].runs_on else None

    def _leave_off(self) -> None:
        self.left_open = None
        self.unmarked.clear()

    def _is_dashed(self, paragraph: Paragraph, way: Convention) -> bool:
        """Return whether a dash marks speech here.

        It does by the book's convention, because of a tag, or because a neighbouring paragraph without other
        marks opens with a dash too.
        """
        start, end = paragraph.span.start, paragraph.span.end
        if not opens_with_dash(self.text, start, end):
            return False
        if any(
            mark.opens and mark.style is not SpeechStyle.SINGLE
            for mark in marks_in(self.text, start, start + 8)
        ):
            return False
        if way.main is SpeechStyle.DASH or has_dash_tag(self.text, start, end):
            return True
        near = (paragraph.index - 1, paragraph.index + 1)
        return any(
            0 <= i < len(self.paragraphs) and self._is_bare_dash(self.paragraphs[i]) for i in near
        ) and self._is_bare_dash(paragraph)

    def _is_bare_dash(self, paragraph: Paragraph) -> bool:
        start, end = paragraph.span.start, paragraph.span.end
        return is_spoken_dash(self.text, start, end) and not any(
            mark.style is not SpeechStyle.SINGLE for mark in marks_in(self.text, start, end)
        )

    def _add(
        self, paragraph: Paragraph, stretches: Sequence[QuotedStretch], way: Convention
    ) -> list[QuotedStretch]:
        start = paragraph.span.start
        kept = [s for s in stretches if is_speech(s, self.tokens, way, opens=s.start == start)]
        if kept and kept[0].orphan:
            self.found += [
                DirectSpeech(p.span.start, p.span.end, p.index, True, True, kept[0].style)
                for p in self.unmarked
            ]
        elif kept and kept[0].continues and self.unmarked:
            kept[0] = QuotedStretch(kept[0].start, kept[0].end, kept[0].style, kept[0].runs_on)
        self.found += [
            DirectSpeech(each.start, each.end, paragraph.index, each.continues, each.runs_on, each.style)
            for each in kept
        ]
        return kept


def _find_inner(tokens: Tokens, heard: Sequence[DirectSpeech]) -> None:
    """Set for each token whether it is inside a quotation inside speech."""
    left_open: SpeechStyle | None = None
    for speech in heard:
        inside = list(_inside(tokens, speech, left_open if speech.continues else None))
        left_open = inside[-1].style if inside and inside[-1].runs_on else None
        for each in inside:
            first, end = tokens.at(each.start), tokens.at(each.end)
            tokens.inner[first:end] = b"\1" * (end - first)


def _inside(tokens: Tokens, speech: DirectSpeech, left_open: SpeechStyle | None) -> Iterator[QuotedStretch]:
    start, end = speech.start, speech.end
    marks = marks_in(tokens.text, start, end)
    if marks and marks[0].at == start:
        start = marks[0].end
    if marks and marks[-1].end == end and not speech.runs_on:
        end = max(start, marks[-1].at)
    inner = SpeechStyle.DOUBLE if speech.style is SpeechStyle.SINGLE else SpeechStyle.SINGLE
    outer = Convention(speech.style, inwards=False)
    for each in stretches_in(tokens.text, start, end, Convention(inner, inwards=False), left_open):
        closes = speech.runs_on or not each.runs_on  # else the mark is the apostrophe of `'course`
        whole = each.style is not speech.style and not _begins_anew(tokens.text, each)
        if closes and whole and is_speech(each, tokens, outer, opens=False):
            yield each


def _begins_anew(text: str, stretch: QuotedStretch) -> bool:
    """Return whether another quotation begins inside, so that the first mark was none: `'Frisco`."""
    return any(
        mark.opens and mark.style is stretch.style and not mark.elides and text[mark.end].isupper()
        for mark in marks_in(text, stretch.start + 1, stretch.end - 1)
    )
