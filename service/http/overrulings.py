"""Verdicts changed by readers."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Response

from service.http import pagination
from service.http.call import ReadCall, WriteCall
from service.http.parameters import BookId, FactId, Upto
from service.http.problems import OF_BODY, OF_BOOK
from service.usecases import overrulings
from service.wire.overrulings import OverrulingIn, OverrulingOut, OverrulingPage

router = APIRouter(tags=["checks"])

_AT: Final = "/books/{book_id}/facts/{fact}/overruling"


@router.put(_AT, response_model=OverrulingOut, responses=OF_BODY)
def overrule_fact(call: WriteCall, book_id: BookId, fact: FactId, given: OverrulingIn) -> Response:
    """Change the verdict on a fact. It applies to every answer that makes the same claim."""
    kept = overrulings.overrule(
        call.library,
        book_id=book_id,
        fact_id=fact,
        label=given.label,
        comment=given.comment,
        by=call.by,
    )
    return call.reply(OverrulingOut.of(kept))


@router.delete(_AT, status_code=204, responses=OF_BOOK)
def restore_fact(call: WriteCall, book_id: BookId, fact: FactId) -> Response:
    """Restore the verdict of the judge."""
    overrulings.restore(call.library, book_id=book_id, fact_id=fact)
    return Response(status_code=204)


@router.get("/books/{book_id}/overrulings", response_model=OverrulingPage, responses=OF_BOOK)
def list_overrulings(
    call: ReadCall,
    book_id: BookId,
    upto: Upto = None,
    cursor: pagination.Cursor = None,
    limit: pagination.Limit = 50,
) -> Response:
    """Verdicts that readers have changed, oldest first."""
    start = pagination.decode_number(cursor, of=call.list_id)
    found = overrulings.listed(call.library, book_id=book_id, upto=upto, start=start, limit=limit)
    more = bool(found.items) and start + len(found.items) < found.total
    following = pagination.next_number(start + limit, more=more, of=call.list_id)
    items = [OverrulingOut.of(record) for record in found.items]
    return call.reply(OverrulingPage(items=items, next=following, total=found.total))
