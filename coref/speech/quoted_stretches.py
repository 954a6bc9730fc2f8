"""Finds the text between quotation marks in one paragraph, in one walk over its marks."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coref.speech.quote_convention import Convention
from coref.speech.quote_marks import QuoteMark, SpeechStyle, marks_in

_PAUSE = re.compile(r"[,.;:!?]")
_SCARE_CHARS = 60
_LOOK_BACK = 40
"""Maximum number of marks among which the single one that opened last is looked for."""
_LEAD = " \n\t_*—–-"


@dataclass(frozen=True, slots=True)
class QuotedStretch:
    """A stretch between quotation marks, including the marks."""

    start: int
    end: int
    style: SpeechStyle
    runs_on: bool = False
    """Whether it has no closing mark."""
    continues: bool = False
    """Whether it continues what an earlier paragraph left open."""
    orphan: bool = False
    """Whether it continues so without an opening mark of its own."""


def stretches_in(
    text: str, start: int, end: int, convention: Convention, open_before: SpeechStyle | None
) -> list[QuotedStretch]:
    """Return the stretches in order, none inside another.

    `open_before` is the style of the speech that the last paragraph left open.
    """
    return list(_Walk(text, start, end, convention, open_before).run())


class _Walk:
    def __init__(
        self, text: str, start: int, end: int, convention: Convention, open_before: SpeechStyle | None
    ) -> None:
        self.text, self.start, self.end = text, start, end
        self.convention = convention
        self.open_before = open_before
        self.marks = marks_in(text, start, end)
        self.singles = _Singles(text, end, self.marks)
        self.inwards = self._points_inwards()

    def run(self) -> Iterator[QuotedStretch]:
        """Yield the stretches. Inside an open one, marks of other styles and nested marks are ignored."""
        at = 0
        orphan = self._orphan()
        if orphan is not None:
            yield QuotedStretch(
                self.start, self.marks[orphan].end, self.marks[orphan].style, False, True, True
            )
            at = orphan + 1
        while at < len(self.marks):
            mark = self.marks[at]
            if mark.style is SpeechStyle.SINGLE:
                stretch, at = self._single(at)
            elif self._opens(mark):
                stretch, at = self._other(at)
            else:
                stretch, at = None, at + 1
            if stretch is not None:
                yield stretch

    def _single(self, at: int) -> tuple[QuotedStretch | None, int]:
        """Return what a single mark opens, and the mark at which to continue."""
        mark = self.marks[at]
        closing = self._single_end(at)
        if closing is not None:
            return self._stretch(mark, self.marks[closing].end), closing + 1
        if self._single_runs_on(at):
            return self._stretch(mark, self.end, runs_on=True), len(self.marks)
        return None, at + 1

    def _other(self, opened: int) -> tuple[QuotedStretch, int]:
        """Return what any other mark opens, and the mark at which to continue."""
        first, at = self.marks[opened], opened + 1
        while at < len(self.marks):
            mark = self.marks[at]
            if self._closes(first, mark):
                return self._stretch(first, mark.end), at + 1
            if self._opens_anew(opened, at):  # the closing mark of the last stretch is missing
                end = first.at + len(self.text[first.at : mark.at].rstrip())
                return self._stretch(first, end), at
            if mark.style is first.style and mark.opens:
                at = self._past_nested(at)
            at += 1
        return self._stretch(first, self.end, runs_on=True), at

    def _stretch(self, mark: QuoteMark, end: int, *, runs_on: bool = False) -> QuotedStretch:
        return QuotedStretch(mark.at, end, mark.style, runs_on, self._continues(mark))

    def _continues(self, mark: QuoteMark) -> bool:
        first = not self.text[self.start : min(mark.at, self.start + 40)].strip(_LEAD)
        return self.open_before is mark.style and first and mark.at - self.start < 40

    def _orphan(self) -> int | None:
        """Return the mark that closes what an earlier paragraph left open, if no mark before it opens."""
        if self.open_before is None:
            return None
        for index, mark in enumerate(self.marks):
            if mark.style is self.open_before and mark.style is not SpeechStyle.SINGLE:
                closes = not self._opens(mark) if mark.style is SpeechStyle.GUILLEMETS else mark.closes
                alone = closes and (mark.style is SpeechStyle.GUILLEMETS or not mark.opens)
                return index if alone and mark.at > self.start else None
            if mark.style is SpeechStyle.SINGLE and self.open_before is SpeechStyle.SINGLE:
                if mark.opens:
                    return None
                if mark.closes:
                    return index
        return None

    def _opens(self, mark: QuoteMark) -> bool:
        if mark.style is SpeechStyle.GUILLEMETS:
            if mark.at == self.start and self.open_before is SpeechStyle.GUILLEMETS:
                return True  # French repeats the closing mark at the start of a continued paragraph
            return (mark.char in "»›") == self.inwards
        return mark.opens

    def _closes(self, opened: QuoteMark, mark: QuoteMark) -> bool:
        if mark.style is not opened.style:
            return False
        if mark.style is SpeechStyle.GUILLEMETS:
            outer = "«»" if opened.char in "«»" else "‹›"
            return mark.char == outer[not self.inwards]
        if mark.style is SpeechStyle.CORNERS:
            return mark.char == {"「": "」", "『": "』"}[opened.char]
        if opened.char in "„‟〝":
            return mark.char in '“”"〞'
        return mark.closes and mark.char != "“"

    def _opens_anew(self, opened: int, at: int) -> bool:
        """Return whether a second opening mark of the same kind shows that the first was never closed."""
        first, mark = self.marks[opened], self.marks[at]
        if mark.style is not first.style or mark.char != first.char or not self._opens(mark):
            return False
        if mark.char == '"':
            return True
        if self._past_nested(at) != at and (self._continues(first) or self._within_single(opened, at)):
            return False
        after = [m for m in self.marks[at + 1 : at + 12] if m.style is mark.style][:2]
        return not (len(after) == 2 and all(self._closes(first, m) for m in after))

    def _within_single(self, opened: int, at: int) -> bool:
        """Return whether a single mark after the opening one leaves a quotation open here."""
        for index in range(at - 1, max(opened, at - _LOOK_BACK), -1):
            mark = self.marks[index]
            if mark.style is SpeechStyle.SINGLE and mark.opens and not mark.elides:
                closing = self.singles.closing(index)
                return closing is not None and closing > at
        return False

    def _past_nested(self, at: int) -> int:
        """Return the index of the mark that closes a quotation nested in the same kind of marks."""
        for index in range(at + 1, min(at + 12, len(self.marks))):
            if self._closes(self.marks[at], self.marks[index]):
                return index
        return at

    def _points_inwards(self) -> bool:
        """Return whether guillemets point inwards. A paragraph that opens with one shows it by itself."""
        first = next((m for m in self.marks if m.style is SpeechStyle.GUILLEMETS), None)
        if first is None or self.open_before is SpeechStyle.GUILLEMETS:
            return self.convention.inwards
        if first.at == self.start:
            return first.char in "»›"
        return self.convention.inwards

    def _single_end(self, at: int) -> int | None:
        """Return the mark that closes what a single mark opens, as strictly as the convention requires."""
        mark = self.marks[at]
        if not mark.opens:
            return None
        plain = mark.elides and not (self.convention.main is SpeechStyle.SINGLE and not mark.after_word)
        return None if plain else self.singles.closing(at)

    def _single_runs_on(self, at: int) -> bool:
        mark = self.marks[at]
        usual = SpeechStyle.SINGLE in (self.convention.main, self.open_before)
        return usual and mark.opens and not mark.elides and not mark.after_word


class _Singles:
    """Finds the single mark that closes another, in time independent of the text between them."""

    def __init__(self, text: str, end: int, marks: Sequence[QuoteMark]) -> None:
        self._text, self._end, self._marks = text, end, marks
        singles = [i for i, mark in enumerate(marks) if mark.style is SpeechStyle.SINGLE]
        self._full = [i for i in singles if marks[i].closes]
        self._short = [i for i in singles if marks[i].ends_word]

    def closing(self, at: int) -> int | None:
        """Return a mark after punctuation, or soon after a plain word.

        The last resort is a mark that ends the paragraph.
        """
        mark = self._marks[at]
        full, short = self._next(self._full, at), self._next(self._short, at)
        if short is not None and (full is None or short < full):
            closing = self._marks[short]
            inside = self._text[mark.end : min(closing.at, mark.end + _SCARE_CHARS)]
            plural = self._text[closing.at - 1] == "s"
            if closing.at - mark.at <= _SCARE_CHARS and not plural and not _PAUSE.search(inside):
                return short
        if full is not None:
            return full
        last = self._short[-1] if self._short else None
        return last if last is not None and last > at and self._marks[last].end >= self._end - 1 else None

    def _next(self, indices: Sequence[int], after: int) -> int | None:
        place = bisect_right(indices, after)
        return indices[place] if place < len(indices) else None
