"""Questions to a reader, with their answers."""

from __future__ import annotations

from pydantic import Field

from books.types import Book
from generation.quiz.types import CorrectionTask, Happening, QuizLevel, ReadAlongQuestion, WhyWrong
from generation.types import Citation
from service.usecases.quiz import Quiz
from service.wire.answers import CitationOut
from service.wire.shapes import Out


class QuizChoiceOut(Out):
    text: str
    why: WhyWrong | None = Field(description="Why it is wrong; null for the right choice.")


class QuizQuestionOut(Out):
    chapter: int | None = Field(
        description="The chapter that is asked about, counted from 1; null for all that has been read."
    )
    title: str | None = Field(description="The title of that chapter.")
    choices: list[QuizChoiceOut] = Field(description="At most one is right.")
    answer: int = Field(
        description="Position of the right choice, counted from 0; the number of choices if none is right."
    )
    load_words: int | None = Field(description="Words read since then. Null if none is right.")
    place: CitationOut | None = Field(description="Where the book tells it.")

    @classmethod
    def of(cls, question: ReadAlongQuestion, *, book: Book) -> QuizQuestionOut:
        happening = question.happening
        return cls.like(
            question,
            chapter=None if question.chapter is None else question.chapter + 1,
            title=None if question.chapter is None else book.chapters[question.chapter].title,
            load_words=question.load,
            place=None if happening is None else _place(happening, book),
        )


class CorrectionOut(Out):
    given: str = Field(description="The summary with errors.")
    right: str = Field(description="The summary without errors.")
    level: QuizLevel = Field(description="What it covers: a scene, a chapter, or all that has been read.")
    places: list[CitationOut] = Field(description="Where the book tells it, in story order.")

    @classmethod
    def of(cls, task: CorrectionTask, *, book: Book) -> CorrectionOut:
        return cls.like(task, places=[_place(happening, book) for happening in task.happenings])


class QuizOut(Out):
    questions: list[QuizQuestionOut] = Field(
        description="Which of the choices happens in what has been read, or in the chapter?"
    )
    corrections: list[CorrectionOut] = Field(
        description="Summaries with errors, which the reader is to find."
    )

    @classmethod
    def of(cls, quiz: Quiz) -> QuizOut:
        book = quiz.view.book
        return cls(
            questions=[QuizQuestionOut.of(each, book=book) for each in quiz.questions],
            corrections=[CorrectionOut.of(each, book=book) for each in quiz.corrections],
        )


def _place(happening: Happening, book: Book) -> CitationOut:
    return CitationOut.of(Citation(happening.place, happening.scene.chapter), book=book)
