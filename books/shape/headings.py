"""Which blocks look like headings, and the number each one claims; `chapters` decides what to believe."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from books.shape.numbers import parse_number
from books.source import Block

_KEY = r"^(?P<key>chapter|chap\.|letter|book|part|volume|vol\.|stave)\s+(?:the\s+)?"
_REST = r"(?P<rest>$|[\s.:—–-].*)"
_KEYED = (
    # The longer number first: "Chapter Twenty-one", "Chapter the Twenty First", before "Chapter Twenty".
    re.compile(_KEY + r"(?P<number>[A-Za-z]+[\s-][A-Za-z]+)" + _REST, re.I),
    re.compile(_KEY + r"(?P<number>[^\s.:—–-]+)" + _REST, re.I),
)
_BARE = re.compile(r"^(?P<number>\d{1,3}|[IVXLC]{1,8})(?:\.?|[.:]\s+(?P<rest>\S.*))$")
_NAMED = re.compile(
    r"^(prologue|epilogue|introduction|conclusion|preface|postscript|finale|interlude)\b[.:]?.{0,60}$", re.I
)
_MAX_WORDS = 18
_MAX_LINES = 3
_EMPHASIS = "_*= "


class HeadingKind(StrEnum):
    PART = "part"
    CHAPTER = "chapter"
    LETTER = "letter"
    NUMERAL = "numeral"
    NAMED = "named"


_PARTS = ("book", "part", "volume", "vol.")


@dataclass(frozen=True, slots=True)
class Heading:
    kind: HeadingKind
    number: int | None
    block: int
    """Index of the block it is."""
    title: str


def heading_of(block: Block, index: int) -> Heading | None:
    """What this block claims to be the heading of, if it looks like one."""
    lines = block.lines
    if len(lines) > _MAX_LINES or block.words > _MAX_WORDS:
        return None
    first = lines[0].strip(_EMPHASIS)
    title = " ".join(line.strip(_EMPHASIS) for line in lines)
    keyed = _keyed(first)
    if keyed:
        return Heading(*keyed, index, title)
    bare = _BARE.match(first)
    number = parse_number(bare["number"]) if bare else None
    if bare and number and not _is_sentence(bare["rest"] or ""):
        return Heading(HeadingKind.NUMERAL, number, index, title)
    if _NAMED.match(first) and len(lines) == 1 and not _is_sentence(first):
        return Heading(HeadingKind.NAMED, None, index, title)
    return None


def _keyed(line: str) -> tuple[HeadingKind, int] | None:
    for pattern in _KEYED:
        match = pattern.match(line)
        number = parse_number(match["number"]) if match else None
        if match and number is not None and not _runs_on(match["rest"]):
            return _kind_of(match["key"].lower()), number
    return None


def _kind_of(key: str) -> HeadingKind:
    if key in _PARTS:
        return HeadingKind.PART
    return HeadingKind.LETTER if key == "letter" else HeadingKind.CHAPTER


def _runs_on(rest: str) -> bool:
    """`Chapter 3 was burnt` is a sentence; `Chapter 3 The Fire` and `Chapter 3. The fire` are headings."""
    return rest.strip()[:1].islower()


def _is_sentence(rest: str) -> bool:
    words = rest.split()
    lower = sum(1 for word in words if word[0].islower())
    return rest.endswith((".", "!", "?", ",", ";", "”")) and len(words) > 4 and lower > len(words) / 2


def is_title_line(block: Block) -> bool:
    """A short block under a bare heading that names the chapter rather than begins it."""
    text = block.text.strip(_EMPHASIS)
    words = text.split()
    if len(block.lines) > 2 or not 0 < len(words) <= 14 or text[0] in "“\"'‘—-[(":
        return False
    if text.isupper():
        return True
    small = sum(1 for word in words if word[0].islower())
    return not text.endswith((".", "!", "?", ",", ";", ":", "”", '"')) and small <= len(words) / 2
