"""Quotation marks: the style of each, and whether the text beside it lets it open or close speech."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from coref.language.word_lists import words


class SpeechStyle(StrEnum):
    """The kinds of marks that set speech apart."""

    DOUBLE = "double"
    SINGLE = "single"
    GUILLEMETS = "guillemets"
    CORNERS = "corners"
    DASH = "dash"


STYLE_OF = {
    **dict.fromkeys('“”„‟"〝〞', SpeechStyle.DOUBLE),
    **dict.fromkeys("‘’‚‛'`", SpeechStyle.SINGLE),
    **dict.fromkeys("«»‹›", SpeechStyle.GUILLEMETS),
    **dict.fromkeys("「」『』", SpeechStyle.CORNERS),
}
_MARK = re.compile(f"``|''|[{''.join(STYLE_OF)}]")
_WORD = re.compile(r"[^\W_][\w]*")
_BEFORE_OPENING = frozenset("—–―-([{_*…:,;.!?/") | frozenset("“”„\"«»‹›‘’'")
_AFTER_CLOSING = frozenset("—–―-.,;:!?)]}…_*") | frozenset("“”\"«»‹›‘’'")
_ENDS_SPEECH = frozenset(".,!?;:…—–―_*)-") | frozenset('”“"»«’‘')
_SINGLE_OPENERS = frozenset("‘‚‛'`")
_SINGLE_CLOSERS = frozenset("’'‘")


@dataclass(frozen=True, slots=True)
class QuoteMark:
    at: int
    char: str
    style: SpeechStyle
    opens: bool
    """Whether its shape and the text beside it allow it to open speech."""
    closes: bool
    ends_word: bool = False
    """A single mark after a plain word, which may close speech or be the apostrophe of `dogs’`."""
    elides: bool = False
    """A single mark before a word that has often lost its beginning: `'tis`."""
    after_word: bool = False
    """Whether a plain word stands before it."""

    @property
    def end(self) -> int:
        return self.at + len(self.char)


def marks_in(text: str, start: int, end: int) -> list[QuoteMark]:
    """Return all marks of a paragraph that may open or close speech.

    Apostrophes inside words are excluded.
    """
    found = []
    typed = text.find("``", start, end) >= 0
    for match in _MARK.finditer(text, start, end):
        if len(match.group()) == 2 and typed:
            opens = match.group() == "``"
            found.append(QuoteMark(match.start(), match.group(), SpeechStyle.DOUBLE, opens, not opens))
            continue
        for at in range(match.start(), match.end()):
            mark = _mark(text, at, start, end)
            if mark.opens or mark.closes or mark.ends_word:
                found.append(mark)
    return found


def _mark(text: str, at: int, start: int, end: int) -> QuoteMark:
    char = text[at]
    before = text[at - 1] if at > start else " "
    after = text[at + 1] if at + 1 < end else " "
    style = STYLE_OF[char]
    if style is SpeechStyle.SINGLE:
        return _single(text, at, before, after, end)
    if style is SpeechStyle.CORNERS:
        return QuoteMark(at, char, style, opens=char in "「『", closes=char in "」』")
    if style is SpeechStyle.GUILLEMETS:
        return QuoteMark(at, char, style, opens=True, closes=True)
    return _double(at, char, before, after)


def _double(at: int, char: str, before: str, after: str) -> QuoteMark:
    """Read a double mark: a straight one by the spaces around it, a curly one by its shape.

    Where the spaces do not tell, a straight mark may both open and close.
    """
    free_before = before.isspace() or before in "—–―-([{"
    free_after = after.isspace() or after in "—–―-.,;:!?)]}"
    if char in "„‟〝":
        return QuoteMark(at, char, SpeechStyle.DOUBLE, opens=True, closes=False)
    if char == "“":
        return QuoteMark(at, char, SpeechStyle.DOUBLE, opens=True, closes=not free_before and free_after)
    if char in "”〞":
        return QuoteMark(at, char, SpeechStyle.DOUBLE, opens=free_before and not free_after, closes=True)
    told = free_before != free_after
    return QuoteMark(
        at, char, SpeechStyle.DOUBLE, opens=free_before or not told, closes=free_after or not told
    )


def _single(text: str, at: int, before: str, after: str, end: int) -> QuoteMark:
    char = text[at]
    free_before = before.isspace() or before in _BEFORE_OPENING
    word_after = after.isalnum() or after in '_—…“"«¡¿' or (after in "'’" and text[at + 2 : at + 3].isalnum())
    free_after = not (after.isalnum() or after == "_") or (after == "_" and before in _ENDS_SPEECH)
    return QuoteMark(
        at,
        char,
        SpeechStyle.SINGLE,
        opens=char in _SINGLE_OPENERS and free_before and word_after,
        closes=char in _SINGLE_CLOSERS and before in _ENDS_SPEECH and free_after,
        ends_word=char in _SINGLE_CLOSERS
        and before.isalnum()
        and (after.isspace() or after in _AFTER_CLOSING),
        elides=_elides(text, at, end),
        after_word=before.isspace() and at > 1 and text[at - 2].isalnum(),
    )


def _elides(text: str, at: int, end: int) -> bool:
    """Recognise `’tis`, `'em` and `'90s`, where the mark stands for letters."""
    word = _WORD.match(text, at + 1, min(end, at + 16))
    if word is None:
        return False
    return word.group().casefold() in words("elided") or (
        word.group()[:2].isdigit() and len(word.group()) <= 3
    )
