"""Questions about a book."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from service.usecases.answer_request import Wanted
from service.usecases.answers import JOINT_MOST
from service.usecases.library_questions import (
    ANSWERS_MOST,
    BOOKS_MOST,
    BookAnswer,
    LibraryAnswers,
    LibraryEstimate,
)
from service.usecases.questions import QUESTION_MOST
from service.wire.answers import PlanOut, PortraitOut
from service.wire.passages import SkippedOut, TitleOut
from service.wire.shapes import Out


class QuestionIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    question: str = Field(min_length=1, max_length=QUESTION_MOST, pattern=r"\w")
    people: list[Annotated[str, Field(max_length=200)]] = Field(
        default=[],
        max_length=JOINT_MOST,
        description="Whom the question means if it does not name them: of the question before, for example.",
    )

    def of(self, wanted: Wanted) -> Wanted:
        return replace(wanted, question=self.question)


_Id = Annotated[str, Field(max_length=100)]


class LibraryQuestionIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    question: str = Field(min_length=1, max_length=QUESTION_MOST, pattern=r"\w")
    books: list[_Id] = Field(
        default=[], max_length=BOOKS_MOST, description=f"Ids; by default the {BOOKS_MOST} newest books."
    )
    upto: dict[_Id, Annotated[str, Field(max_length=24)]] = Field(
        default={}, max_length=BOOKS_MOST, description="How far you have read, by the ids of the books."
    )


class _LibraryOut(Out):
    silent: list[TitleOut] = Field(description="Books that do not say.")
    skipped: list[SkippedOut] = Field(
        description="Books that could not be asked, in which a name means several people, or that lack the "
        "chapter, with the reason."
    )


def told(each: BookAnswer) -> PortraitOut:
    return PortraitOut.of(each.answer.portrait, view=each.view)


class LibraryAnswersOut(_LibraryOut):
    answers: list[PortraitOut] = Field(
        description=f"Of at most {ANSWERS_MOST} books that are likeliest to answer, the likeliest first."
    )

    @classmethod
    def of(cls, found: LibraryAnswers) -> LibraryAnswersOut:
        skipped = [SkippedOut.of(each) for each in found.skipped]
        return cls.like(found, answers=[told(each) for each in found.answers], skipped=skipped)


class LibraryPlanOut(_LibraryOut):
    """The maximum cost of the answers. Nothing was generated."""

    plans: list[PlanOut] = Field(description="For each book that would be asked, the likeliest first.")

    @classmethod
    def of(cls, estimated: LibraryEstimate) -> LibraryPlanOut:
        skipped = [SkippedOut.of(each) for each in estimated.skipped]
        return cls.like(estimated, plans=[PlanOut.of(each) for each in estimated.estimates], skipped=skipped)
