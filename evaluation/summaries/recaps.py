"""How much of the recaps of the corpus the recap of the product tells, beside simpler ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Final

from books.errors import BookwormError
from books.gate import cut
from books.types import Book
from coref.gate import gate
from evaluation.corpus.types import CorpusNovel
from evaluation.metrics.rouge import Rouge
from evaluation.portraits.types import OpenedBook
from generation.contexts import make_context
from generation.story.people_near import people_near
from generation.types import AnswerLimits, Task
from generation.writing.offline.composer import OfflineGenerator
from generation.writing.prompts import make_prompt
from retrieval import sentences
from retrieval.events.sentences import event_sentences
from retrieval.telling.sentences import introducing_sentences

WORDS: Final = 300
"""Length of a recap, as in the product."""


@dataclass(frozen=True, slots=True)
class Told:
    text: str
    tokens: int = 0
    seconds: float = 0.0


Teller = Callable[[OpenedBook, int], Told]
"""Tells the story up to a gate."""


@dataclass(frozen=True, slots=True)
class RecapScore:
    """One recap. Without one, its figures are None and `why` says what went wrong."""

    novel: str
    upto: int
    """The last chapter read, counted from 1."""
    words_told: float | None = None
    """Share of the words of the corpus' recap that occur (ROUGE-1 recall)."""
    rouge1: float | None = None
    rouge2: float | None = None
    words: int | None = None
    tokens: int | None = None
    seconds: float | None = None
    why: str | None = None


def offline(opened: OpenedBook, upto: int) -> Told:
    start = perf_counter()
    index, annotations = opened.index(), gate(opened.annotations, upto=upto)
    context = make_context(cut(opened.book, upto), annotations=annotations, upto=upto)
    prompt = make_prompt(
        context,
        task=Task.RECAP,
        events=event_sentences(index, annotations, upto=upto),
        telling=[
            sentence
            for person in people_near(context)
            for sentence in introducing_sentences(index, annotations, person.id, upto=upto)
        ],
    )
    text = OfflineGenerator().draft(prompt, AnswerLimits(words=WORDS)).text
    return Told(text, seconds=perf_counter() - start)


def lead(opened: OpenedBook, upto: int) -> Told:
    """The first sentence of each chapter, as far as there are words."""
    return Told(" ".join(_openings(opened.book, upto).split()[:WORDS]))


def last(opened: OpenedBook, upto: int) -> Told:
    """The last words before the gate."""
    return Told(" ".join(opened.book.text[max(0, upto - 20 * WORDS) : upto].split()[-WORDS:]))


TELLERS: Final[Mapping[str, Teller]] = {"first sentences": lead, "last words": last, "offline": offline}


def scores(novel: CorpusNovel, opened: OpenedBook, teller: Teller, rouge: Rouge) -> Iterator[RecapScore]:
    for recap in novel.recaps:
        if recap.upto > len(opened.book.chapters):
            continue
        try:
            told = teller(opened, opened.book.end_of_chapter(recap.upto))
        except BookwormError as error:
            yield RecapScore(novel.novel, recap.upto, why=error.detail)
            continue
        measured = rouge.compare(told.text, recap.text)
        recall, first, second = (measured[name] or 0.0 for name in ("rouge1_recall", "rouge1", "rouge2"))
        words = len(told.text.split())
        yield RecapScore(novel.novel, recap.upto, recall, first, second, words, told.tokens, told.seconds)


def _openings(book: Book, upto: int) -> str:
    found = []
    for chapter in book.chapters:
        if chapter.span.start < upto:
            inside = [p.span for p in book.paragraphs if chapter.span.covers(p.span) and len(p.span) > 0]
            first = next((span for span in inside if len(span.of(book.text).split()) > 5), None)
            if first is not None:
                found.append(sentences.split(book.text, first)[0].of(book.text))
    return " ".join(found)
