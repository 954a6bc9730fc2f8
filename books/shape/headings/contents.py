"""Find a table of contents in the text: where it begins and ends, and what it lists."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from books.shape.headings.headings import HeadingKind, claim_of
from books.source import Block, Role

_FRONT_SHARE = 0.15
"""A table of contents begins in this first share of the text …"""
_MOST = 0.2
"""… and is no longer than this share."""
_LEAST_SEARCHED = 20_000
_MAX_ENTRY = 80
_MAX_WORD = 30
_PROSE = 600
_FULL_LINE = 50
_PAGE = re.compile(r"[\s.·…_]*(?:\b\d{1,4}|\s[ivxlc]{1,7})\s*$")
_HEADING = re.compile(r"(?:table of )?contents[.:]?$|目\s*录$|目\s*錄$", re.I)
_COLUMNS = re.compile(r"(?:(?:chapters?|chap|pages?|no|part|title) ?)+")
"""The heads of a list's columns."""
_APART = re.compile(r"\W+")
_MOST_ENTRIES = 500
_MOST_LISTED = 5_000


def folded(line: str) -> str:
    """Normalise a title, to compare it with how it is printed elsewhere."""
    return _APART.sub(" ", line).strip().casefold()


def contents_at(blocks: Sequence[Block]) -> range | None:
    """Return the blocks of the contents, from the word itself up to where the first entry recurs."""
    if not blocks:
        return None
    begin, end = blocks[0].span.start, blocks[-1].span.end
    for index, block in enumerate(blocks):
        if block.span.start - begin > _FRONT_SHARE * (end - begin):
            return None
        said = block.within[block.span.start : block.span.start + _MAX_WORD].casefold()
        if ("contents" in said or "目" in said) and _is_heading(_first_line(block)):
            room = max(_LEAST_SEARCHED, _MOST * (end - begin))
            stop = _again(blocks, index, block.span.end + room)
            return range(index, stop) if stop else None
    return None


def _first_line(block: Block) -> str:
    return block.within[block.span.start : min(block.span.end, block.span.start + _MAX_ENTRY)].split("\n", 1)[
        0
    ]


def _is_heading(line: str) -> bool:
    return _HEADING.match(line.strip(" \t\u3000_*=#")) is not None


def _again(blocks: Sequence[Block], heading: int, limit: float) -> int | None:
    """Return the block that opens the text by repeating an entry, or the first paragraphs after the list."""
    seen: set[object] = set()
    for line in blocks[heading].lines[1:]:
        seen |= _keys(line)
    prose = 0
    for index in range(heading + 1, len(blocks)):
        block = blocks[index]
        keys = _keys(_first_line(block))
        if seen & keys and _opens(blocks, index):
            return _back(blocks, index, heading)
        prose = 0 if _numbered(keys) or not _is_full(block) else prose + len(block.span)
        if prose > _PROSE:
            return _back(blocks, index, heading)
        if block.span.start > limit:
            break
        if len(seen) < _MOST_ENTRIES:
            for line in block.text[:_MOST_LISTED].split("\n"):
                seen |= _keys(line)
    return None


def _back(blocks: Sequence[Block], index: int, heading: int) -> int:
    """Move back over paragraphs that precede it, such as a preface's, and their headings."""
    while index - 1 > heading and _is_full(blocks[index - 1]):
        index -= 1
    above = index
    while _is_full(blocks[above]) and index - 1 > heading and above - index < 2 and _heads(blocks[index - 1]):
        index -= 1
    return index


def _heads(block: Block) -> bool:
    """Return whether a line may stand above text; an entry of a list often ends in its page."""
    line = block.text
    if block.role is Role.HEADING:
        return True
    if len(line) > _MAX_ENTRY or "\n" in line:
        return False
    claim = claim_of(line)
    return (claim is not None and not claim.rest) or not _PAGE.search(line)


def _is_full(block: Block) -> bool:
    """Return whether the lines are prose rather than a list."""
    return len(block.span) > _FULL_LINE * (block.text.count("\n") + 1)


def _opens(blocks: Sequence[Block], index: int) -> bool:
    """Return whether prose follows soon."""
    return any(_is_full(block) and len(block.span) > _PROSE / 3 for block in blocks[index + 1 : index + 6])


def _keys(line: str) -> frozenset[object]:
    """Return the keys of a line: `CHAPTER I. The Tide . . 3` and a bare `I.` share one; else its words."""
    bare = _PAGE.sub("", line)
    claim = claim_of(bare) or claim_of(line)
    if claim is None or claim.number is None:
        said = folded(bare)
        return frozenset() if not said or _COLUMNS.fullmatch(said) else frozenset((said,))
    if claim.kind is HeadingKind.NUMERAL:
        return frozenset((("", claim.number), ("chapter", claim.number)))
    return frozenset(((claim.series, claim.number),))


def _numbered(keys: frozenset[object]) -> bool:
    return any(isinstance(key, tuple) for key in keys)


def entries_set_apart(blocks: Sequence[Block]) -> list[str]:
    """Return what excluded contents list, found between blocks in the first part of the text."""
    if not blocks:
        return []
    text, reached = blocks[0].within, 0
    front = blocks[0].span.start + _FRONT_SHARE * (blocks[-1].span.end - blocks[0].span.start)
    for block in blocks:
        if reached > front:
            break
        lines = text[reached : block.span.start].split("\n")
        if any(map(_is_heading, lines)):
            return list(entries(lines))
        reached = block.span.end
    return []


def entries(lines: Sequence[str]) -> Iterator[str]:
    """Yield folded entries without page numbers and without `I.` or `Chapter 1.` before a title."""
    for line in lines:
        bare = _PAGE.sub("", line).strip()
        claim = claim_of(bare)
        entry = folded(claim.rest if claim and claim.rest else bare)
        if 0 < len(entry) <= _MAX_ENTRY and not _is_heading(line):
            yield entry
