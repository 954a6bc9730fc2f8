"""Find lines that claim to be headings, and the number each claims; `sequence` decides what to believe."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import pairwise

from books import lists
from books.shape.headings.dates import opens_with_date
from books.shape.headings.numbers import CHINESE, number_words, ordinals, parse_number
from books.shape.headings.titles import is_sentence, is_title, tidy
from books.source import Block, Role

_EDGE = " \t\u3000_*=#~|\\"
_NEVER = frozenset({Role.NOTE, Role.CAPTION, Role.ASIDE, Role.CONTENTS, Role.PAGE, Role.VERSE})
_MAX_LINE = 160
_MAX_NAMED = 80
_MAX_CHINESE = 45
_MAX_LINES = 8
_UNSURE = ("note", "contents", "table of contents")
"""Left out: a closing note is often written by a character, and contents are excluded separately."""
_NUMERAL = re.compile(
    r"(?P<before>[\[(—–\-*_=#§\s]*)"
    r"(?P<number>\d{1,3}|[IVXLC]{1,8}|[ivxl]{1,6}|[A-Za-z]{3,9}(?:-[A-Za-z]{3,6})?)"
    r"(?P<after>[\])._*:：、—–\-\s=]*)(?P<rest>\S.*)?",
)
_CHINESE = re.compile(
    rf"(?:正文\s*)?(?P<opens>[【〖（])?(?:第\s*(?P<number>[{CHINESE}]{{1,9}})\s*(?P<key>[章回折篇话話节節卷部集辑編编])"
    rf"|(?P<key2>卷)之?(?P<number2>[{CHINESE}]{{1,4}})(?![{CHINESE}]))"
    # `（第一卷完）` ends a volume.
    r"(?!\s*完[】〗）]|[完终終]\W*$)"
    r"(?(opens)\s*(?:[】〗）]|(?P<inside>[\s:：、](?=.*[】〗）]$))))(?P<rest>.*)"
)
_FIRST = re.compile(r"[\W_]*([^\W_]+(?:[-'’][^\W_]+)*)")
_ROMAN_WORD = re.compile(r"[ivxlc]{1,8}")
_ORDINAL_FIRST = re.compile(r"(?:the\s+)?([A-Za-z]+(?:-[A-Za-z]+)?)\s+([A-Za-z]+)\b[.:]?(?P<rest>.*)$", re.I)
_ARTICLE = re.compile(r"\s*(?:the\s+|no\.?\s+|number\s+)", re.I)
_WORDS = re.compile(r"(?:(?!--)[^\s.:,;—–()\[\]])+")
_INSIDE = re.compile(
    rf"\n[^\S\n]*(?P<line>_?(?:CHAPTER|Chapter)[^\S\n]+[^\n]{{1,70}}|第[{CHINESE}]{{1,9}}[章回][^\n]{{0,40}})(?=\n)"
)
_SENTENCE_END = re.compile(r"[.!?:…。！？”’\"')\]_*-]\s*$")


RUN_IN = ", run in"
"""Suffix of the series of headings that the prose follows on the same line."""


class HeadingKind(StrEnum):
    PART = "part"
    CHAPTER = "chapter"
    SECTION = "section"
    """A heading with such a word is a chapter only in a book without chapters."""
    NUMERAL = "numeral"
    NAMED = "named"
    TITLE = "title"
    """A heading by markup, with no word that we know."""


@dataclass(frozen=True, slots=True)
class Heading:
    kind: HeadingKind
    series: str
    """Headings of one series are counted together: `chapter`, `letter`, roman numerals in brackets."""
    number: int | None
    title: str
    start: int
    end: int
    """End of the heading in the text; empty when the prose begins on the heading's own line."""
    level: int = 0
    """The level from markup, or 0."""
    bare: bool = False
    """Whether it gives no title beside its number or name."""


@dataclass(frozen=True, slots=True)
class _Claim:
    kind: HeadingKind
    series: str
    number: int | None
    rest: str
    tight: bool = True
    """Whether punctuation separates the number from what follows it."""


@cache
def _keys() -> dict[str, tuple[HeadingKind, str]]:
    rows = [line.split() for line in lists.lines("books", "data/heading_keys.txt")]
    return {word: (HeadingKind(kind), series) for word, kind, series in rows}


@cache
def named_places() -> dict[str, str]:
    """Return where a named heading may stand, `preface` → `front`; `ends` is front or back."""
    places: dict[str, str] = {}
    for line in lists.lines("books", "data/matter.txt"):
        where, title = line.split("=")[0].split(":", 1)
        name = title.strip().rstrip("*").strip()
        places[name] = where if places.get(name, where) == where else "ends"
    rows = [line.split() for line in lists.lines("books", "data/named_headings.txt")]
    return {name: place for name, place in places.items() if name not in _UNSURE} | dict(rows)


@cache
def _named_pattern() -> re.Pattern[str]:
    names = sorted(map(re.escape, named_places()), key=len, reverse=True)
    numbered = rf"(?<=[\u3400-\u9fff])[（(]?[{CHINESE}]{{1,4}}[）)]?"
    return re.compile(
        rf"(?:the\s+)?(?P<name>{'|'.join(names)})(?:{numbered})?(?P<rest>$|[\s.:：,(—–-].*)", re.I
    )


@cache
def _openers() -> frozenset[str]:
    names = {name.split()[0] for name in named_places()}
    return frozenset({*_keys(), *names, *ordinals(), "the"})


def headings_of(blocks: Sequence[Block]) -> list[Heading]:
    """Return every claim in order."""
    found = [heading for block in blocks if block.role not in _NEVER for heading in _of_block(block)]
    inside = list(_inside(blocks))
    return sorted([*found, *inside], key=lambda h: h.start) if inside else found


def _of_block(block: Block) -> Iterator[Heading]:
    marked = block.role is Role.HEADING
    text, start, end = block.within, block.span.start, block.span.end
    stop = text.find("\n", start, end)
    claim = claim_of(text[start : min(end if stop < 0 else stop, start + 3 * _MAX_LINE)])
    if claim is None:
        if marked and end - start <= 2 * _MAX_LINE:
            yield Heading(HeadingKind.TITLE, "", None, tidy(block.text), start, end, block.level or 1)
        return
    yield from _claimed(block, claim, marked)


def _claimed(block: Block, claim: _Claim, marked: bool) -> Iterator[Heading]:
    """Yield the headings at the start of a block; the rest of the block is a title or already prose."""
    lines = list(_lines(block))
    claims: list[tuple[int, _Claim]] = [(0, claim)]
    for at, (start, end) in enumerate(lines[:_MAX_LINES]):
        line = block.within[start : min(end, start + 2 * _MAX_LINE)]
        found = claim_of(line) if at else None
        if found and found.kind is not HeadingKind.NAMED:
            claims.append((at, found))
        elif at and not is_title(line):
            break
    if _is_list(claims):
        return
    level = (block.level or 1) if marked else 0
    for (at, found), (after, _) in zip(claims, [*claims[1:], (len(lines), claim)], strict=True):
        start, end = lines[at][0], lines[after - 1][1]
        tail = block.within[lines[at][1] : end] if end - start <= 3 * _MAX_LINE else "\n" * _MAX_LINES
        if after - at > 1 and not (marked or is_title(tail)):
            end = lines[at][1]
        heading = _heading(found, block.within, start, end, level)
        if heading is None:
            return
        yield heading
        if heading.end < lines[after - 1][1]:
            return


def _lines(block: Block) -> Iterator[tuple[int, int]]:
    """Yield the spans of a block's first lines; the last pair reaches to the block's end."""
    at, end = block.span.start, block.span.end
    for _ in range(_MAX_LINES):
        stop = block.within.find("\n", at, end)
        if stop < 0:
            break
        yield at, stop
        at = stop + 1
    yield at, end


def _is_list(claims: Sequence[tuple[int, _Claim]]) -> bool:
    """Return whether a block holds two numbers of one series: these are entries of a table of contents."""
    series = [(claim.series, claim.number) for _, claim in claims]
    return any(one[0] == two[0] and one != two for one, two in pairwise(series))


def _heading(claim: _Claim, text: str, start: int, end: int, level: int) -> Heading | None:
    said = text[start:end]
    rest = claim.rest.strip()
    title, bare = tidy(said), not rest and "\n" not in said
    if claim.kind is HeadingKind.NAMED and len(said) > _MAX_NAMED and not level:
        return None
    if (is_sentence(rest) and not level) or len(said) > 2 * _MAX_LINE:
        worded = claim.kind in (HeadingKind.CHAPTER, HeadingKind.SECTION)
        if not worded or not claim.tight or level:
            return None
        if "\n" in said or len(said) > _MAX_LINE or not is_title(rest):
            head = said[: said.index(rest)] if rest else said
            title = tidy(head).rstrip(".:—–- ")
            return Heading(claim.kind, claim.series + RUN_IN, claim.number, title, start, start, level)
    return Heading(claim.kind, claim.series, claim.number, title, start, end, level, bare)


def claims_of_title(title: str) -> list[_Claim]:
    """Return what a chapter's title claims, as a whole and in its parts: “PART TWO, 3. Clay” is II and 3."""
    claims = (claim_of(part) for part in (title, *title.split(", ")))
    return [claim for claim in claims if claim is not None and claim.number is not None]


def claim_of(line: str) -> _Claim | None:
    """Return what one line claims to head, judged by itself."""
    line = line.strip(_EDGE)
    if not line:
        return None
    if ord(line[0]) > 0x2FFF:
        return _chinese(line)
    match = _FIRST.match(line)
    if not match:
        return None
    first = match[1].casefold().replace("’", "'")
    if first in _openers() and match[1][0].isupper() and len(line) <= 3 * _MAX_LINE:
        found = _keyed(line.strip("[]()")) or _ordinal_first(line) or _named(line)
        if found:
            return found
    counts = first[0].isdigit() or _ROMAN_WORD.fullmatch(first) or first.split("-")[0] in number_words()
    return _numeral(line) if counts and len(line) <= _MAX_LINE else None


def _keyed(line: str) -> _Claim | None:
    key, _, tail = line.partition(" ")
    known = _keys().get(key.casefold())
    if known is None:
        return None
    article = _ARTICLE.match(tail)
    tail = tail[article.end() if article else 0 :].strip()
    words = _WORDS.findall(tail[:60])
    for count in (4, 3, 2, 1, 0):
        said = tail[: _end_of(tail, words[:count])] if len(words) >= count else ""
        # Last, the number of `CHAPTER I-THE START`.
        said = said if count else tail.split("-", 1)[0]
        number = parse_number(said.strip("-")) if said else None
        rest = tail[len(said) :]
        if number is not None and not _runs_on(rest):
            claim = _inner(rest)
            return claim or _Claim(*known, number, rest.lstrip(" .:,—–-]"), rest.strip()[:1] in ".:—–-")
    return None


def _end_of(tail: str, words: Sequence[str]) -> int:
    at = 0
    for word in words:
        at = tail.index(word, at) + len(word)
    return at


def _inner(rest: str) -> _Claim | None:
    """Return the inner claim: `BOOK ONE, CHAPTER I` is a chapter's heading, not a part's."""
    inner = rest.lstrip(" .:,;—–-")
    claim = _keyed(inner) if inner[:1].isupper() else None
    return claim if claim and claim.kind is HeadingKind.CHAPTER else None


def _runs_on(rest: str) -> bool:
    """Return whether a line is a sentence: `Chapter 3 was burnt` is one.

    `Chapter 3 The Fire` and `Chapter 3. The fire` are headings.
    """
    bare = rest.strip()
    return bare.lstrip(" ,;")[:1].islower() or bare[:2] in ("'s", "’s")


def _ordinal_first(line: str) -> _Claim | None:
    """Match `THE FIRST BOOK`, `SECOND NARRATIVE`; only a title after punctuation may follow."""
    match = _ORDINAL_FIRST.match(line)
    if not match or match[1].casefold().split("-")[-1] not in ordinals():
        return None
    known = _keys().get(match[2].casefold())
    number = parse_number(match[1])
    rest = match["rest"].strip()
    if known is None or number is None or (rest and rest[0] not in "—–-:([" and not rest[0].isupper()):
        return None
    if rest and not (line.isupper() or line[match.start("rest") - 1] in ".:" or rest[0] in "—–-"):
        return None
    return _Claim(*known, number, rest)


def _named(line: str) -> _Claim | None:
    if len(line) > _MAX_NAMED:
        return None
    match = _named_pattern().match(line.strip("[]()").replace("’", "'"))
    if not match or line.lstrip("[(")[:1].islower():
        return None
    rest = match["rest"].strip(_EDGE)
    if rest and rest[0] not in ".:：(—–-" and not (line.isupper() or is_title(line)):
        return None
    if rest.strip(".: ") and is_sentence(rest):
        return None
    return _Claim(HeadingKind.NAMED, match["name"].casefold(), None, "")


def _numeral(line: str) -> _Claim | None:
    match = _NUMERAL.fullmatch(line)
    if not match:
        return None
    said, rest, after = match["number"], match["rest"] or "", match["after"]
    number = parse_number(said)
    system = "digits" if said.isdigit() else "roman" if re.fullmatch("[IVXLC]+", said) else "words"
    if said.islower():
        if rest or not re.fullmatch("[ivxl]+", said):
            return None
        system = "small roman"
    if rest and said.casefold() in ordinals():
        return None
    if not number or (rest and not after) or (system == "words" and rest and not after.strip(" _*")):
        return None
    if rest and (rest[0].islower() or is_sentence(rest) or len(rest) > _MAX_NAMED):
        return None
    if rest and ((not after.strip() and not is_title(rest)) or opens_with_date(line)):
        return None
    shape = match["before"].strip()[:1] + after.strip()[:1] + ("+" if rest else "")
    return _Claim(HeadingKind.NUMERAL, f"{system}{shape}", number, rest, bool(after.strip()))


def _chinese(line: str) -> _Claim | None:
    if len(line) > _MAX_CHINESE:
        return None
    match = _CHINESE.match(line)
    if not match:
        return _named(line) or _chinese_numeral(line)
    number = parse_number(match["number"] or match["number2"])
    rest = match["rest"].strip(" \u3000:：、.．-—" + "】〗）" * bool(match["inside"]))
    if number is None or rest.endswith(("。", "；", "，", "……")) or rest.startswith(("，", "。", "的", "里")):
        return None
    kind, series = _keys()[match["key"] or match["key2"]]
    inner = _CHINESE.search(rest)
    within = _chinese(rest[inner.start() :]) if inner else None
    return within or _Claim(kind, series, number, rest)


def _chinese_numeral(line: str) -> _Claim | None:
    """Match `一`, `（三）`, `十二、回家` on a line of its own."""
    match = re.fullmatch(rf"[（(]?([{CHINESE}]{{1,4}})[）)]?(?:[、.．\s\u3000]+(\S.*))?", line)
    number = parse_number(match[1]) if match else None
    if not match or not number or (match[2] or "").endswith(("。", "；", "，", "！", "？")):
        return None
    return _Claim(HeadingKind.NUMERAL, "chinese" + ("+" if match[2] else ""), number, match[2] or "")


def _inside(blocks: Sequence[Block]) -> Iterator[Heading]:
    """Yield headings on their own lines inside a block, in files that hardly separate their paragraphs."""
    if not blocks:
        return
    text = blocks[0].within
    starts = [block.span.start for block in blocks]
    for match in _INSIDE.finditer(text, starts[0], blocks[-1].span.end):
        start, end = match.span("line")
        block = blocks[bisect_right(starts, start) - 1]
        if block.role in _NEVER or not block.span.start < start < block.span.end:
            continue
        line_before = text[max(block.span.start, match.start() - _MAX_LINE) : match.start()]
        claim = claim_of(match["line"])
        if claim and claim.kind is HeadingKind.CHAPTER and _SENTENCE_END.search(line_before):
            heading = _heading(claim, text, start, end, 0)
            if heading:
                yield heading
