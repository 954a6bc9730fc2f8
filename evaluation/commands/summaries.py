"""`bookworm evaluate summaries`: what the summaries of chapters tell of what happens in them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from books.errors import BookwormError
from evaluation.commands.booookscore import Together
from evaluation.commands.options import (
    CorpusSplit,
    CorpusTexts,
    OnlyNovels,
    OnlyResolved,
    ResolvedBooks,
    room_for,
)
from service.cli import output
from service.cli.json_values import plain
from service.cli.options import JsonFlag
from service.cli.session import Session

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.table import Table

    from evaluation.summaries.measuring import ChapterScore
    from evaluation.summaries.recaps import RecapScore, Teller

_SHOWN = ("words_told", "rouge1", "rouge2", "rougeL", "booookscore", "words", "tokens", "seconds")
"""Measures of recaps for which there is room on a terminal. The report has all."""


class NoEvents(BookwormError):
    code = "no_events"
    remedy = "Give the folder with the texts that the corpus was made from."


def summaries(
    context: typer.Context,
    novels: CorpusTexts,
    work: ResolvedBooks = None,
    only_resolved: OnlyResolved = False,
    only: OnlyNovels = None,
    split: CorpusSplit = "dev",
    generator: Annotated[
        str | None,
        typer.Option("--generator", metavar="NAME", help="Generator whose language model writes recaps too."),
    ] = None,
    chunk: Annotated[
        int, typer.Option("--chunk", min=100, help="Tokens of the book that a model reads at once.")
    ] = 8_192,
    judge: Annotated[
        str | None,
        typer.Option(
            "--judge", metavar="NAME", help="Generator whose language model judges recaps by BooookScore."
        ),
    ] = None,
    together: Together = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            file_okay=False,
            help="Write the recaps and a report with every measure, BERTScore and questions too. What models"
            " wrote is kept there, and is not asked for again.",
        ),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Measure what summaries of chapters and recaps tell of what happens, beside simpler ones.

    A language model writes recaps by merging what it wrote about parts, by updating one from part to part,
    by choosing among what it wrote about parts, and with all that was read in its context, where that fits.
    """
    from evaluation.corpus import loading
    from evaluation.metrics.rouge import Rouge
    from evaluation.summaries import report
    from evaluation.summaries.examples import novel_events
    from evaluation.summaries.measuring import score
    from evaluation.summaries.recap_measures import SummaryMeasures
    from evaluation.summaries.recaps import TELLERS, scores
    from evaluation.summaries.systems import SYSTEMS

    session = Session.of(context)
    rouge = Rouge()
    measures = SummaryMeasures(rouge=rouge, every=out is not None)
    telling = {**TELLERS, **_written(session, generator, chunk, out)}
    found: dict[str, list[ChapterScore]] = {name: [] for name in SYSTEMS}
    recaps: dict[str, list[RecapScore]] = {name: [] for name in telling}
    room = room_for(context, work, embedder="minilm")
    of_split = loading.novels(split)
    for novel, book in room.open_novels(of_split, novels, only=only, only_resolved=only_resolved):
        for name, each in scores(novel, book, telling, measures):
            recaps[name].append(each)
            if each.why is not None:
                output.tell(f"{name}, {novel.title} to chapter {each.upto}: {each.why}")
        events = novel_events(novel, book)
        if not events.quoted and not (events.rows.judged == events.rows.judged).any():
            continue
        for name, system in SYSTEMS.items():
            found[name] += score(events, book, system, rouge)
    if not any(found.values()):
        raise NoEvents(f"{novels} has none of the novels whose events the corpus knows.")
    if judge is not None:
        recaps = _judged(session, recaps, judge, together, out)
    document = {
        "chapters": {name: plain(each) for name, each in found.items()},
        "recaps": {name: plain(each) for name, each in recaps.items()},
    }
    if out is not None:
        output.tell(f"Wrote {report.write_report(out, found, recaps, document=document)}")
    if json:
        output.write_json(document)
        return
    output.out.print(_table(found, report.CHAPTER_COLUMNS))
    output.out.print(_table(recaps, {column: report.RECAP_COLUMNS[column] for column in _SHOWN}))
    output.out.print(report.NOTE, style="dim")


def _judged(
    session: Session,
    recaps: Mapping[str, list[RecapScore]],
    judge: str,
    together: int,
    out: Path | None,
) -> dict[str, list[RecapScore]]:
    from evaluation.booookscore.kept_judgements import KeptJudgements
    from evaluation.summaries.recaps import judged
    from generation.registry import make_model

    model = make_model(judge, setup=session.engines.rule.writers())
    kept = KeptJudgements(out or session.settings.data_dir / "booookscore")
    return {name: judged(each, model, kept, together=together) for name, each in recaps.items()}


def _written(session: Session, generator: str | None, chunk: int, out: Path | None) -> Mapping[str, Teller]:
    from evaluation.summaries.written import tellers
    from generation.registry import make_generator

    if generator is None:
        return {}
    writer = make_generator(generator, setup=session.engines.rule.writers())
    if writer.prompts is None:
        raise typer.BadParameter("one with a language model", param_hint="--generator")
    return tellers(
        writer,
        chunk=chunk,
        temperature=session.settings.temperature,
        embedder=session.engines.embedder,
        kept=None if out is None else out / "kept",
    )


def _table(found: Mapping[str, Sequence[ChapterScore | RecapScore]], columns: Mapping[str, str]) -> Table:
    from evaluation.summaries.report import figure
    from service.cli.figure_tables import figure_table

    table = figure_table("Sentences by", *columns.values())
    for name, scores in found.items():
        table.add_row(name, *(figure(scores, column) for column in columns))
    return table
