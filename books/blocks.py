"""Blocks: the stretches of a text between blank lines, before anything is known about what they are."""

from __future__ import annotations

import re
from dataclasses import dataclass

from books.types import Span

_BLOCK = re.compile(r"\S[^\n]*(?:\n[^\S\n]*\S[^\n]*)*")
_LINE = re.compile(r"\S[^\n]*")
_LONG_BLOCK_LINES = 40


@dataclass(frozen=True, slots=True)
class Block:
    span: Span
    text: str

    @property
    def lines(self) -> list[str]:
        return [line.strip() for line in self.text.split("\n")]

    @property
    def words(self) -> int:
        return len(self.text.split())


def blocks_of(text: str, within: Span) -> list[Block]:
    """Blank-line blocks; where the source has none, every line is a block of its own."""
    found = _find(_BLOCK, text, within)
    lines = text.count("\n", within.start, within.end) + 1
    if lines > _LONG_BLOCK_LINES and lines > _LONG_BLOCK_LINES * len(found):
        return _find(_LINE, text, within)
    return found


def _find(pattern: re.Pattern[str], text: str, within: Span) -> list[Block]:
    blocks = []
    for match in pattern.finditer(text, within.start, within.end):
        stripped = match.group().rstrip()
        blocks.append(Block(Span(match.start(), match.start() + len(stripped)), stripped))
    return blocks
