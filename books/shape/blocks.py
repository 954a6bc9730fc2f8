"""Blocks: the stretches of a text between blank lines, before anything is known about what they are."""

from __future__ import annotations

import re

from books.source import Block
from books.types import Span

_BLOCK = re.compile(r"\S[^\n]*(?:\n[^\S\n]*\S[^\n]*)*")
_LINE = re.compile(r"\S[^\n]*")
_LONG_BLOCK_LINES = 40
_FEW_BLANK_LINES = 25
"""A source with more lines than this to a block does not part its paragraphs by blank lines."""
_WRAPPED_AT = 100
_MOST = 0.6
_STOPS_SHORT = 0.85
_ENDS = (".", "!", "?", "”", '"', "’", "'", ":", "—", "--")


def blocks_of(text: str, within: Span) -> list[Block]:
    """Blank-line blocks; where the source hardly has any blank lines, each is parted further by its lines."""
    blocks = _find(_BLOCK, text, within)
    lines = text.count("\n", within.start, within.end) + 1
    if lines > _LONG_BLOCK_LINES and lines > _FEW_BLANK_LINES * len(blocks):
        return [part for block in blocks for part in _parted(block, text)]
    return blocks


def _parted(block: Block, text: str) -> list[Block]:
    """Line by line where lines were not wrapped, or mostly end a sentence; else up to each short line."""
    lines = _find(_LINE, text, block.span)
    widths = sorted(len(line.span) for line in lines)
    typical = widths[int(0.9 * (len(widths) - 1))]
    ending = sum(line.text.endswith(_ENDS) for line in lines)
    if typical > _WRAPPED_AT or ending > _MOST * len(lines):
        return lines
    parts: list[Block] = []
    start: int | None = None
    for line in lines:
        start = line.span.start if start is None else start
        if len(line.span) < _STOPS_SHORT * typical and line.text.endswith(_ENDS):
            parts.append(_block(text, start, line.span.end))
            start = None
    return parts if start is None else [*parts, _block(text, start, block.span.end)]


def _block(text: str, start: int, end: int) -> Block:
    return Block(text, Span(start, end))


def _find(pattern: re.Pattern[str], text: str, within: Span) -> list[Block]:
    blocks = []
    for match in pattern.finditer(text, within.start, within.end):
        stripped = match.group().rstrip()
        blocks.append(_block(text, match.start(), match.start() + len(stripped)))
    return blocks
