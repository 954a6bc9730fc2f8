"""Questions about a book."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from service.usecases.answer_request import Wanted
from service.usecases.answers import JOINT_MOST
from service.usecases.questions import QUESTION_MOST


class QuestionIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    question: str = Field(min_length=1, max_length=QUESTION_MOST, pattern=r"\S")
    people: list[Annotated[str, Field(max_length=200)]] = Field(
        default=[],
        max_length=JOINT_MOST,
        description="Whom the question means if it does not name them: of the question before, for example.",
    )

    def of(self, wanted: Wanted) -> Wanted:
        return replace(wanted, question=self.question)
