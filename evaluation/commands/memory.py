"""`bookworm evaluate memory`: what a reader remembers of a novel, by how long ago it was read."""

from __future__ import annotations

from json import dumps as to_json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from books.errors import BookwormError
from evaluation.commands.options import CorpusTexts, OnlyNovels, OnlyResolved, ResolvedBooks
from service.cli import output
from service.cli.json_values import plain
from service.cli.options import JsonFlag
from service.cli.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from evaluation.corpus.types import CorpusNovel, Split
    from evaluation.memory.contexts import Shown
    from evaluation.memory.measuring import TakenQuestion
    from evaluation.memory.memory_sets import MemoryQuestion, ToldNovel
    from evaluation.memory.reconstruction import Corrector
    from evaluation.memory.takers import Taker
    from evaluation.portraits.types import OpenedBook
    from generation.models.protocols import LanguageModel
    from generation.quiz.types import CorrectionTask
    from retrieval.index import BookIndex
    from retrieval.protocols import Embedder


class NoMemorySet(BookwormError):
    code = "no_memory_set"
    remedy = "Give the folder with the texts that the corpus was made from."


Asking = Annotated[
    str | None,
    typer.Option("--generator", metavar="NAME", help="Generator whose language model takes the test too."),
]
Contexts = Annotated[
    list[str] | None,
    typer.Option(
        "--context",
        metavar="WHAT",
        help="What the model is shown: none, summary, whole, or a number of passages; may be repeated.",
    ),
]


def memory(
    context: typer.Context,
    novels: CorpusTexts,
    work: ResolvedBooks = None,
    only_resolved: OnlyResolved = False,
    only: OnlyNovels = None,
    split: Annotated[str, typer.Option("--split", help="Split of the corpus: train, dev or test.")] = "dev",
    generator: Asking = None,
    shown: Contexts = None,
    each: Annotated[
        int, typer.Option("--each", min=1, max=20, help="Questions at the end of each chapter.")
    ] = 2,
    hard: Annotated[
        bool, typer.Option("--hard", help="Leave out questions that the names give away.")
    ] = False,
    correcting: Annotated[
        bool, typer.Option("--corrections", help="Also give summaries with errors to be corrected.")
    ] = False,
    curve: Annotated[
        Path | None, typer.Option("--curve", metavar="FILE", dir_okay=False, help="Draw the curves as SVG.")
    ] = None,
    questions: Annotated[
        Path | None,
        typer.Option("--questions", metavar="FILE", dir_okay=False, help="Write the questions as JSON."),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Ask at the end of every chapter what happened, and measure who knows, by the words read since."""
    from evaluation.commands.memory_view import show, show_corrections
    from evaluation.corpus.types import SPLITS
    from evaluation.memory.guessing import guess
    from evaluation.memory.memory_sets import questions as asked_of
    from evaluation.memory.memory_sets import told
    from evaluation.memory.reconstruction import UNCHANGED, scores, tasks
    from evaluation.summaries.opening import opened_novels
    from generation.registry import make_model
    from retrieval.registry import make_embedder

    if split not in SPLITS:
        raise typer.BadParameter(f"one of {', '.join(SPLITS)}", param_hint="--split")
    session, embedder = Session.of(context), make_embedder()

    def opened() -> Iterator[tuple[CorpusNovel, OpenedBook]]:
        return opened_novels(
            cast("Split", split),
            texts=novels,
            work=work or session.settings.data_dir / "keyfacts",
            resolver=session.engines.resolver,
            only_resolved=only_resolved,
            tell=output.tell,
            only=only or (),
            wanted=lambda novel: bool(novel.chapters),
        )

    known = [told(novel, book.book, book.annotations) for novel, book in opened()]
    contexts = {what: _context(what, embedder, known) for what in shown or ("none", "5", "20")}
    model = make_model(generator, setup=session.engines.rule.writers()) if generator else None
    takers = _takers(model, embedder, contexts)
    correctors = _correctors(model, contexts)
    asked: list[MemoryQuestion] = []
    results: dict[str, list[TakenQuestion]] = {taker.name: [] for taker in takers}
    false: list[CorrectionTask] = []
    corrected: dict[str, list[str]] = {corrector.name: [] for corrector in correctors}
    for mine, (_, book) in zip(known, opened(), strict=True):
        made = asked_of(mine, book.book, book.annotations, known, each=each)
        some = [question for question in made if not (hard and question.by_names)]
        asked += some
        for taker in takers:
            results[taker.name] += _taken(taker, some, book.index())
            output.tell(f"{mine.novel}: {len(some)} questions to {taker.name}")
        if correcting:
            given = tasks(mine, book.book, book.annotations)
            false += given
            for corrector in correctors:
                corrected[corrector.name] += corrector.correct(mine.novel, given, book.index())
    if not asked:
        raise NoMemorySet(f"{novels} has none of the novels whose events the corpus knows.")
    guessed = guess(asked, embedder)
    texts = {UNCHANGED: [task.given for task in false], **corrected} if false else {}
    rewritten = {name: scores(found, false) for name, found in texts.items()}
    _write(asked, results, curve, questions)
    if json:
        output.write_json(
            {"guessed": plain(guessed), "results": plain(results), "corrections": plain(rewritten)}
        )
        return
    show(results, guessed)
    if rewritten:
        show_corrections(rewritten)


def _takers(model: LanguageModel | None, embedder: Embedder, contexts: Mapping[str, Shown]) -> list[Taker]:
    from evaluation.memory.takers import ModelTaker, NearestTaker

    takers: list[Taker] = [NearestTaker(embedder)]
    if model is not None:
        takers += [ModelTaker(model, shown, f"model, {what}") for what, shown in contexts.items()]
    return takers


def _correctors(model: LanguageModel | None, contexts: Mapping[str, Shown]) -> list[Corrector]:
    from evaluation.memory.reconstruction import Corrector

    if model is None:
        return []
    return [Corrector(model, shown, f"model, {what}") for what, shown in contexts.items()]


def _context(what: str, embedder: Embedder, known: Sequence[ToldNovel]) -> Shown:
    from evaluation.memory.contexts import Retrieved, Summarised, nothing, whole

    if what.isdecimal() and int(what) > 0:
        return Retrieved(embedder, int(what))
    contexts: dict[str, Shown] = {"none": nothing, "summary": Summarised(known), "whole": whole}
    if what not in contexts:
        raise typer.BadParameter(f"{', '.join(contexts)}, or a number of passages", param_hint="--context")
    return contexts[what]


def _taken(taker: Taker, questions: Sequence[MemoryQuestion], index: BookIndex) -> list[TakenQuestion]:
    from evaluation.memory.measuring import taken

    choices = taker.take(questions, index)
    return [taken(question, choice) for question, choice in zip(questions, choices, strict=True)]


def _write(
    asked: Sequence[MemoryQuestion],
    results: Mapping[str, Sequence[TakenQuestion]],
    picture_file: Path | None,
    questions_file: Path | None,
) -> None:
    from evaluation.memory.curve_picture import picture
    from evaluation.memory.measuring import chance, curve
    from generation.quiz.sets import as_row

    if questions_file is not None:
        rows = (to_json(as_row(question.reading, question.asked), ensure_ascii=False) for question in asked)
        questions_file.write_text("".join(f"{row}\n" for row in rows), "utf-8")
    if picture_file is not None:
        curves = {name: curve(found) for name, found in results.items()}
        picture_file.write_text(picture(curves, chance(next(iter(results.values())))), "utf-8")
