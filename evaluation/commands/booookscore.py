"""`bookworm evaluate booookscore`: how coherent summaries of books are, by the share of clear sentences."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from books.errors import BookwormError
from coref.training.commands.options import folder_given
from service.cli import output, progress
from service.cli.json_values import plain
from service.cli.options import JsonFlag
from service.cli.session import Session

if TYPE_CHECKING:
    from evaluation.booookscore.estimate import EstimatedSummary
    from evaluation.booookscore.judging import JudgedSummaries


class SummariesInvalid(BookwormError):
    code = "summaries_invalid"
    remedy = "See evaluation/booookscore/README.md for the files that the command reads."


Summaries = Annotated[
    Path,
    typer.Argument(
        metavar="PATH",
        exists=True,
        help="Summaries: JSON with one for each book, or a folder of .txt. Or the paper's released folder.",
    ),
]
Judging = Annotated[
    str | None,
    typer.Option(
        "--generator",
        metavar="NAME",
        help="Generator whose language model judges the sentences. The default is the setting.",
    ),
]
Together = Annotated[
    int,
    typer.Option(
        "--together", min=1, max=50, help="Sentences in a request. The paper asks about one; more cost less."
    ),
]
Kept = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="FOLDER",
        file_okay=False,
        help="Folder of the judgements; a second run asks nothing again. Default: in the data folder.",
    ),
]
Books = Annotated[
    Path | None,
    folder_given(
        "--books", "Folder with the texts of the books, as NAME.txt: shows the share of new trigrams."
    ),
]
Estimate = Annotated[
    bool, typer.Option("--estimate", help="Estimate the score offline instead of asking a language model.")
]


def booookscore(
    context: typer.Context,
    summaries: Summaries,
    generator: Judging = None,
    together: Together = 1,
    out: Kept = None,
    books: Books = None,
    estimate: Estimate = False,
    json: JsonFlag = False,
) -> None:
    """Measure how coherent summaries of books are, and reproduce the figures of the BooookScore paper."""
    from evaluation.booookscore.release import is_release
    from evaluation.booookscore.release_report import release_report
    from evaluation.booookscore.summary_files import read_books, read_summaries
    from evaluation.commands import booookscore_view as view
    from evaluation.datasets.types import DataInvalid

    if summaries.is_file() and summaries.suffix.lower() == ".txt":
        raise typer.BadParameter("Give the folder with the texts, not one of them.", param_hint="PATH")
    session = Session.of(context)
    asked = {"--generator": generator, "--together": together > 1, "--out": out, "--books": books}
    try:
        if is_release(summaries):
            _refuse(asked | {"--estimate": estimate}, "the released folder, whose sentences are annotated")
            report = release_report(summaries)
            if json:
                output.write_json(plain(report))
            else:
                view.show_release(report)
            return
        texts = read_summaries(summaries)
        sources = {} if books is None else read_books(books, list(texts))
    except DataInvalid as error:
        raise SummariesInvalid(str(error)) from error
    if estimate:
        _refuse(asked, "an estimate, which asks no model")
        found = _estimated(texts)
        if json:
            output.write_json({"summaries": plain(found)})
        else:
            view.show_estimate(found)
        return
    folder = out or session.settings.data_dir / "booookscore"
    judged, model = _judged(session, texts, generator, together, folder)
    _show(summaries.stem, judged, model, sources, as_json=json)


def _refuse(options: Mapping[str, object], what: str) -> None:
    """Refuse options that would have no effect."""
    for name, value in options.items():
        if value:
            raise typer.BadParameter(f"It does not apply to {what}.", param_hint=name)


def _estimated(texts: dict[str, str]) -> list[EstimatedSummary]:
    from evaluation.booookscore.estimate import FILE, EstimateUnfit, estimate, load
    from retrieval.registry import make_embedder

    try:
        return estimate(texts, make_embedder(), load())
    except EstimateUnfit as error:
        remedy = f"Run `bookworm train booookscore FOLDER --output {FILE}`."
        raise SummariesInvalid(str(error), remedy=remedy) from error


def _judged(
    session: Session, texts: dict[str, str], generator: str | None, together: int, folder: Path
) -> tuple[JudgedSummaries, str]:
    from evaluation.booookscore.judging import judge_summaries
    from evaluation.booookscore.kept_judgements import KeptJudgements
    from generation.registry import make_model

    name = generator or session.engines.default.name
    model = make_model(name, setup=session.engines.rule.writers())
    with progress.bar("Judging sentences") as shown:
        found = judge_summaries(model, texts, KeptJudgements(folder), together=together, tell=shown)
    return found, model.name


def _show(name: str, judged: JudgedSummaries, model: str, sources: dict[str, str], *, as_json: bool) -> None:
    from evaluation.booookscore.scoring import system_score

    try:
        score = system_score(name, judged.summaries, sources)
    except ValueError as error:
        raise SummariesInvalid(
            f"{model} gave no usable answer about any sentence.",
            remedy="Use a larger language model, or --together 1.",
        ) from error
    if as_json:
        counts = {"asked": judged.asked, "kept": judged.kept, "unread": judged.unread}
        document = {"model": model, **counts, "usage": plain(judged.usage), "score": plain(score)}
        output.write_json(document | {"summaries": plain(judged.summaries)})
    else:
        from evaluation.commands import booookscore_view as view

        view.show_judged(score, judged, model)
