"""Count the rows of the alignment files by split and by study guide.

The paper's examples are rows. Its titles are the distinct numbers of books that have summaries of chapters,
and its chapters are the distinct files of text: among those are files of several chapters together.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from evaluation.booksum.types import AlignedRow, SummaryLevel
from generation.training.types import DataSplit

EVERYTHING = "all"
_SEVERAL = re.compile(r"_to_|chapters_|act_.*act_")


@dataclass(frozen=True, slots=True)
class AlignmentCount:
    group: str
    """A split, a study guide, or all."""
    level: SummaryLevel
    examples: int
    books: int
    """Distinct numbers of books."""
    texts: int
    """Distinct files of text."""
    aggregates: int
    """Examples that the files call aggregate."""


@dataclass(frozen=True, slots=True)
class AlignmentOddities:
    """Where the files differ from one another, or from what the paper leads one to expect."""

    whole_only: tuple[str, ...]
    """Numbers of books that have a summary of the whole, and none of a chapter."""
    spellings: int
    """Distinct titles, as written."""
    single: int
    """Distinct files of text that are never a part of an aggregate example."""
    unflagged: int
    """Examples whose file of text is of several chapters, by its name, and which are not called aggregate."""
    flagged: int
    """Examples that are called aggregate, whose file of text is numbered as one chapter."""


def by_split(rows: Sequence[AlignedRow]) -> list[AlignmentCount]:
    return [
        count
        for level in (SummaryLevel.CHAPTER, SummaryLevel.BOOK)
        for split in (*DataSplit, None)
        if (count := _count(rows, level, split or EVERYTHING, lambda r, s=split: s in (None, r.split)))  # type: ignore[misc]
    ]


def by_source(rows: Sequence[AlignedRow]) -> list[AlignmentCount]:
    """Return the counts of each study guide, the most frequent first."""
    frequency = Counter(row.source for row in rows)
    return [
        count
        for level in (SummaryLevel.CHAPTER, SummaryLevel.BOOK)
        for source, _ in frequency.most_common()
        if (count := _count(rows, level, source, lambda r, s=source: r.source == s))  # type: ignore[misc]
    ]


def oddities(rows: Sequence[AlignedRow]) -> AlignmentOddities:
    chapters = [row for row in rows if row.level is SummaryLevel.CHAPTER]
    with_chapters = {row.bid for row in chapters}
    together = {row.text_path for row in chapters if row.is_aggregate}
    return AlignmentOddities(
        whole_only=tuple(sorted({row.bid for row in rows} - with_chapters, key=int)),
        spellings=len({row.title for row in rows}),
        single=len({row.text_path for row in chapters} - together),
        unflagged=sum(not r.is_aggregate and _SEVERAL.search(_file(r)) is not None for r in chapters),
        flagged=sum(r.is_aggregate and _file(r).isdecimal() for r in chapters),
    )


def _file(row: AlignedRow) -> str:
    """Return the name of the file of text: `03`, `chapters_1_to_2`, `act_iv`."""
    return row.text_path.rpartition("/")[2].removesuffix(".txt")


def _count(
    rows: Iterable[AlignedRow], level: SummaryLevel, group: str, belongs: Callable[[AlignedRow], bool]
) -> AlignmentCount | None:
    mine = [row for row in rows if row.level is level and belongs(row)]
    if not mine:
        return None
    return AlignmentCount(
        group,
        level,
        examples=len(mine),
        books=len({row.bid for row in mine}),
        texts=len({row.text_path for row in mine}),
        aggregates=sum(row.is_aggregate for row in mine),
    )
