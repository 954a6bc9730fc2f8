"""Speakers' labels in a play: find lines that begin like labels, and decide which of them are labels.

A line alone proves nothing (`Well. I never`), so labels are recognised by recurring in one style.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from books import lists
from books.source import Block

_UPPER = "A-ZÀ-ÖØ-ÞŒ"
_LOWER = "a-zß-öø-ÿœ"
_SPACE = r"[^\S\n]"
_RECURS = 2
_MAIN = 0.08
"""A mark after the name that is rarer among labels than this is not this play's."""
_INDENTED = 0.7
_RUNS_ON = re.compile(r"[\w,]\s*\Z")
_LOOK_BACK = 40
_OFTEN = 3
"""Times that a name in small letters must occur to be one."""
_GLANCES, _GLANCE, _SEEN = 30, 2000, 15


class Manner(StrEnum):
    """How a label ends."""

    MARK = "mark"
    """A full stop or a colon."""
    LINE = "line"
    DIRECTION = "direction"
    DASH = "dash"
    GAP = "gap"
    BARE = "bare"
    """Nothing but a space: `HAMLET To be`."""


class Letters(StrEnum):
    CAPITALS = "capitals"
    SMALL = "small"
    SLANTED = "slanted"
    CHINESE = "chinese"


@dataclass(frozen=True, slots=True)
class SpeakerLabel:
    line: int
    """Offset of the line's first mark, which may be that of italics."""
    start: int
    end: int
    """Offset after the full stop, if there is one."""
    after: int
    """Offset at which the speech may begin."""
    name: str
    letters: Letters
    manner: Manner
    indent: int


Counts = Counter[tuple[Letters, str]]


@cache
def not_speakers() -> frozenset[str]:
    return frozenset(lists.lines("books", "data/not_speakers.txt"))


@cache
def _pattern() -> re.Pattern[str]:
    known = lists.lines("books", "data/label_titles.txt")
    titles = "|".join(spelt for word in known for spelt in (word.title(), word.upper()))
    titled = rf"(?:(?:{titles}|M)\.?{_SPACE})"
    counted = r"(?:\d{1,2}(?:st|nd|rd|th|d|ST|ND|RD|TH|D)?\.?[ ])"
    large = rf"(?:Mc|Mac|O['’]|D['’])?[{_UPPER}][{_UPPER}'’-]{{1,24}}"
    between = r"(?:[ ]|,[ ]|[ ](?:and|of|the|of[ ]the|to|in|with|&)[ ])"
    further = rf"{between}{titled}?(?:[A-Z]\.[ ])?(?:{large}|\d{{1,2}}\b)"
    capitals = rf"(?:(?:The|THE|An?|AN)[ ])?{counted}?{titled}*{large}(?:{further}){{0,5}}"
    small = rf"[{_UPPER}][{_LOWER}'’]{{1,16}}(?:-[{_UPPER}]?[{_LOWER}]{{1,16}})?"
    joined = r"(?:[ ]|\.?[ ](?:and|&|of|the|of[ ]the)[ ])"
    titlecase = rf"(?:The[ ]|An?[ ])?{counted}?{titled}?{small}(?:{joined}{small}){{0,3}}"
    chinese = r"[\u3400-\u9fff·]{1,8}(?<![道说說曰问問云笑])"
    spoken = rf"(?P<name>{capitals}|{titlecase})(?P<stop>\.(?!\.))?(?P<slants>[_*]{{0,3}})(?P<mark>[.:])?"
    ends = (
        rf"(?P<line>{_SPACE}*(?:\n|\Z))|(?P<direction>,?{_SPACE}*_?(?=[\[(]))|(?P<dash>{_SPACE}?(?:--|—|–))"
        rf"|(?P<gap>{_SPACE}{{2}}|\t)|(?P<bare>{_SPACE})"
    )
    return re.compile(
        rf"\n(?P<indent>{_SPACE}{{0,80}})(?P<opens>[_*]{{0,3}})(?:{spoken}(?:{ends})"
        rf"|(?P<chinese>{chinese})(?=[：:（(][^“「『\"\n]))"
    )


def may_have_labels(blocks: Sequence[Block]) -> bool:
    """Sample the blocks, which saves most novels the full search."""
    text, begin, end = blocks[0].within, blocks[0].span.start, blocks[-1].span.end
    if end - begin <= _GLANCES * _GLANCE:
        return True
    step = (end - begin) // _GLANCES
    seen = 0
    for at in range(begin, end - _GLANCE, step):
        found = (_label(match, 0) for match in _pattern().finditer(text, at, at + _GLANCE))
        seen += sum(label.name not in not_speakers() for labels in found for label in labels)
        if seen >= _SEEN:
            return True
    return False


def candidates(blocks: Sequence[Block]) -> list[SpeakerLabel]:
    """Return every line that begins like a speech, in order."""
    text, start, end = blocks[0].within, blocks[0].span.start, blocks[-1].span.end
    found: list[SpeakerLabel] = []
    before = text.rfind("\n", 0, start)
    if before < 0:  # the pattern begins with a line end, and none precedes the first line
        first = _pattern().match("\n" + text[start : min(end, start + 400)])
        found += _label(first, start - 1) if first else ()
    for match in _pattern().finditer(text, max(before, 0), end):
        found += _label(match, 0)
    starts = [block.span.start for block in blocks]
    return [label for label in found if _inside(label, blocks, starts)]


def _inside(label: SpeakerLabel, blocks: Sequence[Block], starts: Sequence[int]) -> bool:
    at = bisect_right(starts, label.line) - 1
    return at >= 0 and label.end <= blocks[at].span.end


def _label(match: re.Match[str], shift: int) -> Iterator[SpeakerLabel]:
    indent, line = len(match["indent"]), match.start("opens") + shift
    if match["chinese"]:
        start, end = match.start("chinese") + shift, match.end("chinese") + shift
        yield SpeakerLabel(line, start, end, end, match["chinese"], Letters.CHINESE, Manner.MARK, indent)
        return
    name, stopped = match["name"], match["stop"] or match["mark"]
    manner = Manner.MARK if stopped else Manner(match.lastgroup or "bare")
    capitals = is_large(name)
    slanted = bool(match["opens"]) and bool(match["slants"])
    if not capitals and not slanted and manner not in (Manner.MARK, Manner.DIRECTION):
        return
    if manner is Manner.BARE and not _begins_speech(match.string, match.end()):
        return
    letters = Letters.CAPITALS if capitals else Letters.SLANTED if slanted else Letters.SMALL
    end = match.end("stop") if match["stop"] else match.end("name")
    if match["mark"] == "." and not match["slants"]:
        end = match.end("mark")
    after = match.end("mark") if match["mark"] else match.end("slants")
    if manner is Manner.DASH:
        after = match.end("dash")
    yield SpeakerLabel(
        line, match.start("name") + shift, end + shift, after + shift, key_of(name), letters, manner, indent
    )


def _begins_speech(text: str, at: int) -> bool:
    after = text[at : at + 1]
    return after.isupper() or after in "“\"‘'"


def is_large(name: str) -> bool:
    """Return whether a word of the name is in capitals, as in `Mrs. ALVING`."""
    words = (word.strip(".,") for word in name.split())
    return any(len(word) > 1 and word.isupper() for word in words)


def key_of(name: str) -> str:
    """Return the key that labels of one speaker share: `Mrs. ALVING` and `MRS ALVING`."""
    bare = name.replace("’", "'").replace(".", "").replace(",", "").replace("_", "")
    return " ".join(bare.split()).casefold()


def labels_among(
    found: Sequence[SpeakerLabel], blocks: Sequence[Block], named: Collection[str]
) -> list[SpeakerLabel]:
    """Return the labels in the style that most recurring labels have; `named` are listed characters."""
    able = [c for c in found if _may_speak(c.name)]
    counts = Counter((c.letters, c.name) for c in able)
    recurring = Counter(c.letters for c in able if counts[c.letters, c.name] >= _RECURS)
    if not recurring:
        return []
    letters = recurring.most_common(1)[0][0]
    able = [c for c in able if c.letters is letters]
    manners = _manners(able, counts, named)
    able = [c for c in able if c.manner in manners]
    stands_in = False
    if letters in (Letters.SMALL, Letters.SLANTED):
        able, stands_in = _well_placed(able, blocks)
        counts = Counter((c.letters, c.name) for c in able)
    chosen = [c for c in able if stands_in or _is_known(c, counts, named, manners)]
    return [c for c in chosen if stands_in or not _runs_on(c, blocks[0].within)]


def _may_speak(name: str) -> bool:
    """Return whether a name may be a speaker.

    It is neither a word that often begins a line nor any form of an act's heading.
    """
    return len(name) > 1 and name not in not_speakers() and not _act_words().intersection(name.split())


@cache
def _act_words() -> frozenset[str]:
    rows = (line.split() for line in lists.lines("books", "data/act_words.txt"))
    return frozenset(word for word, kind in rows if kind != "named")


def _manners(able: Sequence[SpeakerLabel], counts: Counts, named: Collection[str]) -> set[Manner]:
    """Return the styles of a fair share of the recurring names."""
    used = Counter(c.manner for c in able if counts[c.letters, c.name] >= _RECURS or c.name in named)
    manners = {manner for manner, count in used.items() if count >= _MAIN * used.total()}
    if Manner.MARK in manners or Manner.LINE in manners:
        manners.add(Manner.DIRECTION)
        if used[Manner.BARE] < used.total() / 2:
            manners.discard(Manner.BARE)
    return manners


def _is_known(
    label: SpeakerLabel, counts: Counts, named: Collection[str], manners: Collection[Manner]
) -> bool:
    count = counts[label.letters, label.name]
    if label.name in named:
        return True
    if label.letters is Letters.SMALL:
        return count >= _OFTEN or any(n.startswith(label.name) or label.name.startswith(n) for n in named)
    marked = label.manner in (Manner.MARK, Manner.DIRECTION) and Manner.LINE not in manners
    return count >= _RECURS or marked or label.manner is Manner.MARK


def _well_placed(able: Sequence[SpeakerLabel], blocks: Sequence[Block]) -> tuple[list[SpeakerLabel], bool]:
    """Return the labels in the usual position, and whether that position is indented.

    If most labels are indented, or all begin their blocks, those that differ are ordinary words. If labels
    are indented, every indented word is a label.
    """
    counts = Counter(c.name for c in able)
    sure = [c for c in able if counts[c.name] >= _OFTEN]
    starts = {block.span.start for block in blocks}
    if sure and sum(c.indent > 0 for c in sure) >= _INDENTED * len(sure):
        return [c for c in able if c.indent > 0], True
    if sure and sum(c.line in starts for c in sure) >= _INDENTED * len(sure):
        return [c for c in able if c.line in starts], False
    return list(able), False


def _runs_on(label: SpeakerLabel, text: str) -> bool:
    """Return whether a sentence continues across the label.

    After `... I told` on one line, `HAMLET. Then` on the next begins no speech.
    """
    if label.manner is Manner.LINE:
        return False
    before = text[max(0, label.line - _LOOK_BACK) : label.line]
    head, broken, tail = before.rpartition("\n")
    return bool(broken) and not tail.strip() and bool(head) and bool(_RUNS_ON.search(head[-1:]))
