"""Read title and author from the page before the first chapter."""

from __future__ import annotations

import re
from collections.abc import Sequence

from books import lists
from books.shape.body.matter_titles import CAST, heads
from books.source import Block
from books.types import Part

_BLOCKS = 8
_LINES = 14
_TITLE_WORDS = 16
_HALF_TITLE_WORDS = 30
_BYLINE = re.compile(
    r"(?:(?P<title>.{2,80}?)[,;:]?\s+)?(?:(?:an?\s)?(?:novel|romance|story|tale|written|told)\s+)?"
    r"(?<![\w])by(?:[\s:]+(?P<author>\S.{0,80}))?",
    re.I,
)
_CHINESE = re.compile(
    r"(?:作者|著者)\s*[:：]\s*(?P<said>\S{1,20})|(?P<name>[\u3400-\u9fff·]{2,8})\s*[◎]?\s*著"
)
_AFTER_NAME = re.compile(
    r"[\s,;(]+(?:the\s+)?(?:author|illustrated|with\s+\w+\s+illustrations|edited)\b.*", re.I
)
_KIND = re.compile(
    r"(?:an?|the)\s+(?:[\w'’-]+\s+){0,3}(?:novel|romance|tale|story|fiction|autobiography|history|study|comedy)\b"
    r"|in\s+\w+\s+(?:volumes|parts|books)|(?:vol(?:ume|\.)?|book|part)\s+[\divxlc]+\b|complete|unabridged"
    r"|illustrated|with\s+illustrations|.{0,20}edition",
    re.I,
)
_JOINS = re.compile(r"(?:or|of|and|the|in|a|to)[,;:]?", re.I)
_NOT_A_NAME = re.compile(r"(?:the|an?|one|his|her|my)\s", re.I)
_NO_TITLE = re.compile(r"(?:part|book|volume|vol|chapter|act|scene|letter|to|for|copyright)\b|\W|\d", re.I)
_ROMAN = re.compile(r"[IVX]{2,}")
_EDGE = "_*=~ \t"


def title_page(blocks: Sequence[Block]) -> tuple[str | None, str | None]:
    """Return title and author.

    Without a "by" line, the page gives a title only if hardly anything else is on it.
    """
    page = [[line.strip(_EDGE) for line in b.lines if line.strip(_EDGE)] for b in blocks[:_BLOCKS]]
    lines = [(line, i) for i, block in enumerate(page) for line in block][:_LINES]
    for at, (line, block) in enumerate(lines):
        named = _author(line, lines[at + 1][0] if at + 1 < len(lines) else "")
        if named is None:
            continue
        before, author = named
        title = _title([*lines[:at], (before, block)] if before else lines[:at])
        return (title, author) if title else (None, None)
    return (_title(lines) if _is_half_title(blocks) else None), None


def _is_half_title(blocks: Sequence[Block]) -> bool:
    """Return whether the page is a title alone: neither a motto, which ends like a sentence, nor a part.

    The page ends where a play lists its characters.
    """
    ends = next((at for at, block in enumerate(blocks) if at and _heads_cast(block)), len(blocks))
    if not ends or sum(block.words for block in blocks[:ends]) > _HALF_TITLE_WORDS:
        return False
    first = blocks[0].text.strip(_EDGE)
    words = first.split()
    large = sum(not word[0].islower() for word in words)
    begins_file = not blocks[0].within[: blocks[0].span.start].strip()
    return begins_file and not _NO_TITLE.match(first) and first[-1:].isalnum() and 2 * large >= len(words)


def _heads_cast(block: Block) -> bool:
    found = heads(block, Part.FRONT)
    return found is not None and found.reason == CAST


def calm(title: str) -> str:
    """Return `THE TIDE AND THE QUAY` as `The Tide and the Quay`; leave a title not in capitals unchanged."""
    return _calm(title, begins=True)


def _calm(title: str, *, begins: bool) -> str:
    if not title.isupper() or (len(title) < 3 and begins):
        return title
    small = lists.lines("books", "data/small_words.txt")
    words = title.split()
    said = []
    for i, word in enumerate(words):
        first = (begins and not i) or (i and words[i - 1].endswith((":", ".", "—", "--")))
        lowered = word.lower()
        said.append(lowered if lowered.rstrip(",;") in small and not first else _calm_word(word))
    return " ".join(said)


def _calm_word(word: str) -> str:
    if _ROMAN.fullmatch(word.strip(".,:;")):
        return word
    calmed = re.sub(r"[^\W\d_]+", lambda m: m[0].capitalize(), word)
    # Gives `O'Brien`, but not `Tide'S`.
    calmed = re.sub(r"(?<=\w\w['’])[^\W\d_](?!\w)", lambda m: m[0].lower(), calmed)
    return re.sub(r"\bMc([a-z])", lambda m: "Mc" + m[1].upper(), calmed)


def _author(line: str, following: str) -> tuple[str, str | None] | None:
    """Return the text before "by" on its line, and the author's name from that line or the next."""
    chinese = _CHINESE.fullmatch(line)
    if chinese:
        return "", chinese["said"] or chinese["name"]
    match = _BYLINE.fullmatch(line)
    if not match:
        return None
    said = match["author"] or following
    name = _AFTER_NAME.sub("", said).strip(_EDGE + ",;.")
    if not name or len(name.split()) > 8 or (match["title"] and not name[0].isupper()):
        return None
    if len(name.split()[-1]) == 1 or name.split()[-1].lower() in ("jr", "sr", "esq"):
        name += "."
    return match["title"] or "", None if _NOT_A_NAME.match(said) else calm(name)


def _title(lines: Sequence[tuple[str, int]]) -> str | None:
    """Return the first block, with those that a joining word connects to it, without the kind of book."""
    said: list[str] = []
    last = -1
    for line, block in lines:
        if _KIND.fullmatch(line.strip(".,")) and said:
            break
        joins = said and (_JOINS.fullmatch(said[-1].split()[-1]) or said[-1].endswith((",", ";", ":", "—")))
        if last not in (-1, block) and not joins and not _JOINS.fullmatch(line):
            break
        said.append(line)
        last = block
    calmed = [_calm(line, begins=not i or said[i - 1].endswith(":")) for i, line in enumerate(said)]
    title = " ".join(calmed).strip(_EDGE + ".,;:")
    title = re.sub(r"^《(.*)》$", r"\1", re.sub(r"^[书書]名\s*[:：]\s*", "", title))
    return title if title and len(title.split()) <= _TITLE_WORDS else None
