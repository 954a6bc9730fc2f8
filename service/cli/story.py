"""Commands that tell the story: `summarise`, `recap` and `timeline`."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import Annotated

import typer
from rich.text import Text

from generation.types import Strategy, Task
from service.cli import output
from service.cli.answer_options import Asked, asking
from service.cli.answers import reply, writer_of
from service.cli.library import reading
from service.cli.models import write_with
from service.cli.options import Book, JsonFlag, Upto

Chapter = Annotated[
    int | None, typer.Option("--chapter", min=1, help="Summarise this chapter, counted from 1.")
]
Chunk = Annotated[
    int | None,
    typer.Option("--chunk", min=100, help="Tokens of the book that a language model reads at once."),
]
Candidates = Annotated[
    int,
    typer.Option("--candidates", min=1, max=16, help="Texts on each part, of which `ranked` takes the best."),
]


class StoryStrategy(StrEnum):
    """The strategies with which a story is told."""

    HIERARCHICAL = Strategy.HIERARCHICAL.value
    INCREMENTAL = Strategy.INCREMENTAL.value
    RANKED = Strategy.RANKED.value


StrategyOption = Annotated[
    StoryStrategy | None,
    typer.Option(
        "--strategy",
        help="How a language model reads the book: in parts that are merged, part after part, or in parts of"
        " which the surest are kept.",
    ),
]


@asking
def summarise(
    context: typer.Context,
    book: Book,
    chapter: Chapter = None,
    chunk: Chunk = None,
    strategy: StrategyOption = None,
    candidates: Candidates = 1,
    *,
    asked: Asked,
) -> None:
    """Summarise a BOOK or one of its chapters. Without a language model in the book's own sentences."""
    wanted = replace(
        asked.wanted, chapter=chapter, chunk=chunk, candidates=candidates, strategy=_strategy(strategy)
    )
    _tell(context, book, Task.SUMMARY, replace(asked, wanted=wanted))


@asking
def recap(
    context: typer.Context,
    book: Book,
    chunk: Chunk = None,
    strategy: StrategyOption = None,
    candidates: Candidates = 1,
    *,
    asked: Asked,
) -> None:
    """The story so far, up to --upto: what happened, where you stopped, and who is there."""
    wanted = replace(asked.wanted, chunk=chunk, candidates=candidates, strategy=_strategy(strategy))
    _tell(context, book, Task.RECAP, replace(asked, wanted=wanted))


def timeline(context: typer.Context, book: Book, upto: Upto = None, json: JsonFlag = False) -> None:
    """List the main event of each chapter of a BOOK in its own words."""
    from service.usecases import timeline as usecase
    from service.wire.story import TimelineOut

    with reading(context, book) as (library, book_id):
        view = library.view(book_id, upto)
        name_of = view.annotations.character
        found = TimelineOut.of(usecase.timeline(view), book=view.book, name_of=name_of)
    if json:
        output.write_json(found)
        return
    for event in found.items:
        title = event.title or f"Chapter {event.chapter}"
        if event.percent is not None:
            title += f", {event.percent}% into the book"
        output.out.print(Text(f"{event.chapter:>3}  ", style="bold").append(title))
        output.out.print(Text(f"     {event.text}", style=""))
        if event.people:
            output.out.print(Text(f"     {', '.join(p.name for p in event.people)}", style="dim"))


def _strategy(chosen: StoryStrategy | None) -> Strategy | None:
    return None if chosen is None else Strategy(chosen)


def _tell(context: typer.Context, book: str, task: Task, asked: Asked) -> None:
    write_with(context, asked.model)
    with reading(context, book, check=writer_of(asked)) as (library, book_id):
        reply(library, book_id, task, (), asked)
