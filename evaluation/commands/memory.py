"""`bookworm evaluate memory`: what a reader remembers of a novel, by how long ago it was read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from books.errors import BookwormError
from coref.training.commands.options import file_option
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
    from collections.abc import Iterator, Mapping, Sequence

    from evaluation.corpus.types import CorpusNovel
    from evaluation.memory.contexts import Shown
    from evaluation.memory.memory_sets import ToldNovel
    from evaluation.memory.reconstruction import Corrector
    from evaluation.memory.sitting import Sitting
    from evaluation.memory.takers import Taker
    from evaluation.metrics.qa import QuestionAnswering
    from evaluation.portraits.types import OpenedBook
    from generation.models.protocols import LanguageModel
    from retrieval.protocols import Embedder


class NoMemorySet(BookwormError):
    code = "no_memory_set"
    remedy = "Give the folder with the texts that the corpus was made from."


Asking = Annotated[
    str | None,
    typer.Option("--generator", metavar="NAME", help="Generator whose language model takes the test too."),
]
_NAMED = ("none", "summary", "whole")


def _known(asked: list[str] | None) -> list[str] | None:
    for what in asked or ():
        if what not in _NAMED and not (what.isdecimal() and int(what) > 0):
            raise typer.BadParameter(f"{', '.join(_NAMED)}, or a number of passages")
    return asked


Contexts = Annotated[
    list[str] | None,
    typer.Option(
        "--context",
        metavar="WHAT",
        callback=_known,
        help="What the model is shown: none, summary, whole, or a number of passages; may be repeated.",
    ),
]


Scenes = Annotated[
    int | None,
    typer.Option(
        "--scenes",
        min=6,
        help="Ask about this many scenes of each novel as the model tells them, not the corpus.",
    ),
]
Each = Annotated[int, typer.Option("--each", min=1, max=20, help="Questions at the end of each chapter.")]
Hard = Annotated[bool, typer.Option("--hard", help="Leave out questions that the names give away.")]
Correcting = Annotated[
    bool, typer.Option("--corrections", help="Also give summaries with errors to be corrected.")
]
Asked = Annotated[
    bool,
    typer.Option(
        "--qa", help="Ask of these summaries what the model asks about the right ones, as `qa` does."
    ),
]
Curve = Annotated[Path | None, file_option("--curve", "Draw the curves as SVG.")]
Questions = Annotated[Path | None, file_option("--questions", "Write the questions as JSON lines.")]


def memory(
    context: typer.Context,
    novels: CorpusTexts,
    work: ResolvedBooks = None,
    only_resolved: OnlyResolved = False,
    only: OnlyNovels = None,
    split: CorpusSplit = "dev",
    generator: Asking = None,
    shown: Contexts = None,
    scenes: Scenes = None,
    each: Each = 2,
    hard: Hard = False,
    correcting: Correcting = False,
    asked: Asked = False,
    curve: Curve = None,
    questions: Questions = None,
    json: JsonFlag = False,
) -> None:
    """Ask at the end of every chapter what happened, and measure who knows, by the words read since."""
    from evaluation.commands.memory_view import show, show_corrections
    from evaluation.corpus import loading
    from evaluation.memory.guessing import guess
    from evaluation.memory.measuring import curve as measured
    from evaluation.memory.memory_sets import questions as asked_of
    from evaluation.memory.reconstruction import tasks
    from evaluation.memory.sitting import Sitting
    from generation.registry import make_model

    session, room = Session.of(context), room_for(context, work, embedder="minilm")
    embedder = room.embedder
    model = make_model(generator, setup=session.engines.rule.writers()) if generator else None

    def opened() -> Iterator[tuple[CorpusNovel, OpenedBook]]:
        told = (novel for novel in loading.novels(split) if novel.chapters)
        return room.open_novels(told, novels, only=only, only_resolved=only_resolved)

    if scenes and model is None:
        raise typer.BadParameter("It needs --generator.", param_hint="--scenes")
    if asked and not (correcting and model):
        raise typer.BadParameter("It needs --corrections and --generator.", param_hint="--qa")
    known = [_told(novel, book, model, scenes) for novel, book in opened()]
    contexts = {what: _context(what, embedder, known) for what in shown or ("none", "5", "20")}
    sitting = Sitting(
        _takers(model, embedder, contexts), _correctors(model, contexts), _asking(model) if asked else None
    )
    for mine, (_, book) in zip(known, opened(), strict=True):
        made = asked_of(mine, book.book, book.annotations, known, each=each)
        sitting.take([question for question in made if not (hard and question.by_names)], book.index())
        if correcting:
            given = tasks(mine, book.book, book.annotations, model=model if scenes else None)
            sitting.correct(mine.novel, given, book.index())
        output.tell(f"{mine.novel}: {len(sitting.asked)} questions in all")
    if not sitting.asked:
        raise NoMemorySet(f"{novels} has none of the novels whose events the corpus knows.")
    guessed = guess(sitting.asked, embedder)
    rewritten = sitting.scores()
    if json:
        curves = {name: measured(found) for name, found in sitting.results.items()}
        document = {"results": plain(sitting.results), "curves": plain(curves)}
        output.write_json({"guessed": plain(guessed), **document, "corrections": plain(rewritten)})
    else:
        show(sitting.results, guessed)
        if rewritten:
            show_corrections(rewritten)
    _write(sitting, curve, questions)


def _told(novel: CorpusNovel, book: OpenedBook, model: LanguageModel | None, scenes: int | None) -> ToldNovel:
    from evaluation.memory.memory_sets import told, written

    if scenes and model:
        return written(novel, book.book, book.annotations, model, most=scenes)
    return told(novel, book.book, book.annotations)


def _takers(model: LanguageModel | None, embedder: Embedder, contexts: Mapping[str, Shown]) -> list[Taker]:
    from evaluation.memory.takers import ModelTaker, NearestTaker, WordsTaker

    takers: list[Taker] = [NearestTaker(embedder)]
    takers += [WordsTaker(shown, f"words, {what}") for what, shown in contexts.items()]
    if model is not None:
        takers += [ModelTaker(model, shown, f"model, {what}") for what, shown in contexts.items()]
    return takers


def _correctors(model: LanguageModel | None, contexts: Mapping[str, Shown]) -> list[Corrector]:
    from evaluation.memory.reconstruction import Corrector

    if model is None:
        return []
    return [Corrector(model, shown, f"model, {what}") for what, shown in contexts.items()]


def _asking(model: LanguageModel | None) -> QuestionAnswering:
    from evaluation.metrics.options import Options
    from evaluation.metrics.qa import QuestionAnswering

    return QuestionAnswering(Options(model=model))


def _context(what: str, embedder: Embedder, known: Sequence[ToldNovel]) -> Shown:
    from evaluation.memory.contexts import Retrieved, Summarised, nothing, whole

    if what.isdecimal():
        return Retrieved(embedder, int(what))
    contexts: dict[str, Shown] = {"none": nothing, "summary": Summarised(known), "whole": whole}
    return contexts[what]


def _write(sitting: Sitting, picture_file: Path | None, questions_file: Path | None) -> None:
    from evaluation.memory.curve_picture import picture
    from evaluation.memory.measuring import chance, curve
    from generation.quiz.sets import as_lines

    if questions_file is not None:
        rows = as_lines((each.reading, each.asked) for each in sitting.asked)
        questions_file.write_text("".join(f"{row}\n" for row in rows), "utf-8")
    if picture_file is not None:
        curves = {name: curve(found) for name, found in sitting.results.items()}
        some = next(iter(sitting.results.values()))
        picture_file.write_text(picture(curves, chance(some)), "utf-8")
