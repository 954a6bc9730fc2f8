"""`bookworm evaluate questions`: whether the places that answer readers' questions are found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from evaluation.commands.options import (
    CorpusSplit,
    CorpusTexts,
    OnlyNovels,
    OnlyResolved,
    ResolvedBooks,
    room_for,
)
from service.cli import output
from service.cli.figure_tables import figure_table
from service.cli.json_values import plain
from service.cli.options import JsonFlag

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.table import Table

    from evaluation.asking.measuring import AskedQuestion


def questions(
    context: typer.Context,
    novels: CorpusTexts,
    work: ResolvedBooks = None,
    only_resolved: OnlyResolved = False,
    only: OnlyNovels = None,
    split: CorpusSplit = "dev",
    json: JsonFlag = False,
) -> None:
    """Measure how often the place that answers a question is found, and how often none is refused."""
    from evaluation.asking.finders import finders
    from evaluation.asking.measuring import NearQuestion, asked, near_questions
    from evaluation.corpus.loading import novels as novels_of
    from evaluation.corpus.questions import questions as questions_of

    room = room_for(context, work, embedder="minilm")
    ways = finders(room.embedder)
    every = [questions_of(novel.novel) for novel in novels_of(split)]
    near: list[NearQuestion] = []
    found: dict[str, list[AskedQuestion]] = {name: [] for name in ways}
    asking = (novel for novel in novels_of(split) if questions_of(novel.novel).questions)
    for novel, book in room.open_novels(asking, novels, only=only, only_resolved=only_resolved):
        for name, way in ways.items():
            found[name] += asked(questions_of(novel.novel), book.book, book.index(), way)
        near += near_questions(
            novel.novel, [each for each in every if each.questions], book.index(), room.embedder
        )
    if json:
        output.write_json({**{name: plain(each) for name, each in found.items()}, "near": plain(near)})
        return
    output.out.print(_found_table(found))
    output.out.print(_kinds_table(found["asking"]))
    output.out.print(_refusals(found["asking"]))
    output.out.print(
        f"Search by meaning shows something for {_share(each.found for each in near if each.own)}% of the "
        f"questions about a novel, and for {_share(each.found for each in near if not each.own)}% of those "
        "about the others."
    )


def _found_table(found: dict[str, list[AskedQuestion]]) -> Table:
    from evaluation.metrics.statistics import interval

    table = figure_table("Places by", "First", "Among 3", "Among 5", "Among 12")
    for name, every in found.items():
        answerable = [each for each in every if each.answerable]
        row = []
        for most in (1, 3, 5, 12):
            hits = [float(each.rank is not None and each.rank <= most) for each in answerable]
            measured = interval(hits, books=[each.novel for each in answerable])
            assert measured is not None
            row.append(measured.percents())
        table.add_row(name, *row)
    table.caption_justify = "left"
    table.caption = f"{len(answerable)} questions. Shares in percent, with 95% intervals over novels."
    return table


def _kinds_table(every: Sequence[AskedQuestion]) -> Table:
    table = figure_table("Questions", "Number", "First", "Among 5", "Refused")
    for kind in dict.fromkeys(each.kind for each in every):
        mine = [each for each in every if each.kind == kind]
        ranks = [each.rank for each in mine]
        hits = (
            [_share(r is not None and r <= most for r in ranks) for most in (1, 5)]
            if mine[0].answerable
            else ["–", "–"]
        )
        table.add_row(kind, str(len(mine)), *hits, _share(each.refused for each in mine))
    return table


def _refusals(every: Sequence[AskedQuestion]) -> str:
    lost = _share(each.refused for each in every if each.answerable)
    refused = _share(each.refused for each in every if not each.answerable)
    return f"Refused: {refused}% of those that the book does not answer, {lost}% of the others."


def _share(which: Iterable[bool]) -> str:
    known = list(which)
    return f"{100 * sum(known) / len(known):.1f}" if known else "–"
