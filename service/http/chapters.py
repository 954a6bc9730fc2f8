"""Chapters: look at them, correct them, take the correction back."""

from __future__ import annotations

from typing import Any, Final

from fastapi import APIRouter, Response

from service.http.books import JOB_LINK
from service.http.call import Call, ReadCall, WriteCall
from service.http.parameters import BookId, Upto
from service.http.problems import describe
from service.usecases import chapters
from service.wire.chapters import ChapterPlanOut, ChaptersIn, ChaptersOut, CorrectedOut

router = APIRouter(tags=["chapters"])

_CORRECTED: Final[dict[int | str, dict[str, Any]]] = {
    200: {"model": CorrectedOut, "description": "The chapters are these already"},
    202: {"model": CorrectedOut, "description": "Kept; a job reads the book so", "headers": JOB_LINK},
    **describe(401, 403, 404, 408, 409, 413, 429, 503),
}


@router.get(
    "/books/{book_id}/chapters",
    response_model=ChaptersOut,
    responses=describe(401, 403, 404, 409, 429, 503),
)
def list_chapters(call: ReadCall, book_id: BookId, upto: Upto = None) -> Response:
    """The chapters, and how they were found."""
    view = call.view(book_id, upto)
    return call.reply(ChaptersOut.of(view.book, book_id=book_id, words=view.words_by_chapter))


@router.put("/books/{book_id}/chapters", status_code=202, response_model=CorrectedOut, responses=_CORRECTED)
def correct_chapters(call: WriteCall, book_id: BookId, given: ChaptersIn) -> Response:
    """Correct the chapters: where each starts, and its title. They stay when the book is read anew.

    What `GET` gives may come back corrected; only `start` and `title` count. A job then reads the book again,
    and the numbers by which you say how far you have read are those of the new chapters. The text, every
    offset into it, and your decisions about the cast stay what they are.
    """
    done = chapters.correct(call.library, book_id=book_id, marks=given.marks())
    return _reply(call, done)


@router.post(
    "/books/{book_id}/chapters/preview",
    response_model=ChapterPlanOut,
    responses=describe(401, 403, 404, 408, 409, 413, 429, 503),
)
def preview_chapters(call: WriteCall, book_id: BookId, given: ChaptersIn) -> Response:
    """The chapters as a correction would make them, and what is new of them. Nothing is kept."""
    plan = chapters.preview(call.library, book_id=book_id, marks=given.marks())
    return call.reply(ChapterPlanOut.of(plan))


@router.delete(
    "/books/{book_id}/chapters", status_code=202, response_model=CorrectedOut, responses=_CORRECTED
)
def forget_chapters(call: WriteCall, book_id: BookId) -> Response:
    """Take the correction back: the chapters are again those that are found in the book."""
    return _reply(call, chapters.forget(call.library, book_id=book_id))


def _reply(call: Call, done: chapters.Corrected) -> Response:
    body = CorrectedOut.of(done)
    if done.job is None:
        return call.reply(body)
    return call.reply(body, status=202, location=f"/v1/jobs/{done.job.id}")
