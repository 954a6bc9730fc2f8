"""Decide which headings of a text without markup to believe."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from books.shape.headings.headings import RUN_IN, Heading, HeadingKind, named_places
from books.shape.headings.sequence import HOLLOW, Item, sequence
from books.source import Block
from books.types import count_words

_NUMERAL_RESTART = 3.0
_COVERED = 0.4
"""The share of the text that a sequence of bare numerals must span."""
_MOST_INSERTED = 60
"""Maximum number of sections of a tale within the tale."""
_PAGE_LENGTH = 2500
"""Many bare numbers closer together than this are page numbers."""
_MANY = 100
_SOLID = 0.4
"""Minimum share of the chapters in a series that have text, and of the parts that hold chapters."""
_PART_ROOM = 600
"""Maximum characters of a motto or title between a part's heading and its first chapter's."""
_MOST_GAPS = 3
_UNDER = 12
"""A name this close under a bare number is the chapter's title."""
_SPACE_SEEN = 40
_TITLE_SEEN = 150
_LETTERS = 5
"""Letters of a word: a Chinese character, which is a word, says as much."""
_LAST = 30
"""A last chapter with fewer characters is only announced: `Coming in March.`"""
_LEAST_CLOSING = 500
"""A shorter text under a name after the last chapter belongs to that chapter."""


@dataclass(frozen=True, slots=True)
class Series:
    """Headings that are counted together."""

    headings: tuple[Heading, ...]
    solid: int
    """How many of them have text under them."""
    restarts: int = 0
    """How often the count restarts without a part's heading."""

    @property
    def starts(self) -> list[int]:
        return [heading.start for heading in self.headings]


def series_of(headings: Iterable[Heading], parts: Sequence[int], end: int) -> dict[str, Series]:
    """Return every believable sequence, by the kind of its headings."""
    groups: dict[str, list[Heading]] = {}
    for heading in headings:
        if heading.number is not None:
            groups.setdefault(heading.series, []).append(heading)
    found = {name: _series(group, parts, end) for name, group in groups.items()}
    return {name: series for name, series in found.items() if series}


def _series(group: Sequence[Heading], parts: Sequence[int], end: int) -> Series | None:
    sizes = [after.start - here.end for here, after in pairwise(group)] + [end - group[-1].end]
    items = [Item(h.number or 0, h.start, size) for h, size in zip(group, sizes, strict=True)]
    numeral = group[0].kind is HeadingKind.NUMERAL
    chain = sequence(items, parts, restart=_NUMERAL_RESTART) if numeral else sequence(items, parts)
    if numeral:
        chain = _without_inserted(chain, items)
    chain = _with_misprints(chain, items)
    kept = tuple(group[i] for i in chain)
    if len(kept) < 2:
        return None
    stops = [h.start for h in kept[1:]] + [end]
    least = [HOLLOW] * (len(kept) - 1) + [_LAST if group[0].series == "chapter" else HOLLOW]
    solid = sum(stop - h.end > few for h, stop, few in zip(kept, stops, least, strict=True))
    if solid < 2 or solid < _SOLID * len(kept):
        return None
    return Series(kept, solid, _restarts(kept, parts))


def _restarts(kept: Sequence[Heading], parts: Sequence[int]) -> int:
    """Count the restarts where no part begins."""
    return sum(
        two.number == 1 and bisect_right(parts, two.start) == bisect_right(parts, one.start)
        for one, two in pairwise(kept)
    )


def _without_inserted(chain: list[int], items: Sequence[Item]) -> list[int]:
    """Drop an inserted sequence.

    In I to V, again I to V, then VI, the second is a letter or tale in sections within the fifth chapter.
    """
    length = median([items[i].size for i in chain]) if chain else 0
    at = 1
    while at < len(chain):
        number = items[chain[at - 1]].number
        if items[chain[at]].number == 1 and number >= 2:
            stop = min(len(chain), at + _MOST_INSERTED)
            after = next((k for k in range(at, stop) if items[chain[k]].number == number + 1), None)
            runs = after is not None and _counts(items, chain[at:after])
            if after and runs and items[chain[after]].start - items[chain[at]].start < 2 * length:
                chain = chain[:at] + chain[after:]
        at += 1
    return chain


def _counts(items: Sequence[Item], chain: Sequence[int]) -> bool:
    return all(items[i].number == n for n, i in enumerate(chain, start=1))


def _with_misprints(chain: list[int], items: Sequence[Item]) -> list[int]:
    """Add headings whose numbers are misprinted, if as many are between two others as numbers are missing."""
    filled = chain[:1]
    for one, two in pairwise(chain):
        missing = items[two].number - items[one].number - 1
        between = [i for i in range(one + 1, two) if items[i].size > HOLLOW]
        repeats = {items[i].number for i in between} <= {items[one].number, items[two].number}
        if missing > 0 and len(between) == missing and (missing > 1 or not repeats or len(between) == 1):
            filled += between
        filled.append(two)
    return filled


def divided_by(found: dict[str, Series], begin: int, end: int) -> Series | None:
    """Return the sequence that divides the book: chapters, else letters, cantos …, else bare numerals."""
    worded = worded_of({name: s for name, s in found.items() if name == "chapter" or _covers(s, begin, end)})
    able = [s for s in found.values() if s.headings[0].kind is HeadingKind.NUMERAL and _covers(s, begin, end)]
    able = [s for s in able if not _are_pages(s)]
    # Sections restart in every chapter; a sequence that continues through the book counts the chapters.
    return worded or max(able, key=lambda series: (not series.restarts, series.solid), default=None)


def _covers(series: Series, begin: int, end: int) -> bool:
    starts = series.starts
    covered = (starts[-1] - starts[0]) / max(1, end - begin)
    return covered >= _COVERED * (len(starts) - 1) / len(starts)


def _are_pages(series: Series) -> bool:
    starts = series.starts
    return len(starts) > _MANY and median(b - a for a, b in pairwise(starts)) < _PAGE_LENGTH


def worded_of(found: dict[str, Series]) -> Series | None:
    """Return the sequence of chapters, or else of letters, cantos …, however much of the text it spans."""
    able = [s for s in found.values() if s.headings[0].kind is HeadingKind.CHAPTER]
    able = [s for s in able if not s.headings[0].series.endswith(RUN_IN)] or able
    return found.get("chapter") or max(able, key=lambda series: series.solid, default=None)


def extended(main: Series, headings: Sequence[Heading], found: dict[str, Series], end: int) -> list[Heading]:
    """Extend a sequence with headings of other words or shapes before it, after it, and in its gaps."""
    kept = list(main.headings)
    others = [h for h in headings if h.number is not None and h.series != main.headings[0].series]
    kept += _outside(main, found, others)
    others = [h for h in others if h.kind in (HeadingKind.NUMERAL, HeadingKind.CHAPTER)]
    stops: list[Heading | None] = [*main.headings[1:], None]
    for here, after in zip(main.headings, stops, strict=True):
        kept += _continued(here, after, others, end)
    return sorted({h.start: h for h in kept}.values(), key=lambda h: h.start)


def _outside(main: Series, found: dict[str, Series], others: Sequence[Heading]) -> list[Heading]:
    """Return letters before the first chapter, and a separate sequence after the last."""
    first, last = main.headings[0].start, main.headings[-1].start
    kept: list[Heading] = []
    for series in found.values():
        if series is not main and series.headings[0].kind is HeadingKind.CHAPTER:
            kept += [h for h in series.headings if h.start < first or (series.starts[0] > last)]
    lone = [h for h in others if h.kind is HeadingKind.CHAPTER and h.start < first and h.series not in found]
    return kept + [
        h for h in lone if h.number == 1 and first - h.end > HOLLOW and main.headings[0].number == 1
    ]


def _continued(here: Heading, after: Heading | None, others: Sequence[Heading], end: int) -> list[Heading]:
    """Return the headings that continue the count in another form.

    An example is `VII. THE ADVENTURE OF …` after `ADVENTURE VI`.
    """
    last = after.number if after else None
    if not here.number or (last is not None and last <= here.number + 1):
        return []
    stop = after.start if after else end
    lo, hi = (bisect_left(others, at, key=lambda h: h.start) for at in (here.end, stop))
    firsts: dict[str, list[Heading]] = {}
    for heading in others[lo:hi]:
        run = firsts.setdefault(heading.series, [])
        run.append(heading)
    for run in firsts.values():
        numbers = [h.number for h in run]
        wanted = list(range(here.number + 1, here.number + 1 + len(run)))
        if numbers == wanted and (last is None or numbers[-1] == last - 1) and _all_solid(run, stop):
            return run
    return []


def _all_solid(run: Sequence[Heading], stop: int) -> bool:
    return all(b - a.end > 4 * HOLLOW for a, b in zip(run, [*(h.start for h in run[1:]), stop], strict=True))


def parts_of(headings: Sequence[Heading], end: int) -> list[Heading]:
    """Return books, parts and volumes that are in sequence, each in its series."""
    claims = [h for h in headings if h.kind is HeadingKind.PART]
    inner = series_of(claims, [h.start for h in claims if h.number == 1], end)
    return sorted((h for s in inner.values() for h in s.headings), key=lambda h: h.start)


def leading_parts(parts: Sequence[Heading], chosen: Sequence[Heading]) -> list[Heading]:
    """Drop `BOOK I. (Folio)` inside a chapter: enough parts of a series must hold chapters."""
    starts = sorted([h.start for h in parts] + [h.start for h in chosen])
    leads: dict[str, list[bool]] = {}
    for part in parts:
        at = bisect_right(starts, part.start)
        leads.setdefault(part.series, []).append(at < len(starts) and starts[at] - part.end <= _PART_ROOM)
    return [p for p in parts if sum(leads[p.series]) >= _SOLID * len(leads[p.series])]


def carried_parts(headings: Sequence[Heading], marks: Sequence[Heading]) -> list[Heading]:
    """Return lone parts, such as `VOLUME II`, where a chapter or another part begins at once."""
    starts = [mark.start for mark in marks]
    kept: list[Heading] = []
    known = set(starts)
    for heading in reversed([h for h in headings if h.kind is HeadingKind.PART and h.start not in known]):
        at = bisect_right(starts, heading.start)
        if at < len(starts) and starts[at] - heading.end <= HOLLOW:
            kept.append(heading)
            starts.insert(at, heading.start)
    return kept


def named_of(headings: Sequence[Heading], marks: Sequence[Heading], blocks: Sequence[Block]) -> list[Heading]:
    """Return prologue, preface, epilogue …, each only where such a part may stand."""
    claims = [h for h in headings if h.kind is HeadingKind.NAMED]
    numbered = [h for h in marks if h.kind is not HeadingKind.PART] or list(marks)
    if not marks or not claims:
        return []
    first, last, end = numbered[0].start, numbered[-1].start, blocks[-1].span.end
    text = blocks[0].within
    space = min((_space(h, text) for h in numbered[1:]), default=0)
    starts = [mark.start for mark in marks]
    later = {h.title.casefold(): h.start for h in claims}
    kept: list[Heading] = []
    for heading, following in zip(claims, [*(h.start for h in claims[1:]), end], strict=True):
        at = bisect_right(starts, heading.start)
        stop = min(following, starts[at] if at < len(starts) else end)
        place = named_places().get(heading.series, "any")
        apart = heading.level or _space(heading, text) >= (space if heading.start < last else min(space, 2))
        if place == "any" and heading.start > first and not apart:
            continue
        under = at and heading.start - marks[at - 1].end <= _UNDER and marks[at - 1].bare
        leads = at < len(starts) and stop == starts[at] and marks[at].number == 1
        again = later[heading.title.casefold()] > heading.start
        size = max(stop - heading.end, _LETTERS * count_words(text[heading.end : stop]))
        hollow = size <= (_LEAST_CLOSING if place == "any" and heading.start > last else HOLLOW)
        stands = _stands(place, heading.start, first, last) and not under
        named = at and heading.series in _text_under(marks[at - 1], heading.start, text)
        if stands and not named and not (hollow and (again or not leads)):
            kept.append(heading)
    return kept


def _text_under(mark: Heading, before: int, text: str) -> str:
    """Return the heading before, with its title, which may contain the name: `MORNING -- CONCLUSION`."""
    return text[mark.start : min(before, mark.end + _TITLE_SEEN)].casefold()


def _stands(place: str, at: int, first: int, last: int) -> bool:
    return (
        place == "any"
        or (at < first and place in ("front", "ends"))
        or (at > last and place in ("back", "ends"))
    )


def _space(heading: Heading, text: str) -> int:
    """Count the line ends before a heading: a name inside a chapter has fewer than a chapter's heading."""
    before = text[max(0, heading.start - _SPACE_SEEN) : heading.start]
    return before[len(before.rstrip()) :].count("\n")


def without_prologue(main: Series, headings: Sequence[Heading]) -> Series:
    """Drop the sections I to IV of a prologue before a count that restarts: they are no chapters.

    Those below `PART ONE` are chapters, whatever stands before it.
    """
    first = main.headings[0]
    near = [h for h in headings if 0 <= first.start - h.end <= HOLLOW]
    named = [h for h in near if h.kind is HeadingKind.NAMED]
    if any(h.kind is HeadingKind.PART for h in near):
        return main
    again = next((at for at, h in enumerate(main.headings) if at and h.number == 1), None)
    if not named or not again or first.number != 1 or 2 * again > len(main.headings):
        return main
    return Series(main.headings[again:], main.solid - again, max(0, main.restarts - 1))


def gaps_told(headings: Sequence[Heading]) -> tuple[str, ...]:
    """Return a sentence for each number missing from a sequence, up to a few."""
    sentences = []
    for one, two in pairwise([h for h in headings if h.kind in (HeadingKind.CHAPTER, HeadingKind.NUMERAL)]):
        if one.number and two.number and two.number > one.number + 1 and one.series == two.series:
            missing = " or ".join(str(n) for n in range(one.number + 1, two.number)[:_MOST_GAPS])
            sentences.append(f"Chapters {one.number} and {two.number} were found, but no {missing}.")
    return tuple(sentences[:_MOST_GAPS])
