"""Acts and scenes: their headings, which of those are only contents, and the chapters they make."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from books import lists
from books.shape.headings.numbers import CHINESE, ordinals, parse_number
from books.shape.headings.titles import tidy
from books.source import Block

_EDGE = " \t\u3000_*=#[]()"
_MARKS = " \t.,:;—–-_*"
_MAX_LINE = 160
_MAX_HEADING = 220
"""A longer setting is a stage direction under its heading."""
_MOST_LINES = 6
_MOST = 60
_MISSING = 3
_HOLLOW = 2
"""This many headings in a row with no speech under them are a table of contents."""
_CHINESE = re.compile(rf"第\s*([{CHINESE}]{{1,4}})\s*([幕场場])\s*")
_WORDED = re.compile(r"(?:the\s+)?(?P<key>[^\W\d_]+)(?P<mark>[\s.:]*)(?:the\s+)?(?P<number>[\w-]+)?", re.I)
_ORDINAL = re.compile(r"(?:the\s+)?(?P<number>[A-Za-z]+|\d{1,2}(?:st|nd|rd|th))\s+(?P<key>act|scene)\b", re.I)
_AFTER_NUMBER = re.compile(r"[\s.,:;—–\-_*\])]|$")
_SEPARATED = re.compile(r"[\s_*]*[.,:;—–\-(\[\n]")
_NEXT = re.compile(r"\s*")
_LIKE_ACTS = frozenset(("induction", "interlude"))
_STAGE = re.compile(r"[\[(_*]*(?:enter|exit|exeunt|re-enter)\b", re.I)


@dataclass(frozen=True, slots=True)
class ActHeading:
    start: int
    end: int
    act: int | None
    """None for a scene whose act is named above it, or that has none."""
    scene: int | None
    named: str | None
    head: str
    """The first unit that it counts, as printed: `ACT I`."""
    title: str
    """Title without the act that is named beside the scene."""
    bare: bool
    """Whether it gives only its number."""
    above: str = ""
    """For a scene, the head of its act."""
    spoken: int = 0
    """Number of labels from here to the next heading."""

    @property
    def key(self) -> tuple[int | None, int | None, str | None]:
        return (self.act, self.scene, self.named)

    @property
    def is_act_alone(self) -> bool:
        return self.act is not None and self.scene is None


@dataclass(frozen=True, slots=True)
class _Claim:
    kind: str
    number: int | None
    start: int
    end: int
    named: str | None = None


@cache
def _words() -> dict[str, str]:
    return dict(line.split() for line in lists.lines("books", "data/act_words.txt"))


@cache
def _latin() -> dict[str, int]:
    rows = [line.split() for line in lists.lines("books", "data/latin_ordinals.txt")]
    return {word: int(value) for word, value in rows}


def act_headings(blocks: Sequence[Block], labels: Sequence[int]) -> list[ActHeading]:
    """Return the headings to believe, in order; `labels` are the offsets at which speeches begin."""
    found = [heading for block in blocks for heading in _of_block(block)]
    found = list(_without_speakers(found, labels, blocks[0].within))
    counted = list(_with_act(_spoken_under(found, labels, blocks[-1].span.end)))
    return list(_in_sequence(_without_contents(counted)))


def _without_speakers(found: Sequence[ActHeading], labels: Sequence[int], text: str) -> Iterator[ActHeading]:
    """Drop headings that are speakers.

    Between scenes `PROLOGUE` may be a speaker's name: then no label or direction follows it.
    """
    numbered = [h.start for h in found if not h.named] or [len(text)]
    begins = {*labels, *(h.start for h in found)}
    for heading in found:
        following = _NEXT.match(text, heading.end)
        at = following.end() if following else heading.end
        outside = heading.start < numbered[0] or (
            heading.named == "epilogue" and heading.start > numbered[-1]
        )
        if not heading.named or outside or at in begins or _STAGE.match(text, at):
            yield heading


def _of_block(block: Block) -> Iterator[ActHeading]:
    """Yield the first lines of a block as long as each is a heading."""
    text, at, end = block.within, block.span.start, block.span.end
    for _ in range(_MOST_LINES):
        stop = text.find("\n", at, end)
        stop = end if stop < 0 else stop
        heading = _of_line(text, at, stop) if stop - at <= 8 * _MAX_LINE else None
        if heading is None:
            return
        following = _rest(text, stop, end)
        if following and stop - at + following <= _MAX_HEADING and not heading.bare:
            title = tidy(heading.title + text[stop : stop + following])
            heading = replace(heading, end=stop + following, title=title)
            stop += following
        yield heading
        if heading.end < stop or stop >= end:
            return
        at = stop + 1
        at += len(text[at:end]) - len(text[at:end].lstrip()) if text[at : at + 1].isspace() else 0


def _rest(text: str, stop: int, end: int) -> int:
    """Return the length of the lines that continue a heading's setting, to the end of the block."""
    if stop >= end or end - stop > _MAX_HEADING:
        return 0
    lines = text[stop:end].split("\n")[1:]
    if any(_STAGE.match(line.strip()) or _claims(line.strip(_EDGE)) for line in lines):
        return 0
    return end - stop


def _of_line(text: str, start: int, stop: int) -> ActHeading | None:
    line = text[start:stop]
    lead = len(line) - len(line.lstrip(_EDGE))
    bare = line.strip(_EDGE)
    claims = _claims(bare[: 2 * _MAX_LINE])
    if not claims:
        return None
    after = claims[-1].end
    rest = bare[after:].lstrip(_MARKS)
    end, title = stop, tidy(bare[claims[-1].start :])
    if len(bare) > _MAX_HEADING or _STAGE.match(rest):
        end = start + lead + len(bare) - len(rest)
        end, title = start + len(text[start:end].rstrip()), tidy(bare[claims[-1].start : after])
        rest = ""
    numbers = {claim.kind: claim.number for claim in claims}
    named = next((claim.named for claim in claims if claim.named), None)
    head = tidy(bare[: claims[0].end])
    above = head if len(claims) > 1 else ""
    return ActHeading(
        start, end, numbers.get("act"), numbers.get("scene"), named, head, title, not rest, above
    )


def _claims(line: str) -> list[_Claim]:
    """Return what a line heads: `ACT I. SCENE II. A street` makes two claims; none if it is no heading."""
    if not line or not (line[0].isupper() or line[0] in "第序尾" or line[0].isdigit()):
        return []
    found: list[_Claim] = []
    at = 0
    while (claim := _claim(line, at)) is not None:
        found.append(claim)
        at = claim.end
        at += len(line[at:]) - len(line[at:].lstrip(_MARKS))
    if not found:
        return []
    rest = line[found[-1].end :]
    bare = rest.strip(_MARKS + "[]()")
    if bare and not (_SEPARATED.match(rest) or (bare[0].isupper() and line.isupper()) or bare[0] >= "\u3400"):
        return []
    return found if not bare or not found[-1].named or line.isupper() else []


def _claim(line: str, at: int) -> _Claim | None:
    chinese = _CHINESE.match(line, at)
    if chinese:
        return _Claim(_words()[chinese[2]], parse_number(chinese[1]), at, chinese.end())
    ordinal = _ORDINAL.match(line, at)
    if ordinal and _is_ordinal(ordinal["number"]):
        return _Claim(ordinal["key"].casefold(), parse_number(ordinal["number"]), at, ordinal.end())
    worded = _WORDED.match(line, at)
    kind = _words().get(worded["key"].casefold()) if worded else None
    if worded is None or kind is None:
        return None
    if kind == "named":
        return _Claim(kind, None, at, worded.end("key"), worded["key"].casefold())
    number = _number(worded["number"] or "")
    if number is None or not _AFTER_NUMBER.match(line, worded.end("number")):
        return None
    return _Claim(kind, number, at, worded.end("number"))


def _is_ordinal(word: str) -> bool:
    return word.casefold() in ordinals() or word[0].isdigit()


def _number(word: str) -> int | None:
    number = _latin().get(word.casefold(), parse_number(word))
    return number if number is not None and number <= _MOST else None


def _spoken_under(found: Sequence[ActHeading], labels: Sequence[int], end: int) -> list[ActHeading]:
    starts = [*(h.start for h in found), end]
    places = [bisect_left(labels, at) for at in starts]
    return [replace(h, spoken=places[i + 1] - places[i]) for i, h in enumerate(found)]


def _with_act(found: Sequence[ActHeading]) -> Iterator[ActHeading]:
    """Assign each scene its act: `SCENE II` under `ACT III` is III.2."""
    act: int | None = None
    above = ""
    for heading in found:
        if heading.act is not None or heading.named in _LIKE_ACTS:
            act, above = heading.act, heading.head
            yield heading
        elif heading.scene is not None:
            yield replace(heading, act=act, above=above)
        else:
            yield heading


def _without_contents(found: Sequence[ActHeading]) -> list[ActHeading]:
    """Drop headings in a row with no speech under them: a table of contents at the start."""
    kept: list[ActHeading] = []
    at = 0
    while at < len(found):
        stop = at
        while stop < len(found) - 1 and not found[stop].spoken:
            stop += 1
        group = found[at : stop + 1]
        hollow = sum(not h.spoken and not _is_nested(group, i) for i, h in enumerate(group))
        kept += group[_contents_in(group) :] if hollow >= _HOLLOW else group
        at = stop + 1
    return kept


def _is_nested(group: Sequence[ActHeading], at: int) -> bool:
    """Return whether both headings head the same speech, as `ACT I` directly above `SCENE I` does."""
    after = group[at + 1] if at + 1 < len(group) else None
    return group[at].is_act_alone and after is not None and (after.scene is not None or bool(after.named))


def _contents_in(group: Sequence[ActHeading]) -> int:
    """Count the headings of a run that are contents: up to where the count restarts."""
    for at in range(len(group) - 1, 0, -1):
        if _order(group[at]) <= _order(group[at - 1]) and not group[at - 1].named:
            return at
        if group[at].named and group[at].key in {h.key for h in group[:at]}:
            return at
    return len(group)


def _order(heading: ActHeading) -> tuple[int, int]:
    return (heading.act or 0, heading.scene or 0)


def _in_sequence(found: Sequence[ActHeading]) -> Iterator[ActHeading]:
    """Yield headings in sequence: acts increase, and scenes within them; `last` may follow any number.

    A few numbers may be missing.
    """
    act = scene = 0
    for heading in found:
        if heading.named:
            scene = 0 if heading.named == "prologue" else scene
            yield heading
            continue
        number = heading.act if heading.act is not None else act
        new_act = number != act
        if new_act and not _follows(number, act):
            continue
        if heading.scene is not None and not new_act and not _follows(heading.scene, scene):
            continue
        if heading.scene is None and not new_act:
            continue
        act, scene = number, heading.scene or 0
        yield heading


def _follows(number: int, before: int) -> bool:
    return number in (0, 1) or before < number <= before + 1 + _MISSING
