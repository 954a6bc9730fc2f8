"""Reference texts about characters, with which answers are compared."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Query, Response

from generation.types import Task
from service.http.call import ReadCall, WriteCall
from service.http.parameters import BookId, Key
from service.http.problems import OF_BODY, OF_BOOK
from service.usecases import references
from service.wire.references import OfOne, ReferenceIn, ReferenceOut, ReferencesOut

router = APIRouter(tags=["checks"])

_AT: Final = "/books/{book_id}/characters/{key}/reference"
_Task = Annotated[OfOne, Query(description="Task whose answers are compared with it.")]


@router.get(_AT, response_model=ReferenceOut, responses=OF_BOOK)
def get_reference(call: ReadCall, book_id: BookId, key: Key, task: _Task = Task.DESCRIPTION) -> Response:
    """The reference text of the character. It may reveal the whole book."""
    found = references.get(call.library, book_id=book_id, key=key, task=task)
    return call.reply(ReferenceOut.of(found))


@router.put(_AT, response_model=ReferenceOut, responses=OF_BODY)
def put_reference(call: WriteCall, book_id: BookId, key: Key, given: ReferenceIn) -> Response:
    """Store a reference text about the character. Answers then include a comparison with it."""
    kept = references.put(
        call.library,
        book_id=book_id,
        key=key,
        task=given.task,
        text=given.text,
        source=given.source,
    )
    return call.reply(ReferenceOut.of(kept))


@router.delete(_AT, status_code=204, responses=OF_BOOK)
def delete_reference(call: WriteCall, book_id: BookId, key: Key, task: _Task = Task.DESCRIPTION) -> Response:
    """Delete the text. If a character with a text was merged into this one, that text is used instead."""
    references.delete(call.library, book_id=book_id, key=key, task=task)
    return Response(status_code=204)


@router.get("/books/{book_id}/references", response_model=ReferencesOut, responses=OF_BOOK)
def list_references(call: ReadCall, book_id: BookId) -> Response:
    """All reference texts of a book, including those of merged and hidden characters."""
    found = references.listed(call.library, book_id=book_id)
    return call.reply(ReferencesOut(items=[ReferenceOut.of(one) for one in found]))
