"""Find footnotes and their marks; a note without its mark, or a mark alone, may be the story."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from books.shape.frame.brackets import behind_brackets
from books.source import Block
from books.types import Exclusion, Part, Span

_LABEL = r"(?:\d{1,4}|[A-Za-z]|\*{1,4}|[†‡§]{1,2})"
_NUMBERED = r"(?:end|foot)?note\s++\d{1,4}"
_MARKS = behind_brackets(rf"(?P<label>{_LABEL}|{_NUMBERED})[\]}}]")
_NUMBERED_MARKS = behind_brackets(rf"(?P<label>{_NUMBERED})[\]}}]")
"""Marks that are recognised without their notes."""
_STAR = re.compile(r"(?P<label>\*{1,3}|[†‡§]{1,2})\s?(?=[^\W_]|[\"“‘'])")
_STAR_MARK = re.compile(r"(?<=[^\s*†‡§])(?:\*{1,3}|[†‡§]{1,2})(?![\w*†‡§])")
_STARRED = re.compile(r"[\[(]\*{1,3}\s?\S[^\[\]()]*(?:[\[(][^\[\]()]*[\])][^\[\]()]*)*[\])][.\"]?")
_LONGEST_LABEL = 4
"""A longer label is `note 12`."""
_NEAR = 6
"""The number of blocks before an asterisk's note in which its mark must be."""
_LONGEST = 3000
_WIDEST_MARK = 20


def footnotes(blocks: Sequence[Block]) -> Iterator[Exclusion]:
    notes = [(block, match["label"]) for block in blocks if (match := _opens(block))]
    marks = _marks(blocks, notes)
    known = {label for label, _ in marks}
    for block, label in notes:
        if label in known:
            yield Exclusion(block.span, Part.APPARATUS, "footnote")
    for _, span in marks:
        yield Exclusion(span, Part.APPARATUS, "mark of a footnote")
    yield from _starred(blocks)


def _opens(block: Block) -> re.Match[str] | None:
    """Match the label of a block that begins `[1] Text` or `[*] Text`; a number alone is a heading."""
    if block.within[block.span.start] != "[" or len(block.span) > _LONGEST:
        return None
    match = _MARKS[0].match(block.within, block.span.start, block.span.end)
    return match if match and match.end() < block.span.end else None


def _marks(blocks: Sequence[Block], notes: Sequence[tuple[Block, str]]) -> list[tuple[str, Span]]:
    """Return the marks in the text and those that open later notes in a block, with their labels.

    A mark counts if one of these notes has its label, or if it calls itself the mark of a note.
    """
    text, first, end = blocks[0].within, blocks[0].span.start, blocks[-1].span.end
    starts = {block.span.start for block, _ in notes}
    labels = {label for _, label in notes}
    found = [
        (label, Span(*match.span()))
        for pattern in (_MARKS if notes else _NUMBERED_MARKS)
        for match in pattern.finditer(text, first, end)
        if ((label := match["label"]) in labels or len(label) > _LONGEST_LABEL)
        and match.start() not in starts
    ]
    alone = {block.span for block in blocks if len(block.span) <= _WIDEST_MARK} if found else set()
    return [(label, span) for label, span in found if span not in alone]


def _starred(blocks: Sequence[Block]) -> Iterator[Exclusion]:
    """Yield `* Text` under a paragraph that has the asterisk, and notes in brackets that begin with one."""
    text = blocks[0].within
    for at, block in enumerate(blocks):
        begins = text[block.span.start]
        if begins in "[(" and text.startswith("*", block.span.start + 1):
            if len(block.span) <= _LONGEST and _STARRED.fullmatch(block.text):
                yield Exclusion(block.span, Part.APPARATUS, "footnote")
        elif begins in "*†‡§" and (match := _STAR.match(block.text)):
            mark = _mark_before(blocks, at, match["label"])
            if mark and match["label"] not in block.text[match.end() :]:
                yield Exclusion(mark, Part.APPARATUS, "mark of a footnote")
                yield Exclusion(block.span, Part.APPARATUS, "footnote")


def _mark_before(blocks: Sequence[Block], at: int, label: str) -> Span | None:
    """Return the only asterisk in a block shortly before; two in one block are emphasis."""
    for block in reversed(blocks[max(0, at - _NEAR) : at]):
        marks = [
            m for m in _STAR_MARK.finditer(block.within, block.span.start, block.span.end) if m[0] == label
        ]
        if len(marks) == 1 and block.text.count(label[0]) == len(label):
            return Span(*marks[0].span())
    return None
