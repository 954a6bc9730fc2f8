"""A text beside its summary, from the folder of texts that a user brings, or from a novel's chapters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluation.booksum.cleaning import clean_summary
from evaluation.booksum.novel_texts import NovelTexts
from evaluation.booksum.types import AlignedRow, SummaryLevel
from generation.training.types import DataSplit

LEAST_WORDS = 75
"""Shorter paragraphs, such as those of a dialogue, are joined with the next ones until they have as many."""
_BLANK = re.compile(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class SummaryPair:
    level: SummaryLevel
    split: DataSplit
    bid: str
    name: str
    """The path of the summary; at the paragraph level with the number of the sentence."""
    paragraphs: tuple[str, ...]
    summary: tuple[str, ...]
    """Paragraphs too."""

    @property
    def text(self) -> str:
        return "\n".join(self.paragraphs)

    @property
    def reference(self) -> str:
        return "\n".join(self.summary)


@dataclass(frozen=True, slots=True)
class LoadedPairs:
    pairs: tuple[SummaryPair, ...]
    without_summary: int
    """Rows whose summary is missing, or empty once it is cleaned."""
    without_text: int
    dropped: int
    """Lines of summaries that were left out."""


def load_pairs(
    rows: Sequence[AlignedRow],
    folder: Path,
    *,
    limit: int | None = None,
    novels: NovelTexts | None = None,
) -> LoadedPairs:
    """Load the pairs, at most `limit` of each level and split; `novels` stand in for missing texts."""
    pairs: list[SummaryPair] = []
    counts: dict[tuple[SummaryLevel, DataSplit], int] = {}
    no_summary = no_text = dropped = 0
    for row in rows:
        key = row.level, row.split
        if limit is not None and counts.get(key, 0) >= limit:
            continue
        content = _content(folder, row.summary_path)
        cleaned = clean_summary(content) if content is not None else None
        if cleaned is None or not cleaned.paragraphs:
            no_summary += 1
            continue
        paragraphs = _source(folder, row, novels)
        if not paragraphs:
            no_text += 1
            continue
        dropped += len(cleaned.dropped)
        counts[key] = counts.get(key, 0) + 1
        pairs.append(
            SummaryPair(row.level, row.split, row.bid, row.summary_path, paragraphs, cleaned.paragraphs)
        )
    return LoadedPairs(tuple(pairs), no_summary, no_text, dropped)


def joined_paragraphs(paragraphs: Sequence[str], least: int = LEAST_WORDS) -> tuple[str, ...]:
    """Join short paragraphs with the next ones; a short rest is joined with the last."""
    found: list[str] = []
    waiting: list[str] = []
    for paragraph in paragraphs:
        waiting.append(" ".join(paragraph.split()))
        if sum(len(each.split()) for each in waiting) >= least:
            found.append(" ".join(waiting))
            waiting = []
    rest = " ".join(waiting).strip()
    if rest and found:
        found[-1] = f"{found[-1]} {rest}"
    elif rest:
        found.append(rest)
    return tuple(found)


def _source(folder: Path, row: AlignedRow, novels: NovelTexts | None) -> tuple[str, ...]:
    content = _content(folder, row.text_path)
    if content is not None:
        return joined_paragraphs([each for each in _BLANK.split(content) if each.strip()])
    return joined_paragraphs(novels.text_of(row) if novels else ())


def _content(folder: Path, path: str) -> str | None:
    """Return a file's text; None where there is none, and for a path that leads out of the folder."""
    file = (folder / path).resolve()
    if not file.is_relative_to(folder.resolve()) or not file.is_file():
        return None
    return file.read_text("utf-8", errors="replace")


def levels_of(pairs: Sequence[SummaryPair]) -> Iterator[tuple[SummaryLevel, list[SummaryPair]]]:
    for level in SummaryLevel:
        mine = [pair for pair in pairs if pair.level is level]
        if mine:
            yield level, mine
