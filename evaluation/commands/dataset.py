"""`bookworm evaluate dataset`: statistics of a data set of descriptions and analyses, matched with books."""

from __future__ import annotations

import json as json_lines
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from books.errors import BookwormError
from coref.training.commands.options import folder_given
from service.cli import files, output
from service.cli.json_values import plain
from service.cli.options import JsonFlag

if TYPE_CHECKING:
    from evaluation.commands.dataset_report import Dataset
    from evaluation.datasets.released_splits import ReleasedSplits
    from evaluation.datasets.types import DatasetEntry
    from generation.training.types import PlacedSample


class DatasetInvalid(BookwormError):
    code = "dataset_invalid"
    remedy = (
        "Each line must be a JSON object in the format of BookWorm: see evaluation/datasets/README.md. "
        "Files of BookSum are for `bookworm evaluate booksum`."
    )


def dataset(
    data: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            exists=True,
            help="JSON lines in the format of BookWorm, or a folder with train.jsonl, val.jsonl, test.jsonl.",
        ),
    ],
    books: Annotated[Path, folder_given("--books", "Folder with the books.")],
    description_words: Annotated[
        int, typer.Option("--description-words", min=0, help="Minimum words of a description.")
    ] = 30,
    analysis_words: Annotated[
        int, typer.Option("--analysis-words", min=0, help="Minimum words of an analysis.")
    ] = 200,
    seed: Annotated[int, typer.Option("--seed", help="Random seed of the splits.")] = 1,
    splits: Annotated[
        Path | None,
        folder_given(
            "--splits",
            "Splits released with the data, as description/train.tsv and so on, instead of the folder's "
            "or random ones.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            dir_okay=False,
            help="Write the data with splits for `bookworm train lora`.",
        ),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Read a data set, match it with books, and report sizes, splits and how much is copied."""
    from evaluation.datasets import bookworm, shelf
    from evaluation.datasets.released_splits import read_released
    from evaluation.datasets.split_files import read_split_files, split_files
    from evaluation.datasets.types import DataInvalid
    from generation.types import Task

    if out is not None:
        texts = [data] if data.is_file() else split_files(data)
        placing = [] if splits is None else splits.rglob("*.tsv")
        files.keep_inputs([*texts, *shelf.files(books), *placing], to=out)
    try:
        imported, released = read_split_files(data) if data.is_dir() else (bookworm.read(data), None)
        released = released if splits is None else read_released(splits)
    except (DataInvalid, OSError) as error:
        raise DatasetInvalid(str(error)) from error
    least = {Task.DESCRIPTION: description_words, Task.ANALYSIS: analysis_words}
    kept, short = bookworm.long_enough(imported.entries, least)
    if not kept:
        raise DatasetInvalid(f"All {len(short):,} texts of {data} are shorter than the minimum.")
    found, placed = _found(
        kept, books, seed=seed, released=released, repeats=imported.repeats, short=len(short)
    )
    if out is not None:
        _write(placed, found, out)
    if json:
        output.write_json(_document(found))
    else:
        from evaluation.commands import dataset_view as view

        view.show(found)


def _found(
    entries: Sequence[DatasetEntry],
    folder: Path,
    *,
    seed: int,
    released: ReleasedSplits | None,
    repeats: int,
    short: int,
) -> tuple[Dataset, list[PlacedSample]]:
    from evaluation.commands.dataset_report import Dataset
    from evaluation.datasets import shelf, splitting, statistics
    from evaluation.datasets.bookworm import TASKS
    from evaluation.datasets.pairing import pair

    output.tell(f"Reading the books in {folder}")
    shelved, unread = shelf.shelved(shelf.files(folder))
    pairs, unpaired = pair(entries, shelved)
    output.tell(f"Measuring {len(pairs):,} books")
    measured = statistics.measure(entries, pairs, shelf.open_book)
    by_task = {task.value: statistics.of_texts(entries, task, measured) for task in TASKS}
    placed = splitting.place(entries, pairs, seed=seed, released=released)
    return Dataset(
        repeats=repeats,
        short=short,
        tasks={task: each for task, each in by_task.items() if each},
        between=statistics.between_tasks(entries),
        pairs=pairs,
        unpaired=unpaired,
        unread=unread,
        splits=_splits(placed),
        leak=splitting.leak(placed),
        unplaced=len(entries) - len(placed),
    ), placed


def _splits(placed: Sequence[PlacedSample]) -> dict[str, dict[str, int]]:
    from generation.training.types import DataSplit

    parts = {split.value: [each for each in placed if each.split is split] for split in DataSplit}
    return {
        split: {"books": len({each.text_sha256 for each in mine}), "samples": len(mine)}
        for split, mine in parts.items()
    }


def _write(placed: Sequence[PlacedSample], found: Dataset, out: Path) -> None:
    """Writes only samples whose book was found, because training needs the book."""
    if found.leak:
        raise DatasetInvalid(found.leak)
    paths = {str(pair.book.path) for pair in found.pairs.values()}
    lines = list(_lines(each for each in placed if each.sample.book in paths))
    if not lines:
        raise DatasetInvalid(
            "No text has both a book and a split, so there is nothing to write.",
            remedy="Omit --out to see which books were not found.",
        )
    out.parent.mkdir(parents=True, exist_ok=True)
    files.write_text(out, "".join(json_lines.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    output.tell(f"{out}: {len(lines):,} samples")


def _lines(placed: Iterator[PlacedSample]) -> Iterator[dict[str, str]]:
    for each in placed:
        yield {
            "book": str(Path(each.sample.book).absolute()),
            "character": each.sample.characters[0],
            "task": each.sample.task.value,
            "reference": each.sample.reference,
            "split": each.split.value,
        }


def _document(found: Dataset) -> dict[str, Any]:
    books = [
        {"book_id": number, "title": title, "author": author or None, **plain(pair)}
        for (number, title, author), pair in found.pairs.items()
    ]
    return {
        "repeats": found.repeats,
        "short": found.short,
        "tasks": plain(found.tasks),
        "between_tasks": plain(found.between),
        "books": books,
        "unpaired": plain(found.unpaired),
        "unread": plain(found.unread),
        "splits": plain(found.splits),
        "leak": found.leak,
        "unplaced": found.unplaced,
    }
