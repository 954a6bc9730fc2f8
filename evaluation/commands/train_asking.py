"""`bookworm train asking`: train what finds the places that answer questions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evaluation.commands.options import CorpusTexts, OnlyNovels, OnlyResolved, ResolvedBooks
from service.cli import output
from service.cli.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.corpus.types import CorpusNovel
    from evaluation.portraits.types import OpenedBook

_SHIPPED = Path("retrieval/asking")


def asking(
    context: typer.Context,
    novels: CorpusTexts,
    work: ResolvedBooks = None,
    only_resolved: OnlyResolved = False,
    only: OnlyNovels = None,
    to: Annotated[
        Path, typer.Option("--output", metavar="FOLDER", file_okay=False, help="Folder for the weights.")
    ] = _SHIPPED,
    part: Annotated[
        str | None, typer.Option("--part", help="Train only this: `questions`, `ranker` or `words`.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed")] = 0,
) -> None:
    """Train on the corpus' train novels. `bookworm evaluate questions` measures it."""
    from safetensors.numpy import save_file as save_ranker
    from safetensors.torch import save_file

    from coref.native.minilm import encoder_folder
    from evaluation.asking.lessons import lessons, of_places, of_questions
    from evaluation.corpus.questions import questions
    from evaluation.summaries.opening import opened_novels
    from retrieval.asking import question_vectors
    from retrieval.asking.places import RANKER, WORDS_RANKER
    from retrieval.asking.training import AskingCourse, train_questions, train_ranker

    session = Session.of(context)

    def train_novels() -> Iterator[tuple[CorpusNovel, OpenedBook]]:
        return opened_novels(
            "train",
            texts=novels,
            work=work or session.settings.data_dir / "keyfacts",
            resolver=session.engines.resolver,
            only_resolved=only_resolved,
            tell=output.tell,
            only=only or (),
        )

    folder = encoder_folder()
    to.mkdir(parents=True, exist_ok=True)
    if part in (None, "questions"):
        books = []
        for novel, opened in train_novels():
            told = list(lessons(novel, questions(novel.novel), opened.book))
            books.append(of_questions(told, opened.index()))
            output.tell(f"{novel.title}: {len(books[-1].asked)} questions and facts")
        if not books:
            raise typer.BadParameter("None of the train novels is there.", param_hint="--novels")
        course = AskingCourse(epochs=4, seed=seed)
        save_file(train_questions(books, folder, course, tell=output.tell), to / question_vectors.WEIGHTS)
        question_vectors.shipped.cache_clear()
    for ranker, name in ((RANKER, "ranker"), (WORDS_RANKER, "words")):
        if part not in (None, name):
            continue
        found = []
        for novel, opened in train_novels():
            told = list(lessons(novel, questions(novel.novel), opened.book))
            found += list(of_places(told, opened.index(), meaning=ranker == RANKER))
            output.tell(f"{novel.title}: {len(found):,} questions and facts in all")
        course = AskingCourse(epochs=10, rate=3e-3, batch=32, seed=seed)
        save_ranker(train_ranker(found, course), to / ranker)
