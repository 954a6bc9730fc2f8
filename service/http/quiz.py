"""Questions to a reader about what they have read."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from generation.quiz.types import QuizLevel, QuizLoad
from service.http.call import ReadCall
from service.http.parameters import BookId, Upto
from service.http.problems import OF_BOOK, describe
from service.usecases import quiz as usecase
from service.usecases.quiz import MOST
from service.wire.engine_names import GeneratorName
from service.wire.quiz import QuizOut

router = APIRouter(tags=["story"])

_Count = Annotated[int, Query(ge=1, le=MOST, description="Maximum number of questions.")]
_Seed = Annotated[
    int, Query(ge=0, le=2**31 - 1, description="Random seed. The same seed gives the same questions.")
]


@router.get("/books/{book_id}/quiz", response_model=QuizOut, responses=OF_BOOK)
def quiz(
    call: ReadCall,
    book_id: BookId,
    upto: Upto = None,
    count: _Count = 5,
    load: Annotated[
        QuizLoad | None,
        Query(description="Ask only about the later half of what you have read, or the earlier."),
    ] = None,
    seed: _Seed = 0,
) -> Response:
    """Questions with several choices: which of these happens in what you have read, or none of them?

    Nothing in them is from later in the book. Wrong choices have other people in them, or happen in other
    chapters.
    """
    found = usecase.quiz(call.view(book_id, upto), count=count, seed=seed, load=load)
    return call.reply(QuizOut.of(found))


@router.get(
    "/books/{book_id}/quiz/corrections", response_model=QuizOut, responses={**OF_BOOK, **describe(502)}
)
def quiz_corrections(
    call: ReadCall,
    book_id: BookId,
    upto: Upto = None,
    level: Annotated[QuizLevel, Query(description="What each summary covers.")] = QuizLevel.CHAPTER,
    generator: Annotated[
        GeneratorName | None,
        Query(description="Generator whose language model writes them; by default they are quoted."),
    ] = None,
    count: _Count = 5,
    seed: _Seed = 0,
) -> Response:
    """Summaries of what you have read in which some sentences are wrong, for you to correct."""
    view = call.view(book_id, upto)
    model = call.services.engines.model(generator)
    found = usecase.correcting(view, level=level, count=count, seed=seed, model=model)
    return call.reply(QuizOut.of(found))
