"""The pieces of front matter before the first chapter: title page, dedication, contents, preface."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from books import lists
from books.shape.body.kinds import kind_of
from books.shape.body.matter_titles import heads
from books.shape.body.title_page import title_page
from books.source import Block
from books.types import ParagraphKind, Part

_TITLE_PAGE = "title page"
_REST = "front matter"
_TITLE_BLOCKS = 10
_TITLE_WORDS = 30
_PAGE_WORDS = 300
_DEDICATION_WORDS = 60
_ENTRY_WORDS = 30
_ALONE = ("title page", "copyright", "epigraph", "imprint", "advertisements")
"""Pieces that consist only of the block that names them."""
_COPYRIGHT = re.compile(
    r"copyright\b|©|\ball rights reserved\b|\bprinted in\b|\bfirst published\b|\bisbn\b|版权所有", re.I
)
_DEDICATION = re.compile(
    r"_?(?:to|for|this book is for|this book is dedicated|dedicated to|inscribed to|献给)\b", re.I
)
_AFTER_NAME = re.compile(r"[,;:(—–]|--|\s-\s|\.\.|\.$")
_LISTED = 0.4
"""A smaller share of lines that begin with a name is prose; entries may be wrapped."""
_SOURCE = re.compile(r"(?:^|\n)[^\S\n]*(?:—|--|–)\s*_?[^\W\d_a-z]")


@dataclass(frozen=True, slots=True)
class Piece:
    first: int
    after: int
    reason: str


def preliminary_pieces(blocks: Sequence[Block], first: int, end: int) -> list[Piece]:
    """Split all of these blocks into pieces by kind; a heading applies until the next."""
    pieces: list[Piece] = []
    section = _TITLE_PAGE
    for at in range(first, end):
        found = heads(blocks[at], Part.FRONT)
        if found:
            section = found.reason if found.reason not in _ALONE else _TITLE_PAGE
        elif section in (_TITLE_PAGE, "contents") and not _fits(blocks[at], section, at - first):
            section = _REST
        sourced = at + 1 < end and bool(_SOURCE.match(blocks[at + 1].text))
        reason = found.reason if found else _by_itself(blocks[at], section, sourced=sourced)
        _add(pieces, at, reason)
    return pieces


def opening_pieces(blocks: Sequence[Block], first: int, end: int, *, whole: bool) -> list[Piece]:
    """Return the pieces at the beginning of a stretch that may be the story.

    If `whole`, a chapter's heading ends them. Only a page with an author's name is a title page here, and
    only the word in a heading makes a preface.
    """
    headed = [at for at in range(first, min(end, first + 200)) if heads(blocks[at], Part.FRONT)]
    page = title_page(blocks[first : min(end, first + _TITLE_BLOCKS)])[1]
    if not headed and not page:
        return []
    pieces = preliminary_pieces(blocks, first, end if whole and headed else min(end, first + 200))
    begins = next((i for i, p in enumerate(pieces) if p.reason == _REST), len(pieces))
    prefaces = [i for i, p in enumerate(pieces) if p.reason not in _ON_A_PAGE]
    if prefaces and not (whole and begins == len(pieces)):
        begins = min(begins, prefaces[0])
    kept = pieces[:begins]
    return kept if whole or (kept and kept[-1].after < end) else []


def is_title_page(blocks: Sequence[Block], first: int, end: int) -> bool:
    """Return whether there are few words, with an author's name among them."""
    words = sum(block.words for block in blocks[first:end])
    return words <= _PAGE_WORDS and title_page(blocks[first : min(end, first + _TITLE_BLOCKS)])[1] is not None


def lists_people(blocks: Sequence[Block]) -> bool:
    """Return whether the blocks under a heading such as `Cast` are a list of people and not prose."""
    lines = [line for block in blocks for line in block.lines]
    named = sum(_is_name(_AFTER_NAME.split(line.lstrip("-•*_ "), maxsplit=1)[0]) for line in lines)
    return named >= _LISTED * len(lines) > 0


def _is_name(text: str) -> bool:
    words, small = text.split(), lists.lines("books", "data/small_words.txt")
    return text[:1].isupper() and all(word[0].isupper() or word in small for word in words)


_ON_A_PAGE = (_TITLE_PAGE, "contents", "copyright", "dedication", "epigraph", "illustrations", "imprint")


def _fits(block: Block, section: str, place: int) -> bool:
    """Return whether a block fits: a title page has few short blocks; contents have short lines."""
    if section == "contents":
        return block.words <= _ENTRY_WORDS or block.text.count("\n") * 12 >= block.words - 12
    return place < _TITLE_BLOCKS and block.words <= _TITLE_WORDS and not _is_prose(block)


def _is_prose(block: Block) -> bool:
    text = block.text
    small = sum(word[0].islower() for word in text.split())
    return text.endswith((".", "!", "?", "”", '"')) and small > 0.6 * block.words and block.words > 6


def _by_itself(block: Block, section: str, *, sourced: bool) -> str:
    if section not in (_TITLE_PAGE, _REST):
        return section
    words = block.words
    if words <= 2 * _DEDICATION_WORDS and _COPYRIGHT.search(block.text):
        return "copyright"
    if words <= _DEDICATION_WORDS and _DEDICATION.match(block.text) and not _is_prose(block):
        return "dedication"
    quoted = sourced or _SOURCE.search(block.text) or kind_of(block) is ParagraphKind.VERSE
    if words <= 2 * _DEDICATION_WORDS and quoted:
        return "epigraph"
    return section


def _add(pieces: list[Piece], at: int, reason: str) -> None:
    if pieces and pieces[-1].reason == reason:
        pieces[-1] = Piece(pieces[-1].first, at + 1, reason)
    else:
        pieces.append(Piece(at, at + 1, reason))
