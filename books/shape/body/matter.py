"""The parts before and after the story: title page, contents, preface; appendix, notes, advertisements."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from books.shape.body.matter_titles import CAST, Matter, is_editorial, matter_of
from books.shape.body.pieces import Piece, is_title_page, lists_people, opening_pieces, preliminary_pieces
from books.shape.body.tail import story_end
from books.shape.headings.division import Division
from books.shape.headings.headings import HeadingKind, claim_of
from books.source import Block
from books.types import Exclusion, Part, Span

_MAX_CUT = 0.3
"""A larger share of the text is never cut, whatever its title."""
_TOO_MUCH = "Much of the text looks like front or back matter ({reasons}): it was left in the story."
_HALF_TITLES = 6
_IN_A_PART = re.compile(r"(?:book|part|volume|vol)\b[^,]{1,60}, ", re.I)
"""`VOLUME I, PREFACE`"""
_HALF_TITLE_WORDS = 40


@dataclass(frozen=True, slots=True)
class Trimmed:
    divisions: tuple[Division, ...]
    end: int
    """The block after the story's last."""
    excluded: tuple[Exclusion, ...]
    """Every block before the first division and from `end` on."""
    warnings: tuple[str, ...] = ()


def trim(blocks: Sequence[Block], divisions: Sequence[Division], *, ends: bool = True) -> Trimmed:
    """Remove divisions that are not the story from both ends.

    Those that a reader set stay, and never are all of them removed.
    """
    first = divisions[0].first
    front = preliminary_pieces(blocks, 0, first)
    if not ends:
        return Trimmed(tuple(divisions), len(blocks), tuple(_exclusions(blocks, front, Part.FRONT)))
    allowed = _Allowance(_MAX_CUT * sum(len(b.span) for b in blocks))
    story, back = _without_back(blocks, list(divisions), allowed)
    end = back[0].first if back else len(blocks)
    story, opening = _without_opening(blocks, story, end, allowed)
    story, more = _without_front(blocks, story, end, allowed)
    excluded = [
        *_exclusions(blocks, [*front, *opening, *more], Part.FRONT),
        *_exclusions(blocks, back, Part.BACK),
    ]
    return Trimmed(tuple(story), end, tuple(excluded), allowed.warnings())


class _Allowance:
    """How much may still be cut, and what was kept for that reason."""

    def __init__(self, left: float) -> None:
        self._left = left
        self._refused: list[str] = []

    def grants(self, blocks: Sequence[Block], piece: Piece) -> bool:
        size = sum(len(block.span) for block in blocks[piece.first : piece.after])
        if size > self._left:
            self._refused.append(piece.reason)
            return False
        self._left -= size
        return True

    def warnings(self) -> tuple[str, ...]:
        return (_TOO_MUCH.format(reasons=", ".join(self._refused)),) if self._refused else ()


def _without_back(
    blocks: Sequence[Block], story: list[Division], allowed: _Allowance
) -> tuple[list[Division], list[Piece]]:
    back: list[Piece] = []
    end = len(blocks)
    while len(story) > 1:
        reason = _reason(blocks, story[-1], end, Part.BACK, follows=_is_surely_back(story[-2]))
        piece = Piece(story[-1].first, end, reason or "")
        if not reason or not allowed.grants(blocks, piece):
            break
        back.insert(0, piece)
        end = story.pop().first
    tail = [piece for piece in story_end(blocks, story[-1], end) if piece.after > piece.first]
    whole = Piece(tail[0].first, end, tail[-1].reason) if tail else None
    return story, [*tail, *back] if whole and allowed.grants(blocks, whole) else back


def _without_front(
    blocks: Sequence[Block], story: list[Division], end: int, allowed: _Allowance
) -> tuple[list[Division], list[Piece]]:
    """Remove front matter: it comes first, or after half titles with next to no text."""
    front: list[Piece] = []
    while len(story) > 1:
        stops = [d.first for d in story[1:]] + [end]
        reasons = [_reason(blocks, d, stop, Part.FRONT) for d, stop in zip(story, stops, strict=True)]
        count = next((i for i, reason in enumerate(reasons[:_HALF_TITLES]) if reason), None)
        if count is None or count == len(story) - 1 or not all(map(_is_half_title, story[:count])):
            break
        if sum(block.words for block in blocks[story[0].first : story[count].first]) > _HALF_TITLE_WORDS:
            break
        pieces = [
            Piece(d.first, stop, reason or "title page")
            for d, stop, reason in zip(story, stops, reasons[: count + 1], strict=False)
        ]
        if not allowed.grants(blocks, Piece(pieces[0].first, pieces[-1].after, pieces[-1].reason)):
            break
        front += pieces
        del story[: count + 1]
    return story, front


def _without_opening(
    blocks: Sequence[Block], story: list[Division], end: int, allowed: _Allowance
) -> tuple[list[Division], list[Piece]]:
    """Remove front matter from a first division without a number.

    It may be a title page, begin with one, or hold only a preface.
    """
    opening = story[0]
    alone = len(story) == 1
    if opening.body > opening.first:
        # The heading of a title page is the book's title.
        headed = not (alone or opening.named or _counts(opening, story[1]))
        page = headed and is_title_page(blocks, opening.first, story[1].first)
        pieces = preliminary_pieces(blocks, opening.first, story[1].first) if page else []
        return (story[1:], pieces) if pieces else (story, [])
    pieces = opening_pieces(blocks, opening.first, end if alone else story[1].first, whole=not alone)
    if not pieces or not allowed.grants(blocks, Piece(pieces[0].first, pieces[-1].after, pieces[-1].reason)):
        return story, []
    begins = pieces[-1].after
    if not alone and begins == story[1].first:
        return story[1:], pieces
    return [replace(opening, first=begins, body=begins), *story[1:]], pieces


def _counts(one: Division, two: Division) -> bool:
    """Return whether a heading counts, as `PART I` does: a bare numeral may be a title, but not before II."""
    here, after = claim_of(one.title), claim_of(two.title)
    if here is None or here.number is None:
        return False
    following = after.number if after else None
    return here.kind is not HeadingKind.NUMERAL or following == here.number + 1


def _is_half_title(division: Division) -> bool:
    return not any(character.isdigit() for character in division.title)


def _reason(
    blocks: Sequence[Block], division: Division, end: int, part: Part, *, follows: bool = False
) -> str | None:
    """Return what a title says its part is; one that `follows` back matter needs no other proof."""
    found = _matter(division, part)
    if found is None or not found.doubtful or follows:
        return found.reason if found else None
    body = blocks[division.body : end]
    proven = lists_people(body) if found.reason == CAST else is_editorial(b.text for b in body)
    return found.reason if proven else None


def _is_surely_back(division: Division) -> bool:
    found = _matter(division, Part.BACK)
    return found is not None and not found.doubtful


def _matter(division: Division, part: Part) -> Matter | None:
    return matter_of(_IN_A_PART.sub("", division.title), part)


def _exclusions(blocks: Sequence[Block], pieces: Sequence[Piece], part: Part) -> Iterator[Exclusion]:
    for i, piece in enumerate(pieces):
        if piece.first == piece.after:
            continue
        if i and pieces[i - 1].reason == piece.reason:
            continue
        last = i
        while last + 1 < len(pieces) and pieces[last + 1].reason == piece.reason:
            last += 1
        span = Span(blocks[piece.first].span.start, blocks[pieces[last].after - 1].span.end)
        yield Exclusion(span, part, piece.reason)
