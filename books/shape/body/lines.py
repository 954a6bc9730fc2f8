"""The lines of a stretch of text, with what each shows about the beginning and end of a paragraph."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_LINE = re.compile(r"[^\S\n]*(?P<said>\S[^\n\f]*)")
_TAB = 4
_CHINESE = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")
_ENDS = re.compile(r"[.!?:。！？：…][\"”’'»)\]」』_*]{0,4}$|[\"”’'»」』]_?$|(?:—|--)$")
_OPENS = re.compile(r"[\"“‘'«「『—_*(\[\d]*(?:[^\W\d_]|$)|[\"“‘'«「『—-]|\d")
_QUOTE_OPENS = re.compile(r"[_(]?[\"“‘'«「『]")
_QUOTE_ENDS = re.compile(r"[\"”’'»」』][_)]?$")
_ORNAMENT = re.compile(r"[^\w\n\"“”‘’'«»「」『』?？!！]+")
"""No letter, no digit, and nothing that anyone could say: `* * *`, `-----`, `⁂`."""


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    start: int
    indent: int
    full_width: bool = False
    """Whether it is indented by a full-width space, as the first line of a Chinese paragraph is."""

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def ends_sentence(self) -> bool:
        return bool(_ENDS.search(self.text[-8:]))

    @property
    def opens_sentence(self) -> bool:
        match = _OPENS.match(self.text)
        return match is not None and not match[0][-1:].islower()

    @property
    def opens_quote(self) -> bool:
        return bool(_QUOTE_OPENS.match(self.text))

    @property
    def ends_quote(self) -> bool:
        return bool(_QUOTE_ENDS.search(self.text[-3:]))

    @property
    def is_ornament(self) -> bool:
        # The sides of a box belong to its content.
        return len(self.text) < 100 and self.text[0] not in "+|" and bool(_ORNAMENT.fullmatch(self.text))


def is_ornament(text: str) -> bool:
    return bool(_ORNAMENT.fullmatch(text))


def lines_of(text: str, start: int, end: int) -> Iterator[Line]:
    """Yield the lines that are not blank; the first may begin inside its line, and has that line's indent."""
    begin = (
        max(text.rfind("\n", max(0, start - 200), start), text.rfind("\f", max(0, start - 200), start)) + 1
    )
    for match in _LINE.finditer(text, begin if not text[begin:start].strip() else start, end):
        first = match.start("said")
        white = text[match.start() : first]
        indent = len(white) + (_TAB - 1) * white.count("\t") + white.count("\u3000") if white else 0
        yield Line(match["said"].rstrip(), first, indent, "\u3000" in white)


def stops_short(line: Line, following: Line, width: int, *, slack: int = 1) -> bool:
    """Return whether the next line's first word had room on this line: then the line end is the author's."""
    return room_needed(line, following) + slack <= width


def room_needed(line: Line, following: Line) -> int:
    """Return the width of this line together with the next line's first word."""
    if _CHINESE.match(following.text):
        return len(line.text) + 2
    return line.indent + len(line.text) + 1 + len(following.text.split(None, 1)[0])
