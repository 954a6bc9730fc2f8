"""The characters of a book, and their mentions."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from service.http import pagination
from service.http.call import ReadCall
from service.http.parameters import BookId, Key, Upto
from service.http.problems import OF_BOOK, OF_LIBRARY
from service.usecases import characters, name_lookup
from service.wire.characters import CastOut, CharacterOut, MentionOut, MentionPage, NamesakeOut, NamesakesOut

router = APIRouter(tags=["characters"])


@router.get("/books/{book_id}/characters", response_model=CastOut, responses=OF_BOOK)
def list_characters(call: ReadCall, book_id: BookId, upto: Upto = None) -> Response:
    """All characters up to `upto`, most mentioned first."""
    view = call.view(book_id, upto)
    items = [CharacterOut.of(presence) for presence in characters.cast(view)]
    said = view.annotations
    return call.reply(CastOut(book=book_id, items=items, narrator=said.narrator, resolver=said.resolver))


@router.get("/characters", response_model=NamesakesOut, responses=OF_LIBRARY)
def find_characters(
    call: ReadCall,
    q: Annotated[
        str,
        Query(
            min_length=1, max_length=200, pattern=r"\S", description="Start of the words of a name: `marg v`."
        ),
    ],
    limit: Annotated[int, Query(ge=1, le=100, description="Maximum number of characters.")] = 20,
) -> Response:
    """Search characters by name in all books of your library, including names that appear late in a book."""
    found = name_lookup.called(call.library, part=q, most=limit)
    return call.reply(NamesakesOut(items=[NamesakeOut.of(record) for record in found]))


@router.get("/books/{book_id}/characters/{key}", response_model=CharacterOut, responses=OF_BOOK)
def get_character(call: ReadCall, book_id: BookId, key: Key, upto: Upto = None) -> Response:
    """One character, by id, name or alias."""
    return call.reply(CharacterOut.of(characters.one(call.view(book_id, upto), key)))


@router.get("/books/{book_id}/characters/{key}/mentions", response_model=MentionPage, responses=OF_BOOK)
def list_mentions(
    call: ReadCall,
    book_id: BookId,
    key: Key,
    upto: Upto = None,
    cursor: pagination.Cursor = None,
    limit: pagination.Limit = 100,
) -> Response:
    """Every mention in story order."""
    start = pagination.decode_number(cursor, of=call.list_id)
    view = call.view(book_id, upto)
    rows, following = pagination.part(
        characters.mentions(view, key), start=start, limit=limit, of=call.list_id
    )
    items = [MentionOut.of(m, book=view.book) for m in rows]
    return call.reply(MentionPage(items=items, next=following))
