"""Tell prose from verse: whether the line ends of a block are the author's and are part of the sound."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from books.shape.body.lines import Line, lines_of, stops_short
from books.source import Block, Role
from books.types import ParagraphKind

_VERSE_LINE = 75
_LONGEST_POEM = 20_000
_CAPITALS = 0.8
_RAGGED = 0.5
_STANDS_IN = 4
_MANY = 5
_NARROW = 60
_NARROWEST = 40
_TURN = re.compile(r"[.!?,][\"”’']*\s+[\"“‘][^\W\d_]|[.!?][\"”’']*\s+[^\W\d_a-z]|[,.!?][\"”’] ")
_TURNED = 3
"""If one line in three contains the end of a sentence inside it, the block is wrapped prose."""
_PAUSES = (",", ";", ":", ".", "!", "?", "—", "-", "”", "’", '"', "'")
_PAUSED = 0.7
_WORDS = (2.5, 13.0)
"""Average words per line: an address has fewer, a paragraph's line has more."""
_NAMES = 0.6
"""If a larger share of words begins with capitals, they are names, signs or a list."""
_CHINESE_LINE = 20
_CHINESE = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef—…“”‘’]+")
_CAPITAL = re.compile(r"[\"“‘'«(_*\[\s…—.-]*[^\W\d_]")


def kind_of(block: Block) -> ParagraphKind:
    """Return the kind of a block. Verse has short lines that begin like verse and do not fill one width.

    Markup takes precedence where it is given.
    """
    if block.role is Role.VERSE:
        return ParagraphKind.VERSE
    span = block.span
    # One look identifies most prose: a first line that is too long, a second that continues its sentence.
    first = block.within.find("\n", span.start, min(span.end, span.start + _VERSE_LINE + 1))
    if first < 0 or len(span) > _LONGEST_POEM or block.within[first + 1].islower():
        return ParagraphKind.PROSE
    lines = list(lines_of(block.within, span.start, span.end))
    return ParagraphKind.VERSE if _is_verse(lines) else ParagraphKind.PROSE


def _is_verse(lines: Sequence[Line]) -> bool:
    if len(lines) < 2 or max(len(line.text) for line in lines) > _VERSE_LINE:
        return False
    if _CHINESE.fullmatch(lines[0].text):
        widths = {len(line.text) for line in lines}
        return len(widths) == 1 and widths.pop() <= _CHINESE_LINE
    stands_in = min(line.indent for line in lines) >= _STANDS_IN
    if len(lines) == 2 and not stands_in:
        return False
    if sum(_begins_large(line) for line in lines) < _CAPITALS * len(lines):
        return stands_in and len(lines) > 2 and _is_ragged(lines)
    return (stands_in or _ends_like_verse(lines)) and not _is_list(lines) and not _is_dialogue(lines)


def _ends_like_verse(lines: Sequence[Line]) -> bool:
    """Return whether the line ends suit verse.

    Three wrapped lines may begin with capitals by chance; not five, nor three that all end in a pause.
    """
    pauses = sum(line.text.endswith(_PAUSES) for line in lines)
    if _TURNED * sum(bool(_TURN.search(line.text)) for line in lines) >= len(lines):
        return False
    width = max(len(line.text) for line in lines)
    if width <= _NARROWEST or (width <= _NARROW and len(lines) >= _MANY):
        return True
    return _is_ragged(lines) or pauses >= _PAUSED * len(lines)


def _begins_large(line: Line) -> bool:
    match = _CAPITAL.match(line.text)
    return match is not None and match[0][-1].isupper()


def _is_ragged(lines: Sequence[Line]) -> bool:
    """Return whether most lines had room for more: wrapped text never looks like that."""
    width = max(line.indent + len(line.text) for line in lines)
    ragged = sum(stops_short(a, b, width, slack=1) for a, b in pairwise(lines))
    return ragged > _RAGGED * (len(lines) - 1)


def _is_list(lines: Sequence[Line]) -> bool:
    """Return whether the lines are addresses, signs, signatures or entries.

    They have few words per line, or names throughout.
    """
    words = [word for line in lines for word in line.text.split()]
    large = sum(word.lstrip("\"“‘'(_")[:1].isupper() or word[0].isdigit() for word in words)
    fewest, most = _WORDS
    return not fewest <= len(words) / len(lines) <= most or large > _NAMES * len(words)


def _is_dialogue(lines: Sequence[Line]) -> bool:
    return 2 * sum(line.opens_quote and line.ends_quote for line in lines) > len(lines)
