"""Readable output of `bookworm evaluate dataset`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from evaluation.datasets.pairing import titles_match
from service.cli import output
from service.cli.figure_tables import figure_table, percent

if TYPE_CHECKING:
    from rich.table import Table

    from evaluation.commands.dataset_report import Dataset

_BY = {"author": "by author", "number": "by number", "nothing": "by title alone"}


def show(found: Dataset) -> None:
    for table in (_sizes(found), _splits(found)):
        output.out.print(table)
        output.out.print()
    for line in _lines(found):
        output.out.print(line, markup=False, soft_wrap=True)
    if found.leak:
        output.warn(found.leak)


def _sizes(found: Dataset) -> Table:
    table = figure_table(
        "Task",
        "Books",
        "Samples",
        "Characters per book",
        "Words in",
        "Sentences in",
        "Words out",
        "Sentences out",
        "Coverage",
        "Density",
        "Compression",
    )
    for task, each in found.tasks.items():
        copied = each.copied
        table.add_row(
            task,
            f"{each.books:,}",
            f"{each.samples:,}",
            f"{each.characters_a_book:.2f}",
            _number(each.input_words, 2),
            _number(each.input_sentences, 2),
            _number(each.output_words, 2),
            _number(each.output_sentences, 2),
            _number(copied.coverage if copied else None, 3),
            _number(copied.density if copied else None, 2),
            _number(copied.compression if copied else None, 1),
        )
    return table


def _splits(found: Dataset) -> Table:
    table = figure_table("Split", "Books", "Samples")
    for split, counted in found.splits.items():
        table.add_row(split, f"{counted['books']:,}", f"{counted['samples']:,}")
    return table


def _lines(found: Dataset) -> Iterator[str]:
    if found.between.characters:
        novel = ", ".join(
            f"{percent(share)} % of {n}-grams"
            for n, share in found.between.novel.items()
            if share is not None
        )
        people = f"{found.between.characters:,} characters"
        yield f"Descriptions of {people} that also have an analysis: {novel} are not in the analysis."
    ways = Counter(pair.verified.value for pair in found.pairs.values())
    sources = ", ".join(f"{count:,} {_BY[way]}" for way, count in ways.items())
    yield f"Books found: {len(found.pairs):,} ({sources or 'none'}); not found: {len(found.unpaired):,}."
    for missing in found.unpaired:
        yield f"  {missing.title} by {missing.author or 'an unknown author'}: {missing.why}"
    for path, why in found.unread.items():
        yield f"  {path.name} cannot be read: {why}"
    for wanted, there in _renamed(found):
        yield f"  By its number, {there} is taken for {wanted}."
    if found.unplaced:
        yield f"In none of the splits: {found.unplaced:,} texts."
    if found.short or found.repeats:
        yield f"Omitted: {found.short:,} short texts, {found.repeats:,} repeated lines."


def _renamed(found: Dataset) -> Iterator[tuple[str, str]]:
    """Yield the title in the data and in the file of books that only their number and author connect."""
    for (number, title, _), pair in found.pairs.items():
        if pair.book.number == number and not titles_match(title, pair.book.title):
            yield title, pair.book.title


def _number(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:,.{digits}f}"
