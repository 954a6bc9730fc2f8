"""Match all sections of BookSum with the chapters of the novels in a folder, and say what could not be.

A novel is found by its Project Gutenberg number, or else by its title: BookSum often took another edition.
Where a study guide gives a chapter's title, it is compared with the title here, as a check of the match.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluation.booksum.novel_layout import NovelLayout, layout_of
from evaluation.booksum.section_matching import MatchedBy, SectionMatch, match_section, scheme_of
from evaluation.booksum.sections import Place, SectionReading, heads, read_section
from evaluation.booksum.types import AlignedRow, SummaryLevel
from evaluation.datasets import shelf
from evaluation.datasets.pairing import pair_works
from evaluation.datasets.types import Pair, Verified

_WORD = re.compile(r"[^\W\d_]{3,}")
_SAME = 0.5
"""Least share of a study guide's words for a chapter's title that must be in ours."""


@dataclass(frozen=True, slots=True)
class UnmatchedSection:
    source: str
    section: str
    summary_id: str
    why: str


@dataclass(frozen=True, slots=True)
class NovelSections:
    """The sections of one book of BookSum beside a novel's chapters."""

    bid: str
    title: str
    file: str
    paired: Verified
    chapters: int
    """Chapters that Bookworm finds."""
    covered: int
    """Those of them in at least one matched section."""
    examples: int
    matched: Mapping[MatchedBy, int]
    unmatched: tuple[UnmatchedSection, ...]
    titled: int
    """Matched examples of one chapter for which the study guide gives a title."""
    same_title: int
    """Those of them whose title is ours."""


@dataclass(frozen=True, slots=True)
class DisputedSection:
    """An example whose two statements of what it covers differ in a chapter's number."""

    title: str
    source: str
    section: str
    summary_id: str


@dataclass(frozen=True, slots=True)
class PairedNovel:
    """A book of BookSum, with the novel of the folder that it is."""

    bid: str
    rows: tuple[AlignedRow, ...]
    """Of the chapter level."""
    novel: Pair


def paired_novels(rows: Sequence[AlignedRow], folder: Path) -> list[PairedNovel]:
    """Return the novels of the folder that BookSum has, in order of BookSum's numbers."""
    shelved, _ = shelf.shelved(shelf.files(folder))
    by_bid: dict[str, list[AlignedRow]] = defaultdict(list)
    for row in rows:
        if row.level is SummaryLevel.CHAPTER:
            by_bid[row.bid].append(row)
    works = [(bid, mine[0].title, "") for bid, mine in by_bid.items()]
    pairs, _ = pair_works(works, shelved)
    found = [PairedNovel(bid, tuple(by_bid[bid]), pair) for (bid, *_), pair in pairs.items()]
    return sorted(found, key=lambda each: int(each.bid))


def match_rows(
    rows: Sequence[AlignedRow], layout: NovelLayout
) -> list[tuple[AlignedRow, SectionMatch | str]]:
    """Return our chapters for each row of a book, or the reason why they are not known."""
    readings = [read_section(row.section) for row in rows]
    scheme = scheme_of(readings)
    return [
        (row, match_section(reading, layout, scheme)) for row, reading in zip(rows, readings, strict=True)
    ]


def match_novels(novels: Sequence[PairedNovel]) -> list[NovelSections]:
    return [_matched(each) for each in novels]


def disputed(rows: Sequence[AlignedRow]) -> list[DisputedSection]:
    """Return the examples whose `book_id` and `summary_id` name different chapters."""
    return [
        DisputedSection(row.title, row.source, row.section, row.summary_id)
        for row in rows
        if row.level is SummaryLevel.CHAPTER
        and _differ(read_section(row.section), read_section(row.summary_id))
    ]


def _matched(paired: PairedNovel) -> NovelSections:
    rows, path = paired.rows, paired.novel.book.path
    layout = layout_of([chapter.title for chapter in shelf.open_book(path).chapters])
    found = match_rows(rows, layout)
    matches = [(row, match) for row, match in found if isinstance(match, SectionMatch)]
    titles = list(_same_titles(matches, layout))
    return NovelSections(
        bid=paired.bid,
        title=rows[0].title,
        file=path.name,
        paired=paired.novel.verified,
        chapters=len(layout.chapters),
        covered=len({index for _, match in matches for index in range(match.first, match.last + 1)}),
        examples=len(rows),
        matched=Counter(match.by for _, match in matches),
        unmatched=tuple(
            UnmatchedSection(row.source, row.section, row.summary_id, match)
            for row, match in found
            if isinstance(match, str)
        ),
        titled=len(titles),
        same_title=sum(titles),
    )


def _same_titles(matches: Sequence[tuple[AlignedRow, SectionMatch]], layout: NovelLayout) -> Iterator[bool]:
    """Yield for each title that a study guide gives a chapter whether it is that of the chapter here."""
    for row, match in matches:
        if "|" in row.summary_id:
            continue  # the title of the guide's page
        theirs = set(_WORD.findall(" ".join(read_section(row.summary_id).words)))
        ours = set(_WORD.findall(layout.chapters[match.first].title.lower())) - {"chapter", "part", "book"}
        if match.first == match.last and theirs and ours:
            yield len(theirs & ours) >= _SAME * len(theirs)


def _differ(one: SectionReading, other: SectionReading) -> bool:
    ends = [(a, b) for a, b in zip(_ends(one), _ends(other), strict=False) if a is not None and b is not None]
    return any(a != b for a, b in ends)


def _ends(reading: SectionReading) -> tuple[int | None, ...]:
    if not reading.runs:
        return ()
    return tuple(_chapter_number(place) for place in (reading.runs[0].first, reading.runs[-1].last))


def _chapter_number(place: Place) -> int | None:
    return place[-1].number if heads(place[-1].unit) == "chapter" else None
