"""How much of the recaps of the corpus the recap of the product tells, beside simpler ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Final

from books.errors import BookwormError
from books.gate import cut
from books.types import Book
from coref.gate import gate
from evaluation.booookscore.judging import judge_summaries
from evaluation.booookscore.kept_judgements import KeptJudgements
from evaluation.booookscore.scoring import summary_score
from evaluation.corpus.types import CorpusNovel
from evaluation.portraits.types import OpenedBook
from evaluation.summaries.recap_measures import SummaryMeasures, SummarySource
from generation.contexts import make_context
from generation.models.protocols import LanguageModel
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
    """One recap. Without one, there are no figures, and `why` says what went wrong."""

    novel: str
    upto: int
    """The last chapter read, counted from 1."""
    text: str = ""
    figures: Mapping[str, float | None] = field(default_factory=dict)
    """By the name of the measure; shares are from 0 to 1."""
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


def scores(
    novel: CorpusNovel, opened: OpenedBook, tellers: Mapping[str, Teller], measures: SummaryMeasures
) -> Iterator[tuple[str, RecapScore]]:
    """Yield every teller's recap of each place of the corpus, measured."""
    for recap in novel.recaps:
        if recap.upto > len(opened.book.chapters):
            continue
        upto = opened.book.end_of_chapter(recap.upto)
        source = SummarySource(opened.book.text[:upto])
        for name, teller in tellers.items():
            try:
                told = teller(opened, upto)
            except BookwormError as error:
                yield name, RecapScore(novel.novel, recap.upto, why=error.wording(candid=True).detail)
                continue
            cost = {"tokens": float(told.tokens), "seconds": told.seconds}
            figures = measures.figures(told.text, recap.text, source) | cost
            yield name, RecapScore(novel.novel, recap.upto, told.text, figures)


def judged(
    recaps: Sequence[RecapScore], model: LanguageModel, kept: KeptJudgements, *, together: int
) -> list[RecapScore]:
    """Return the recaps with their BooookScores. A judge that cannot be read leaves none."""
    texts = {f"{each.novel}-{each.upto}": each.text for each in recaps if each.text}
    found = judge_summaries(model, texts, kept, together=together).summaries
    marks = {each.book: summary_score(each).score for each in found}
    return [
        replace(each, figures={**each.figures, "booookscore": marks.get(f"{each.novel}-{each.upto}")})
        for each in recaps
    ]


def _openings(book: Book, upto: int) -> str:
    found = []
    for chapter in book.chapters:
        if chapter.span.start < upto:
            inside = [p.span for p in book.paragraphs if chapter.span.covers(p.span) and len(p.span) > 0]
            first = next((span for span in inside if len(span.of(book.text).split()) > 5), None)
            if first is not None:
                found.append(sentences.split(book.text, first)[0].of(book.text))
    return " ".join(found)
