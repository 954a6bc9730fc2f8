"""Direct speech: which stretches of a book somebody says, by the marks that the book uses for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from books.types import Book, Paragraph, ParagraphKind
from coref.rules.tokens import Tokens
from coref.words import words

_DOUBLE = re.compile(r"[“”\"„«»]")
_SINGLE_OPEN = re.compile(r"(?:(?<=^)|(?<=[\s(—“_-]))[‘'](?=[\w(_—…])", re.M)
_SINGLE_CLOSE = re.compile(r"(?<=[.,!?;:…—_)-])[’'](?!\w)")
_SINGLE_SHORT = re.compile(r"(?<=[^\W_])[’'](?=[\s,.;:!?)—-]|$)")
_ELISION = re.compile(
    r"[‘'’](?:tis|twas|twere|twill|em|im|er|ee|un|til|cause|bout|ave|as|ad|ouse|ow|appen)\b", re.I
)
_DASH = re.compile(r"\s*(?:—|―|--)\s*(?=[\w¡¿‘“])")
_DASH_TAG = re.compile(r"[,.!?…]\s+(?:—\s*)?(?=(?:said|cried|asked|answered|replied|he|she|I|[A-Z]\w+)\s)")
_SCARE_WORDS = 6
_SCARE_CHARS = 60


class Marks(StrEnum):
    DOUBLE = "double"
    SINGLE = "single"
    DASH = "dash"


@dataclass(slots=True)
class Speech:
    """One stretch of speech inside one paragraph, marks included."""

    start: int
    end: int
    paragraph: int
    continues: bool = False
    """It goes on with what was being said in the paragraph before."""
    runs_on: bool = False
    """It has no closing mark."""


def marks_of(book: Book) -> Marks:
    """The marks that carry a book's dialogue. Double marks win unless another kind is clearly in charge."""
    text = book.text
    double = len(_DOUBLE.findall(text)) // 2
    single = sum(1 for _ in _SINGLE_OPEN.finditer(text))
    dashes = sum(1 for p in book.paragraphs if _DASH.match(text, p.span.start, p.span.end))
    if dashes > 3 * double and dashes > single and dashes > len(book.paragraphs) // 20:
        return Marks.DASH
    return Marks.SINGLE if single > 2 * double else Marks.DOUBLE


def find_speech(book: Book, tokens: Tokens) -> list[Speech]:
    marks = marks_of(book)
    find = {Marks.DOUBLE: _double, Marks.SINGLE: _single, Marks.DASH: _dashed}[marks]
    found: list[Speech] = []
    open_before = False
    for paragraph in book.paragraphs:
        if paragraph.kind is ParagraphKind.HEADING:
            continue
        spans = list(find(book.text, paragraph, open_before))
        open_before = bool(spans) and spans[-1].runs_on and marks is not Marks.DASH
        found.extend(s for s in spans if _is_speech(s, tokens))
    for index, speech in enumerate(found):
        for i in range(tokens.at(speech.start), tokens.at(speech.end)):
            tokens.quote[i] = index
    return found


def _double(text: str, paragraph: Paragraph, open_before: bool) -> Iterator[Speech]:
    start, end = paragraph.span.start, paragraph.span.end
    opened: int | None = None
    continues = False
    first = _DOUBLE.search(text, start, end)
    if open_before and first is not None and not _opens(text, first.start(), is_open=True):
        opened, continues = start, True  # the paragraph was broken in the middle of what is said
    for match in _DOUBLE.finditer(text, start, end):
        at = match.start()
        opens = _opens(text, at, is_open=opened is not None)
        if opens and opened is not None:  # the mark that should have closed the last one is missing
            yield Speech(opened, opened + len(text[opened:at].rstrip()), paragraph.index, continues)
        elif opened is not None:
            yield Speech(opened, at + 1, paragraph.index, continues)
        if opens:
            continues = open_before and not text[start:at].strip(" \n\t_*")
        opened = at if opens else None
    if opened is not None:
        yield Speech(opened, end, paragraph.index, continues, runs_on=True)


def _opens(text: str, at: int, *, is_open: bool) -> bool:
    """Whether a mark opens speech: a straight one tells by the spaces around it, or by whose turn it is."""
    mark = text[at]
    if mark != '"':
        return mark in "“„«"
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    free_before = not before or before.isspace() or before in "—-(["
    free_after = not after or after.isspace() or after in "—-.,;:!?)]"
    return not is_open if free_before == free_after else free_before


def _single(text: str, paragraph: Paragraph, open_before: bool) -> Iterator[Speech]:
    start, end = paragraph.span.start, paragraph.span.end
    at = start
    while (opening := _SINGLE_OPEN.search(text, at, end)) is not None:
        opened = opening.start()
        if _ELISION.match(text, opened):
            at = opened + 1
            continue
        continues = open_before and not text[start:opened].strip()
        closing = _closing(text, opened, end)
        if closing is None:
            yield Speech(opened, end, paragraph.index, continues, runs_on=True)
            return
        yield Speech(opened, closing, paragraph.index, continues)
        at = closing


def _closing(text: str, opened: int, end: int) -> int | None:
    """Where a single-quoted stretch ends: after punctuation, or soon after a plain word."""
    short = _SINGLE_SHORT.search(text, opened + 1, min(end, opened + _SCARE_CHARS))
    full = _SINGLE_CLOSE.search(text, opened + 1, end)
    if short is not None and (full is None or short.start() < full.start()):
        inside = text[opened + 1 : short.start()]
        if text[short.start() - 1] != "s" and not re.search(r"[,.;:!?]", inside):
            return short.end()
    if full is not None:
        return full.end()
    late = [m.end() for m in _SINGLE_SHORT.finditer(text, opened + 1, end)]
    return late[-1] if late and late[-1] >= end - 2 else None


def _dashed(text: str, paragraph: Paragraph, _: bool) -> Iterator[Speech]:
    """A paragraph that opens with a dash is speech up to its tag; the rest is left to narration."""
    opening = _DASH.match(text, paragraph.span.start, paragraph.span.end)
    if opening is None:
        return
    end = paragraph.span.end
    for tag in _DASH_TAG.finditer(text, opening.end(), end):
        clause = text[tag.end() : tag.end() + 40].split()[:3]
        if any(word.strip(".,:;").casefold() in words("speech_verbs") for word in clause):
            end = tag.start() + 1
            break
    yield Speech(opening.end(), end, paragraph.index)


def _is_speech(speech: Speech, tokens: Tokens) -> bool:
    """Not a word that is only held up with tongs, nor a title."""
    first, end = tokens.at(speech.start), tokens.at(speech.end)
    inside = [w for w in tokens.words[first:end] if w[0].isalnum()]
    if not inside:
        return False
    if speech.continues or speech.runs_on or len(inside) > _SCARE_WORDS:
        return True
    ends_like_speech = end - 2 >= first and tokens.words[end - 2] in ",.!?—…--;:"
    if ends_like_speech:
        return True
    before = tokens.words[first - 1] if first else ""
    after = tokens.lower[end] if end < len(tokens) else ""
    told = after in words("speech_verbs") or before in (",", ":")
    mid_sentence = bool(before) and before[0].isalnum() and before.lower() not in words("speech_verbs")
    return told or (not mid_sentence and inside[0][0].isupper())
