"""`bookworm train asking`: train what finds the places that answer questions."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from coref.training.commands.options import WeightsFolder
from evaluation.commands.options import CorpusTexts, OnlyNovels, OnlyResolved, ResolvedBooks, room_for
from service.cli import output

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.corpus.types import CorpusNovel, Split
    from evaluation.portraits.types import OpenedBook
    from retrieval.asking.training import AskingCourse
    from retrieval.telling.sentence_table import Floats

_LOST = 0.15
"""Share of the answerable questions that may be refused."""


class AskingPart(StrEnum):
    QUESTIONS = "questions"
    RANKER = "ranker"
    WORDS = "words"
    READING = "reading"
    KINDS = "kinds"


def asking(
    context: typer.Context,
    novels: CorpusTexts,
    to: WeightsFolder,
    work: ResolvedBooks = None,
    only_resolved: OnlyResolved = False,
    only: OnlyNovels = None,
    part: Annotated[AskingPart | None, typer.Option("--part", help="Train only this.")] = None,
    seed: Annotated[int, typer.Option("--seed")] = 0,
) -> None:
    """Train on the corpus' train novels. `bookworm evaluate questions` measures it."""
    from safetensors.numpy import save_file as save_ranker
    from safetensors.torch import save_file

    from coref.native.minilm import encoder_folder
    from evaluation.asking.lessons import lessons, of_places, of_questions
    from evaluation.corpus import loading
    from evaluation.corpus.questions import questions
    from retrieval.asking import question_vectors, reading
    from retrieval.asking.kinds import WEIGHTS
    from retrieval.asking.places import RANKER, WORDS_RANKER
    from retrieval.asking.training import AskingCourse, train_questions, train_ranker

    room = room_for(context, work, embedder="minilm")

    def opened_of(split: Split) -> Iterator[tuple[CorpusNovel, OpenedBook]]:
        asked = loading.novels(split)
        return room.open_novels(asked, novels, only=only, only_resolved=only_resolved)

    folder = encoder_folder()
    to.mkdir(parents=True, exist_ok=True)
    if part in (None, AskingPart.QUESTIONS):
        books = []
        for novel, opened in opened_of("train"):
            told = list(lessons(novel, questions(novel.novel), opened.book))
            books.append(of_questions(told, opened.index()))
            output.tell(f"{novel.title}: {len(books[-1].asked)} questions and facts")
        course = AskingCourse(epochs=4, seed=seed)
        save_file(train_questions(books, folder, course, tell=output.tell), to / question_vectors.WEIGHTS)
        question_vectors.shipped.cache_clear()
    for ranker, name in ((RANKER, AskingPart.RANKER), (WORDS_RANKER, AskingPart.WORDS)):
        if part not in (None, name):
            continue
        found = []
        for novel, opened in opened_of("train"):
            told = list(lessons(novel, questions(novel.novel), opened.book))
            found += list(of_places(told, opened.index(), meaning=ranker == RANKER))
            output.tell(f"{novel.title}: {len(found):,} questions and facts in all")
        course = AskingCourse(epochs=10, rate=3e-3, batch=32, seed=seed)
        save_ranker(train_ranker(found, course), to / ranker)
    if part in (None, AskingPart.READING):
        save_ranker(_reading(opened_of("dev")), to / reading.WEIGHTS)
    if part in (None, AskingPart.KINDS):
        save_ranker(_kinds(AskingCourse(epochs=300, rate=0.05, seed=seed)), to / WEIGHTS)


def _reading(novels: Iterator[tuple[CorpusNovel, OpenedBook]]) -> dict[str, Floats]:
    """Fit what the reader weighs on the dev novels: it has read the questions about the train novels."""
    from evaluation.asking.lessons import lessons, of_reading
    from evaluation.corpus.questions import questions
    from generation.writing.offline.reply import SURE
    from retrieval.asking.training import fit_reading
    from retrieval.pairs.pair_reader import shipped

    reader = shipped()
    if reader is None:
        raise typer.BadParameter("MiniLM is not installed.", param_hint="--part")
    found = []
    for novel, opened in novels:
        told = lessons(novel, questions(novel.novel), opened.book)
        found += list(of_reading(told, opened.index(), reader))
        output.tell(f"{novel.title}: {len(found):,} questions read in all")
    return fit_reading(found, sure=SURE, lost=_LOST)


def _kinds(course: AskingCourse) -> dict[str, Floats]:
    """Train what tells the kinds of questions, and tell how well it does on those of the dev novels."""
    import numpy as np

    from evaluation.asking.kinds import asked_kinds
    from retrieval.asking import question_vectors
    from retrieval.asking.kinds import SURE, KindHead
    from retrieval.asking.training import train_kinds

    encoder = question_vectors.shipped()
    if encoder is None:
        raise typer.BadParameter("MiniLM is not installed.", param_hint="--part")
    asked = asked_kinds("train")
    weights = train_kinds(np.stack([encoder(q) for q, _ in asked]), [kind for _, kind in asked], course)
    head, held = KindHead(weights), asked_kinds("dev")
    likely = [(head.probabilities(encoder(question)), kind) for question, kind in held]
    best = [(max(found, key=lambda each: found[each]), max(found.values()), kind) for found, kind in likely]
    sure = [(one, kind) for one, probability, kind in best if probability >= SURE]
    right = sum(one is kind for one, _, kind in best)
    output.tell(
        f"Kinds of {len(held)} questions: {right} right; {len(sure)} sure, of which "
        f"{sum(one is kind for one, kind in sure)} are right."
    )
    return weights
