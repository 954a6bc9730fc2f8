"""Chapters: list them, correct them, restore the original ones."""

from __future__ import annotations

from typing import Any, Final

from fastapi import APIRouter, Response

from service.http.books import JOB_LINK, shown
from service.http.call import Call, ReadCall, WriteCall
from service.http.parameters import BookId, Upto
from service.http.problems import OF_BODY, OF_BOOK
from service.usecases import chapters
from service.wire.chapters import ChapterPlanOut, ChaptersIn, ChaptersOut, CorrectedOut

router = APIRouter(tags=["chapters"])

_CORRECTED: Final[dict[int | str, dict[str, Any]]] = {
    200: {"model": CorrectedOut, "description": "The book already has these chapters"},
    202: {"model": CorrectedOut, "description": "Saved; a job applies them", "headers": JOB_LINK},
    **OF_BODY,
}


@router.get("/books/{book_id}/chapters", response_model=ChaptersOut, responses=OF_BOOK)
def list_chapters(call: ReadCall, book_id: BookId, upto: Upto = None) -> Response:
    """The chapters, and how they were detected."""
    view = call.view(book_id, upto)
    return call.reply(ChaptersOut.of(view.book, book_id=book_id, words=view.words_by_chapter))


@router.put("/books/{book_id}/chapters", status_code=202, response_model=CorrectedOut, responses=_CORRECTED)
def correct_chapters(call: WriteCall, book_id: BookId, given: ChaptersIn) -> Response:
    """Correct the start and title of each chapter. The correction is kept when the book is processed again.

    You can send a corrected response of `GET`; only `start` and `title` are used. A job then processes the
    book again, and `upto` refers to the new chapters. The text, all offsets in it, and your corrections of
    characters do not change.
    """
    done = chapters.correct(call.library, book_id=book_id, marks=given.marks())
    return _reply(call, done)


@router.post("/books/{book_id}/chapters/preview", response_model=ChapterPlanOut, responses=OF_BODY)
def preview_chapters(call: WriteCall, book_id: BookId, given: ChaptersIn) -> Response:
    """Preview a correction of the chapters and what it would change. Nothing is stored."""
    plan = chapters.preview(call.library, book_id=book_id, marks=given.marks())
    return call.reply(ChapterPlanOut.of(plan))


@router.delete(
    "/books/{book_id}/chapters", status_code=202, response_model=CorrectedOut, responses=_CORRECTED
)
def forget_chapters(call: WriteCall, book_id: BookId) -> Response:
    """Undo the correction and restore the chapters that were detected in the book."""
    return _reply(call, chapters.forget(call.library, book_id=book_id))


def _reply(call: Call, done: chapters.Corrected) -> Response:
    book = shown(call, done.book)
    if done.job is None:
        return call.reply(CorrectedOut(book=book, job=None))
    body = CorrectedOut(book=book, job=call.shown(done.job))
    return call.reply(body, status=202, location=f"/v1/jobs/{done.job.id}")
