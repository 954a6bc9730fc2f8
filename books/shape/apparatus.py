"""What is printed in a book and is no part of it: notes, captions, page numbers, a transcriber's word."""

from __future__ import annotations

from collections.abc import Sequence

from books.source import Block
from books.types import Exclusion


def set_apart(blocks: Sequence[Block]) -> tuple[list[Block], list[Exclusion]]:
    """The blocks that are left, and what was taken: whole blocks, and stretches inside the others."""
    return list(blocks), []
