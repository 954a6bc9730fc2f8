"""The group of commands `bookworm evaluate …`, and the command `reading`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from books.errors import BookwormError
from coref.training.commands.options import file_given, folder_given
from evaluation.commands.booksum import booksum
from evaluation.commands.booookscore import booookscore
from evaluation.commands.cast import cast
from evaluation.commands.categories import categories
from evaluation.commands.certainty import certainty
from evaluation.commands.chinese import chinese
from evaluation.commands.coref import coref
from evaluation.commands.corpus import corpus
from evaluation.commands.dataset import dataset
from evaluation.commands.judge import judge
from evaluation.commands.keyfacts import keyfacts
from evaluation.commands.long import long
from evaluation.commands.meant import meant
from evaluation.commands.memory import memory
from evaluation.commands.options import names_with
from evaluation.commands.portraits import portraits
from evaluation.commands.positions import positions
from evaluation.commands.questions import questions
from evaluation.commands.retrieval import retrieval
from evaluation.commands.sheets import sheets
from evaluation.commands.summaries import summaries
from evaluation.reading.types import ReadingSplit
from service.cli import output
from service.cli.exits import Exit
from service.cli.figure_tables import figure_table
from service.cli.json_values import plain
from service.cli.options import JsonFlag

if TYPE_CHECKING:
    from evaluation.reading.types import (
        CheckedBook,
        FailedReading,
        ReadingMeasure,
        ReadingSpread,
        ReadingSummary,
    )

evaluate = typer.Typer(help="Measure quality and speed on your own books.", no_args_is_help=True)


class NoNovels(BookwormError):
    code = "no_novels"
    remedy = "Choose a folder with books as txt, txt.gz, epub, html, md or docx."


class CheckedInvalid(BookwormError):
    code = "checked_invalid"
    remedy = "Use CSV with the columns file, split, chapters, parts: see evaluation/reading/README.md."


@evaluate.callback()
def _group() -> None:
    """Measure quality and speed on your own books."""


@evaluate.command()
def reading(
    novels: Annotated[Path, folder_given("--novels", "Folder with the books.")],
    checked: Annotated[
        Path | None, file_given("--checked", "A table of correct counts instead of the built-in one.")
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="PART", help="Only files whose name contains this; may be repeated."),
    ] = None,
    split: Annotated[
        ReadingSplit | None, typer.Option("--split", help="Only checked books of this split.")
    ] = None,
    repeat: Annotated[
        int,
        typer.Option("--repeat", min=1, max=50, help="Times to read each book, for the median time."),
    ] = 1,
    memory: Annotated[
        bool, typer.Option("--memory", help="Also measure memory, in a separate slower pass.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Read every book in a folder and report chapters, excluded parts, errors, time and memory."""
    from evaluation.reading.measure import measured
    from evaluation.reading.summary import summed_up
    from evaluation.reading.types import FailedReading, ReadingMeasure

    gold = _gold(checked)
    results = []
    wanted = None if split is None else {name for name, book in gold.items() if book.split is split}
    for path in _chosen(novels, only or (), wanted):
        output.tell(f"Reading {path.name}")
        results.append(measured(path, checked=gold, repeat=repeat, memory=memory))
    books = [result for result in results if isinstance(result, ReadingMeasure)]
    failed = [result for result in results if isinstance(result, FailedReading)]
    summary = summed_up(books, failed)
    if json:
        output.write_json(_document(summary, books, failed))
    else:
        _show(books, failed, summary)
    if not books:
        raise typer.Exit(Exit.ERROR)


_OTHERS: tuple[Callable[..., None], ...] = (
    categories, certainty, chinese, coref, questions, long, memory, retrieval, summaries, dataset, booksum,
    sheets, portraits, positions, judge, cast, meant, keyfacts, booookscore, corpus,
)  # fmt: skip
for _command in _OTHERS:
    evaluate.command()(_command)


def _gold(table: Path | None) -> Mapping[str, CheckedBook]:
    from evaluation.reading.gold import checked_books

    try:
        return checked_books(table)
    except ValueError as error:
        raise CheckedInvalid(f"The table of checked books cannot be read: {error}") from error


def _chosen(folder: Path, only: Sequence[str], wanted: Collection[str] | None) -> list[Path]:
    """The files in order of their names. `wanted` are the accepted names without extensions."""
    from evaluation.datasets.shelf import ENDINGS
    from evaluation.reading.gold import bare_name

    paths = [
        path for path in sorted(folder.iterdir()) if path.is_file() and path.name.lower().endswith(ENDINGS)
    ]
    if not paths:
        raise NoNovels(f"No book was found in {folder}.")
    if only:
        named = names_with(only, [path.name for path in paths])
        paths = [path for path in paths if path.name in named]
    paths = [path for path in paths if wanted is None or bare_name(path.name) in wanted]
    if not paths:
        raise typer.BadParameter("No book of this split is chosen.", param_hint="--split")
    return paths


def _document(
    summary: ReadingSummary, books: Sequence[ReadingMeasure], failed: Sequence[FailedReading]
) -> Any:
    return {
        "summary": plain(summary),
        "books": [{**plain(book), "agrees": book.agrees} for book in books],
        "failed": plain(failed),
    }


def _show(books: Sequence[ReadingMeasure], failed: Sequence[FailedReading], summary: ReadingSummary) -> None:
    headings = ("Chapters", "Counted", "By", "Run", "Outside", "Words", "s", "Memory", "Problems")
    table = figure_table("Book", *headings, left=("By", "Problems"))
    for book in books:
        table.add_row(*_row(book))
    output.out.print(table)
    for failure in failed:
        output.out.print(
            f"{failure.file}: {failure.code}: {failure.detail}", style="red", markup=False, soft_wrap=True
        )
    for line in _summary(summary):
        output.out.print(line, markup=False, soft_wrap=True)


def _row(book: ReadingMeasure) -> Iterator[Text]:
    colour = {True: "green", False: "red", None: ""}[book.agrees]
    yield Text(book.file)
    yield Text(str(book.chapters), style=colour)
    yield Text(str(book.checked.chapters) if book.checked else "–")
    yield Text(book.chapters_by)
    yield Text(str(book.numbering.longest_run))
    yield Text(f"{book.outside:.1%}")
    yield Text(f"{book.words:,}")
    yield Text(f"{book.seconds:.3f}")
    yield Text("–" if book.memory is None else f"{book.memory:.1f}×")
    yield Text("; ".join((*book.troubles, *book.numbering.breaks, *book.warnings)), style="yellow")


def _summary(summary: ReadingSummary) -> Iterator[str]:
    yield f"{summary.books} books read, {summary.failed} failed, {summary.lawful} without loss of text."
    for split, tally in summary.checked.items():
        if tally.books:
            yield (
                f"Correct number of chapters ({split}): {tally.right} of {tally.books};"
                f" {tally.exact} with the correct first and last chapter."
            )
    verdicts = ", ".join(f"{count} {verdict}" for verdict, count in summary.sequences.items())
    yield f"Sequences of chapter numbers: {verdicts}."
    yield from _spread("Seconds per 100,000 words", summary.seconds)
    yield from _spread("Memory in multiples of the file", summary.memory)


def _spread(what: str, spread: ReadingSpread | None) -> Iterator[str]:
    if spread:
        yield f"{what}: {spread.median:.2f}, at most {spread.most:.2f} ({spread.worst})."
