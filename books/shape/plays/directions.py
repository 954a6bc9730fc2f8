"""Stage directions: whole blocks that nobody speaks, and stretches inside speeches."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from books import lists
from books.types import Span

_OPENING = re.compile(r"[\s_*\[(]*(?P<word>[^\W\d_]+(?:-[^\W\d_]+)?)(?:\s+(?P<second>[^\W\d_]+))?")
_SETTING = re.compile(r"[_*\[(\s]*(?:SCENE|Scene|TIME|Time|PLACE|Place)[_*]{0,2}\s*(?:[:.—–]|--|\n|$)")
_SQUARE = re.compile(r"_?\[(?P<said>[^\]]{1,1500}?)(?:\]_?\.?|(?=\n\s*\n)|\Z)")
_ROUND = re.compile(r"_?\([^()]{1,600}\)_?")
_ROUND_AND_SLANTED = re.compile(r"_\([^()_]{1,600}\)_|\(_[^()_]{1,600}_\.?\)")
_SLANTED = re.compile(r"_(?P<said>[^_\n]{2,80}(?:\n[^_\n]{1,80})?)_")
_WHOLE = re.compile(r"_?(?:\[[^\]]*\]?|\([^()]*\)|\{[^}]*\})[_.\s]*\Z")
_ALL_SLANTED = re.compile(r"_[^_]+_[\s.]*\Z")
_LINE = re.compile(
    r"\n[^\S\n]*(?P<said>_?\[[^\]\n]{1,200}(?:\]_?\.?|(?=\n))|[_(]{0,2}(?:Enter|Exit|Exeunt|Re-enter)\b[^\n]{0,200})"
    r"[^\S\n]*(?=\n|\Z)"
)
_SHORT = 8
_LONGEST = 3000
_SLANTED_BLOCK = 300


@cache
def _openers() -> dict[str, bool]:
    """Return the openers of directions, and whether the direction must be short."""
    rows = [line.split() for line in lists.lines("books", "data/stage_words.txt")]
    return {word.replace("_", " "): how == "short" for word, how in rows}


def opens_as_direction(said: str) -> bool:
    """Match `Enter GHOST.`, `The curtain falls.`, `Thunder and lightning.`"""
    match = _OPENING.match(said[:80])
    if not match:
        return False
    word, second = match["word"].casefold(), (match["second"] or "").casefold()
    short = _openers().get(f"{word} {second}", _openers().get(word))
    if short is None:
        return False
    return len(said) <= _LONGEST and (not short or len(said[:200].split()) <= _SHORT)


def is_setting(said: str) -> bool:
    """Match `SCENE.—A room`, `Time: The present`."""
    return bool(_SETTING.match(said[:80]))


def is_direction(said: str, *, after_label: bool) -> bool:
    """Judge a whole block without a label; directly after a label, italics may be a song."""
    if _WHOLE.match(said):
        return True
    opens = opens_as_direction(said)
    if _ALL_SLANTED.match(said):
        return opens or (not after_label and len(said) <= _SLANTED_BLOCK)
    return opens or is_setting(said)


def lines_within(text: str, span: Span) -> Iterator[Span]:
    """Yield lines inside a block that are entirely directions."""
    for match in _LINE.finditer(text, span.start, span.end):
        yield Span(match.start("said"), match.end("said"))


def inline(text: str, span: Span, *, rounded: bool) -> Iterator[Span]:
    """Yield bracketed or italic directions inside a speech; `rounded` if this play uses round brackets."""
    found = [Span(*match.span()) for match in _SQUARE.finditer(text, span.start, span.end)]
    pattern = _ROUND if rounded else _ROUND_AND_SLANTED
    found += [Span(*match.span()) for match in pattern.finditer(text, span.start, span.end)]
    found += [
        Span(*match.span())
        for match in _SLANTED.finditer(text, span.start, span.end)
        if opens_as_direction(match["said"])
    ]
    reached = span.start
    for each in sorted(found):
        said = each.of(text)
        if each.start >= reached and said.strip():
            yield Span(each.start, each.start + len(said.rstrip()))
            reached = each.end
