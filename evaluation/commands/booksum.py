"""`bookworm evaluate booksum`: BookSum's files counted and matched, its texts and baselines measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from books.errors import BookwormError
from coref.training.commands.options import folder_given
from service.cli import output
from service.cli.json_values import plain
from service.cli.options import JsonFlag

if TYPE_CHECKING:
    from evaluation.booksum.novel_sections import PairedNovel
    from evaluation.booksum.rating_sheets import RatedSummary
    from evaluation.booksum.types import AlignedRow
    from evaluation.commands.booksum_report import BookSumReport, BookSumTexts


@dataclass(frozen=True, slots=True)
class TextOptions:
    """What to do with the texts."""

    embedder: str
    limit: int | None
    baselines: bool
    bertscore: bool
    cloze: bool
    reader: Path | None
    sheet: Path | None
    seed: int


_RATED = 20
"""Texts of each level whose summaries are on a sheet."""


class BookSumInvalid(BookwormError):
    code = "booksum_invalid"
    remedy = "Use BookSum's own files and folders: see evaluation/booksum/README.md."


def booksum(
    data: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER", exists=True, file_okay=False, help="Folder with BookSum's alignment files."
        ),
    ],
    novels: Annotated[
        Path | None,
        folder_given(
            "--novels",
            "Match the sections with the chapters of these novels, named by Project Gutenberg number.",
        ),
    ] = None,
    texts: Annotated[
        Path | None,
        folder_given("--texts", "Measure summaries and texts in this folder, which has BookSum's layout."),
    ] = None,
    baselines: Annotated[
        bool, typer.Option("--baselines", help="Score extractive baselines on the test split of --texts.")
    ] = False,
    bertscore: Annotated[
        bool, typer.Option("--bertscore", help="Score the baselines by BERTScore too.")
    ] = False,
    cloze: Annotated[
        bool,
        typer.Option("--cloze", help="Ask for names of the text that the baselines tell."),
    ] = False,
    reader: Annotated[
        Path | None,
        folder_given(
            "--reader", "Extractive question answering that answers --cloze; default: the nearest names."
        ),
    ] = None,
    sheet: Annotated[
        Path | None,
        typer.Option(
            "--sheet",
            metavar="FILE",
            dir_okay=False,
            help="Write a sheet on which people rate the baselines' summaries, and FILE.key.json.",
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Read at most this many pairs per level and split.")
    ] = None,
    embedder: Annotated[
        str, typer.Option("--embedder", help="Embedder to use; see `bookworm doctor`.")
    ] = "minilm",
    seed: Annotated[int, typer.Option("--seed", help="Random seed of the random baseline.")] = 1,
    json: JsonFlag = False,
) -> None:
    """Count and check BookSum's summaries, match them with chapters, and measure texts and baselines."""
    if texts is None and (baselines or limit is not None):
        raise typer.BadParameter("`--baselines` and `--limit` need the texts.", param_hint="--texts")
    if (bertscore or cloze or sheet) and not baselines:
        raise typer.BadParameter(
            "`--bertscore`, `--cloze` and `--sheet` are about the baselines.", param_hint="--baselines"
        )
    rows = _rows(data)
    paired = None if novels is None else _paired(rows, novels)
    measured = None
    if texts is not None:
        wanted = TextOptions(embedder, limit, baselines, bertscore, cloze, reader, sheet, seed)
        measured = _measured(rows, texts, paired or (), wanted)
    found = _found(rows, paired, measured)
    if json:
        output.write_json(plain(found))
    else:
        from evaluation.commands import booksum_view as view

        view.show(found)


def _rows(data: Path) -> tuple[AlignedRow, ...]:
    from evaluation.booksum.alignment import read_alignment
    from evaluation.datasets.types import DataInvalid

    try:
        return read_alignment(data)
    except (DataInvalid, OSError) as error:
        raise BookSumInvalid(str(error)) from error


def _paired(rows: Sequence[AlignedRow], novels: Path) -> list[PairedNovel]:
    from evaluation.booksum.novel_sections import paired_novels

    output.tell(f"Reading the novels in {novels}")
    paired = paired_novels(rows, novels)
    if not paired:
        raise typer.BadParameter(f"{novels} has none of BookSum's novels.", param_hint="--novels")
    return paired


def _found(
    rows: Sequence[AlignedRow], paired: Sequence[PairedNovel] | None, measured: BookSumTexts | None
) -> BookSumReport:
    from evaluation.booksum.counts import by_source, by_split, oddities
    from evaluation.booksum.novel_sections import disputed, match_novels
    from evaluation.booksum.split_checks import check_splits
    from evaluation.commands.booksum_report import BookSumReport

    return BookSumReport(
        splits=by_split(rows),
        sources=by_source(rows),
        oddities=oddities(rows),
        check=check_splits(rows),
        disputed=disputed(rows),
        novels=None if paired is None else match_novels(paired),
        texts=measured,
    )


def _measured(
    rows: Sequence[AlignedRow], folder: Path, paired: Sequence[PairedNovel], wanted: TextOptions
) -> BookSumTexts:
    from evaluation.booksum import bench
    from evaluation.booksum.novel_texts import read_texts
    from evaluation.booksum.pairs import load_pairs
    from evaluation.commands.booksum_report import BookSumTexts
    from evaluation.metrics.cloze import ClozeScorer
    from retrieval.registry import make_embedder

    vectors = make_embedder(wanted.embedder)
    loaded = load_pairs(rows, folder, limit=wanted.limit, novels=read_texts(paired))
    if not loaded.pairs:
        raise BookSumInvalid(f"{folder} has no summary with its text.")
    output.tell(f"Aligning {len(loaded.pairs):,} summaries")
    aligned = bench.align_all(loaded.pairs, vectors)
    pairs = bench.with_paragraphs(loaded.pairs, aligned)
    scores = []
    told: list[RatedSummary] = []
    if wanted.baselines:
        output.tell("Measuring the baselines")
        scores = bench.measure_systems(
            pairs,
            vectors,
            seed=wanted.seed,
            bertscore=wanted.bertscore,
            cloze=ClozeScorer(wanted.reader) if wanted.cloze else None,
            tell=told.append if wanted.sheet else None,
        )
        if not scores:
            raise BookSumInvalid(f"{folder} has no summary of the test split with its text.")
    if wanted.sheet:
        _write_sheet(told, wanted.sheet, wanted.seed)
    return BookSumTexts(
        vectors.name,
        loaded.without_summary,
        loaded.without_text,
        loaded.dropped,
        bench.figures_by_level(pairs, aligned),
        scores,
    )


def _write_sheet(told: Sequence[RatedSummary], file: Path, seed: int) -> None:
    from evaluation.booksum.rating_sheets import sheet_of

    sheet, key = sheet_of(told, most=_RATED, seed=seed)
    file.write_text(sheet, "utf-8-sig")  # as spreadsheets expect it
    file.with_name(f"{file.name}.key.json").write_text(key, "utf-8")
    output.tell(f"Wrote {file}. Each judge fills in a copy; `bookworm evaluate sheets` reads them.")
