"""Plays: acts and scenes are the chapters, labels say who speaks, directions are not spoken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from books.shape.division import Division
from books.source import Block
from books.types import ParagraphKind, Play


@dataclass(frozen=True, slots=True)
class Script:
    """A text that turned out to be a play."""

    blocks: tuple[Block, ...]
    """Parted anew, so that no block holds two speeches."""
    divisions: tuple[Division, ...]
    kinds: Mapping[int, ParagraphKind]
    """By block; headings need none."""
    play: Play


def find_script(blocks: Sequence[Block]) -> Script | None:
    """None for anything that is not surely a play."""
    return None
