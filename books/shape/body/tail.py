"""Find where the story ends inside its last division: at THE END, or at a heading that no chapter has."""

from __future__ import annotations

import re
from collections.abc import Sequence

from books.shape.body.matter_titles import advertises, heads, is_editorial
from books.shape.body.pieces import Piece
from books.shape.headings.division import Division
from books.source import Block
from books.types import Part

_END = re.compile(
    r"[\W_]*(?:the\s+end|finis|fin|end|the\s+end\s+of\s+the\s+(?:book|story|novel|tale))[\W_]*"
    r"|\[(?:the\s+)?end\s+of\b[^\]\n]{1,100}\]|[\W_]*(?:全书完|全書完|全文完|完|终|終|剧终)[\W_]*",
    re.I,
)
_END_AT_MOST = 110
_LATE = 0.85
"""An end before the last 15% is that of a volume or a chapter."""
_HEADED_LATE = 0.6
_STORY_WORDS = 150
_QUOTE = re.compile(r"[“\"‘'「]\w")


def story_end(blocks: Sequence[Block], last: Division, end: int) -> list[Piece]:
    """Return the pieces of the last division that come after the story, in order; empty if there are none."""
    start, size = blocks[0].span.start, blocks[-1].span.end - blocks[0].span.start
    for at in range(last.body + 1, end):
        block = blocks[at]
        place = (block.span.start - start) / max(1, size)
        if place >= _HEADED_LATE and (found := heads(block, Part.BACK)):
            texts = [b.text for b in blocks[at + 1 : end]]
            if texts and (not found.doubtful or is_editorial(texts)):
                return [Piece(at, end, found.reason)]
        if place >= _LATE and len(block.span) <= _END_AT_MOST and _END.fullmatch(block.text):
            return _after_the_end(blocks, at, end)
    return []


def _after_the_end(blocks: Sequence[Block], at: int, end: int) -> list[Piece]:
    mark = Piece(at, at + 1, "end mark")
    following = [block.text for block in blocks[at + 1 : end]]
    if not following:
        return [mark]
    headed = heads(blocks[at + 1], Part.BACK)
    if headed:
        return [mark, Piece(at + 1, end, headed.reason)]
    if advertises(following):
        return [mark, Piece(at + 1, end, "advertisements")]
    words = sum(len(text.split()) for text in following)
    quoted = sum(bool(_QUOTE.match(text)) for text in following)
    if words > _STORY_WORDS and (quoted >= 2 or not is_editorial(following)):
        return []
    return [mark, Piece(at + 1, end, "back matter")]
