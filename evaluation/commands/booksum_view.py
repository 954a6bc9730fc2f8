"""Readable output of `bookworm evaluate booksum`: the alignment files and the novels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from evaluation.booksum.published import CHAPTERS, TABLE_1, TITLES
from evaluation.booksum.types import SummaryLevel
from evaluation.commands import booksum_texts_view
from service.cli import output
from service.cli.figure_tables import figure_table

if TYPE_CHECKING:
    from rich.table import Table

    from evaluation.booksum.counts import AlignmentCount
    from evaluation.booksum.novel_sections import NovelSections
    from evaluation.booksum.split_checks import SplitCheck
    from evaluation.commands.booksum_report import BookSumReport


def show(found: BookSumReport) -> None:
    for table in (_counts("Split", found.splits), _counts("Source", found.sources), _beside_paper(found)):
        output.out.print(table)
        output.out.print()
    _write(_oddities(found))
    for warning in _leaks(found.check):
        output.warn(warning)
    if found.novels is not None:
        output.out.print()
        output.out.print(_novels(found.novels))
        _write(_unmatched(found.novels))
    if found.texts is not None:
        output.out.print()
        booksum_texts_view.show(found.texts)


def _write(lines: Iterator[str]) -> None:
    for line in lines:
        output.out.print(line, markup=False, soft_wrap=True)


def _counts(first: str, counts: Sequence[AlignmentCount]) -> Table:
    table = figure_table(first, "Level", "Examples", "Books", "Texts", "Aggregate")
    for each in counts:
        numbers = (each.examples, each.books, each.texts, each.aggregates)
        table.add_row(each.group, each.level, *(f"{number:,}" for number in numbers))
    return table


def _beside_paper(found: BookSumReport) -> Table:
    """Compare the counts that the paper states with those of the same things here."""
    total = {each.level: each for each in found.splits if each.group == "all"}
    table = figure_table("Beside the paper", "Paper", "Files")
    for level in (SummaryLevel.CHAPTER, SummaryLevel.BOOK):
        here = total[level].examples if level in total else 0
        table.add_row(f"Examples, {level} level", f"{TABLE_1[level].documents:,}", f"{here:,}")
    chapters = total.get(SummaryLevel.CHAPTER)
    table.add_row(
        "Titles (numbers of books, chapter level)", f"{TITLES:,}", f"{chapters.books if chapters else 0:,}"
    )
    table.add_row("Chapters (files of text)", f"{CHAPTERS:,}", f"{chapters.texts if chapters else 0:,}")
    table.add_row("Examples, paragraph level", f"{TABLE_1[SummaryLevel.PARAGRAPH].documents:,}", "–")
    return table


def _oddities(found: BookSumReport) -> Iterator[str]:
    odd = found.oddities
    yield f"Titles are spelt in {odd.spellings:,} ways."
    yield f"Of the files of text {odd.single:,} are never in an aggregate example."
    if odd.whole_only:
        yield f"Only as a whole summarised: {', '.join(odd.whole_only)}."
    yield (
        f"Aggregate with a text numbered as one chapter: {odd.flagged:,};"
        f" not aggregate with a text of several: {odd.unflagged:,}."
    )
    yield f"The book and the study guide name different chapters: {len(found.disputed):,} examples."
    for each in found.disputed:
        yield f"  {each.title}, {each.source}: {each.section} – {each.summary_id}"


def _leaks(check: SplitCheck) -> Iterator[str]:
    for level, count in check.within.items():
        if count:
            yield f"{count:,} numbers of books are in several splits of the {level} level."
    for shared in check.shared:
        examples = ", ".join(f"{where}: {count:,}" for where, count in shared.examples.items())
        yield f"{shared.titles[0]} ({shared.bid}) is in several splits ({examples})."
    for pair in check.suspected:
        one, other = (
            f"{title} ({bid}, {split})"
            for title, bid, split in zip(pair.titles, pair.bids, pair.splits, strict=True)
        )
        yield f"Perhaps one work in two splits: {one} and {other}."


def _novels(novels: Sequence[NovelSections]) -> Table:
    table = figure_table("Novel", "Number", "File", "Chapters", "Covered", "Examples", "Matched", "How")
    for each in novels:
        matched = sum(each.matched.values())
        table.add_row(
            each.title,
            each.bid,
            each.file.partition("_")[0],
            f"{each.chapters:,}",
            f"{each.covered:,}",
            f"{each.examples:,}",
            f"{matched:,}",
            ", ".join(each.matched),
        )
    return table


def _unmatched(novels: Sequence[NovelSections]) -> Iterator[str]:
    examples = sum(each.examples for each in novels)
    matched = sum(count for each in novels for count in each.matched.values())
    yield f"Matched: {matched:,} of {examples:,} examples of {len(novels):,} books."
    titled = sum(each.titled for each in novels)
    same = sum(each.same_title for each in novels)
    yield f"Where the study guide gives a chapter's title, it is ours in {same:,} of {titled:,} examples."
    for novel in novels:
        for each in novel.unmatched:
            yield f"  {novel.title}, {each.source}, {each.section} ({each.summary_id}): {each.why}"
