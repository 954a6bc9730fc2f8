"""The people of a book, where they are mentioned, and the passages about them."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Query, Response

from retrieval.types import Order
from service.http import pagination
from service.http.call import ReadCall
from service.http.parameters import BookId, Key, Retriever, Upto
from service.http.problems import describe
from service.http.schemas.characters import (
    CastOut,
    CharacterOut,
    MentionOut,
    MentionPage,
    PassageOut,
    PassagesOut,
)
from service.usecases import characters

router = APIRouter(tags=["characters"])

_RESPONSES: Final = describe(401, 403, 404, 409, 429, 503)


@router.get("/books/{book_id}/characters", response_model=CastOut, responses=_RESPONSES)
def list_characters(call: ReadCall, book_id: BookId, upto: Upto = None) -> Response:
    """Everybody met so far, most mentioned first."""
    view = call.view(book_id, upto)
    cast = characters.cast(call.services, library=call.library, book_id=book_id, upto=upto)
    items = [CharacterOut.of(presence) for presence in cast]
    said = view.annotations
    return call.reply(CastOut(book=book_id, items=items, narrator=said.narrator, resolver=said.resolver))


@router.get("/books/{book_id}/characters/{key}", response_model=CharacterOut, responses=_RESPONSES)
def get_character(call: ReadCall, book_id: BookId, key: Key, upto: Upto = None) -> Response:
    """One character, by id, name or alias."""
    call.view(book_id, upto)
    found = characters.one(call.services, library=call.library, book_id=book_id, key=key, upto=upto)
    return call.reply(CharacterOut.of(found))


@router.get("/books/{book_id}/characters/{key}/mentions", response_model=MentionPage, responses=_RESPONSES)
def list_mentions(
    call: ReadCall,
    book_id: BookId,
    key: Key,
    upto: Upto = None,
    cursor: pagination.Cursor = None,
    limit: pagination.Limit = 100,
) -> Response:
    """Every mention in story order."""
    start = pagination.decode_number(cursor)
    call.view(book_id, upto)
    view, found = characters.mentions(
        call.services, library=call.library, book_id=book_id, key=key, upto=upto
    )
    items = [MentionOut.of(m, book=view.book) for m in found[start : start + limit]]
    following = pagination.encode(str(start + limit)) if start + limit < len(found) else None
    return call.reply(MentionPage(items=items, next=following))


@router.get("/books/{book_id}/characters/{key}/passages", response_model=PassagesOut, responses=_RESPONSES)
def list_passages(
    call: ReadCall,
    book_id: BookId,
    key: Key,
    upto: Upto = None,
    retriever: Retriever = None,
    k: Annotated[int, Query(ge=1, le=200, description="How many at most.")] = 20,
    q: Annotated[str | None, Query(max_length=500, description="What the passages should be about.")] = None,
    order: Annotated[Order, Query(description="As the story goes, or best first.")] = Order.STORY,
    seed: Annotated[int, Query(ge=0, le=2**31 - 1, description="For the `random` retriever.")] = 0,
) -> Response:
    """The passages that say most about a character."""
    view = call.view(book_id, upto)
    found = characters.passages(
        call.services,
        library=call.library,
        book_id=book_id,
        key=key,
        text=q,
        retriever=retriever,
        k=k,
        order=order,
        upto=upto,
        seed=seed,
    )
    items = [PassageOut.of(p, book=view.book) for p in found.passages]
    return call.reply(
        PassagesOut(character=characters.met(view, key).id, retriever=found.retriever, items=items)
    )
