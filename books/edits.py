"""A reader's correction of the chapters: where each begins and what it is called.

A mark is an offset into the text as it was read at that time. If the text is read differently later (another
encoding, a better reader), each place is found again by the words that stood there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from books.errors import ChaptersInvalid
from books.types import Book

MOST_CHAPTERS = 5_000
MOST_TITLE = 300
_QUOTE = 80
_UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
"""Characters that no title contains and that not every database can store."""
_FOREIGN = re.compile(r"[^\x00-\x7f]+")
_ANY_FOREIGN = r"[^\\x00-\\x7f]{1,80}"
_ENOUGH = 20
"""The number of ASCII characters that is enough to identify a place by them alone."""


@dataclass(frozen=True, slots=True)
class ChapterMark:
    start: int
    """Offset of the first character of a line that is not blank."""
    title: str
    quote: str = ""
    """The text that follows the mark, used to find the place when the text was read again."""


@dataclass(frozen=True, slots=True)
class ChapterEdit:
    marks: tuple[ChapterMark, ...]
    text_sha256: str
    """Hash of the text that the offsets point into."""


def make_edit(book: Book, marks: Sequence[ChapterMark]) -> ChapterEdit:
    """Return an edit, checked against the book as it is read now. Raises ChaptersInvalid."""
    if not 0 < len(marks) <= MOST_CHAPTERS:
        raise ChaptersInvalid(f"A book has 1 to {MOST_CHAPTERS:,} chapters, not {len(marks):,}.")
    for before, mark in pairwise(marks):
        if mark.start <= before.start:
            raise ChaptersInvalid(f"The chapter at {mark.start} does not begin after the one before it.")
    licences = [e.span for e in book.excluded if e.reason.startswith("licence")]
    for mark in marks:
        if any(span.start <= mark.start < span.end for span in licences):
            raise ChaptersInvalid(f"The chapter at {mark.start} begins in a licence.")
    return ChapterEdit(tuple(_checked(book.text, mark) for mark in marks), book.sha256)


def _checked(text: str, mark: ChapterMark) -> ChapterMark:
    title = " ".join(_UNFIT.sub(" ", mark.title).split())
    if not title:
        raise ChaptersInvalid(f"The chapter at {mark.start} has no title.")
    if len(title) > MOST_TITLE:
        raise ChaptersInvalid(f"The title of the chapter at {mark.start} has over {MOST_TITLE} characters.")
    if not begins_line(text, mark.start):
        raise ChaptersInvalid(f"No line of the text begins at {mark.start}.")
    return ChapterMark(mark.start, title, text[mark.start : mark.start + _QUOTE])


def begins_line(text: str, at: int) -> bool:
    """Return whether the first non-blank character of a line stands at `at`."""
    if not 0 <= at < len(text) or text[at].isspace():
        return False
    while at and text[at - 1] != "\n":
        if not text[at - 1].isspace():
            return False
        at -= 1
    return True


def placed(edit: ChapterEdit, *, text: str, sha256: str) -> list[ChapterMark] | None:
    """Return the marks in this text, or None if one is lost.

    In a text other than the edit's, the quotes locate the marks.
    """
    if sha256 == edit.text_sha256:
        return list(edit.marks)
    found: list[ChapterMark] = []
    shift = 0
    for mark in edit.marks:
        after, to = found[-1].start + 1 if found else 0, mark.start + shift
        places = (_nearest(text, words, after=after, to=to) for words in _patterns(mark.quote))
        at = next((place for place in places if place is not None), None)
        if at is None:
            return None
        shift = at - mark.start  # text that was added or removed before this chapter moves the next ones too
        found.append(ChapterMark(at, mark.title, mark.quote))
    return found


def _patterns(quote: str) -> Iterator[re.Pattern[str]]:
    """Yield a pattern for the words, with any line breaks and spaces between them.

    If there are enough ASCII characters, a pattern for them alone follows: hardly any encoding writes those
    differently.
    """
    words = [re.escape(word) for word in quote.split()]
    yield re.compile(r"\s+".join(words))
    if len(_FOREIGN.sub("", "".join(quote.split()))) >= _ENOUGH:
        yield re.compile(r"\s+".join(_FOREIGN.sub(_ANY_FOREIGN, word) for word in words))


def _nearest(text: str, words: re.Pattern[str], *, after: int, to: int) -> int | None:
    """Find the occurrence of the words that is nearest to `to`."""
    best = None
    for match in words.finditer(text, after):
        at = match.start()
        if not begins_line(text, at):
            continue
        if best is not None and abs(at - to) >= abs(best - to):
            break  # later matches are only farther away
        best = at
    return best
