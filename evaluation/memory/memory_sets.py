"""Read-along questions about the corpus' novels: the main events of chapters, in the corpus' words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random
from typing import Final

from books.sampling import evenly
from books.types import Book, Span
from coref.types import Annotations, Character
from evaluation.corpus.quotations import find
from evaluation.corpus.types import CorpusNovel
from generation.models.protocols import LanguageModel
from generation.quiz.material import BookSoFar, happening, of_others
from generation.quiz.scenes import scenes
from generation.quiz.sets import read_along_set
from generation.quiz.types import Choice, Happening, ReadAlongQuestion, StoryScene
from generation.quiz.written import write_scenes
from generation.story.named_people import Names

_OTHERS: Final = 3
"""Novels from which wrong choices come."""


@dataclass(frozen=True, slots=True)
class ToldNovel:
    """A novel as far as another one borrows from it."""

    novel: str
    happenings: tuple[Happening, ...]
    characters: tuple[Character, ...]
    false: tuple[Choice, ...] = ()
    """Written by a language model, each made from one of the happenings."""


@dataclass(frozen=True, slots=True)
class MemoryQuestion:
    novel: str
    reading: BookSoFar
    asked: ReadAlongQuestion
    by_names: bool
    """Whether the names give the answer away: all choices but the right one name somebody not met yet."""


def told(novel: CorpusNovel, book: Book, annotations: Annotations) -> ToldNovel:
    """Return what the corpus says that happens in the chapters of a novel."""
    names, stretches = Names(annotations.characters), scenes(book)
    made = (
        happening(event.event, place, _scene(place, stretches), names)
        for event in novel.chapters
        if (place := find(event.quote, book.text)) is not None
    )
    return ToldNovel(novel.novel, tuple(made), annotations.characters)


def written(
    novel: CorpusNovel, book: Book, annotations: Annotations, model: LanguageModel, *, most: int
) -> ToldNovel:
    """Return what a language model says that happens in scenes spread over the novel, and false summaries."""
    made = write_scenes(model, book, evenly(scenes(book), most), Names(annotations.characters))
    return ToldNovel(
        novel.novel,
        tuple(scene.true for scene in made),
        annotations.characters,
        tuple(false for scene in made for false in scene.false),
    )


def questions(
    novel: ToldNovel,
    book: Book,
    annotations: Annotations,
    others: Sequence[ToldNovel],
    *,
    each: int,
    seed: int = 0,
) -> Iterator[MemoryQuestion]:
    """Yield questions asked at the end of every chapter, at most `each` there."""
    rng = Random(f"{seed} {novel.novel}")
    lenders = [other for other in others if other.novel != novel.novel]
    chosen = rng.sample(lenders, min(_OTHERS, len(lenders)))

    def borrowed(reading: BookSoFar) -> Sequence[Choice]:
        mine = [false for false in novel.false if false.of is not None and false.of.place.end <= reading.end]
        lent = (of_others(reading, other.happenings, other.characters) for other in chosen)
        return [*mine, *chain.from_iterable(lent)]

    everybody = Names(annotations.characters)
    for reading, asked in read_along_set(book, annotations, novel.happenings, borrowed, each=each, rng=rng):
        yield MemoryQuestion(novel.novel, reading, asked, _by_names(reading, asked, everybody))


def _scene(place: Span, stretches: Sequence[StoryScene]) -> StoryScene:
    return next(scene for scene in stretches if scene.span.overlaps(place))


def _by_names(reading: BookSoFar, asked: ReadAlongQuestion, everybody: Names) -> bool:
    met = {character.id for character in reading.annotations.characters}
    unmet = [
        not {named.character for named in everybody.find(choice.text)} <= met for choice in asked.choices
    ]
    return asked.happening is not None and sum(unmet) == len(unmet) - 1
