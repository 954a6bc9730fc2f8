"""Verdicts changed by readers. They are stored for the claim and apply wherever it occurs."""

from __future__ import annotations

from dataclasses import dataclass

from db.database import Session
from db.repositories import EventRepository, OverrulingRepository, PortraitRepository
from db.types import FactRecord, OverrulingRecord
from generation.types import Label
from service.errors import FactUnknown
from service.library import Library
from service.usecases.given_texts import COMMENT_MOST, clean


@dataclass(frozen=True, slots=True)
class Listed:
    items: tuple[OverrulingRecord, ...]
    total: int


def overrule(
    library: Library,
    *,
    book_id: str,
    fact_id: str,
    label: Label,
    comment: str | None = None,
    by: str | None = None,
) -> OverrulingRecord:
    """`by` is the name of the key. Raises FactUnknown unless a stored answer has this fact."""
    view = library.view(book_id)
    said = clean(comment, what="comment", most=COMMENT_MOST) if comment and comment.strip() else None
    with library.services.database.session() as session:
        fact = _fact(session, view.record.id, fact_id)
        person = view.annotations.character(fact.subject) if fact.subject else None
        record = OverrulingRepository(session).put(
            view.record.id, fact, name=person.name if person else None, label=label, comment=said, by=by
        )
        told = {"fact": fact.id, "label": label.value}
        EventRepository(session).append(view.record.id, job_id=None, kind="fact.overruled", data=told)
    return record


def restore(library: Library, *, book_id: str, fact_id: str) -> bool:
    """Restores the verdict of the judge. Returns whether it had been changed. Raises FactUnknown."""
    view = library.view(book_id)
    with library.services.database.session() as session:
        fact = _fact(session, view.record.id, fact_id)
        gone = OverrulingRepository(session).delete(view.record.id, fact.id)
        if gone:
            told = {"fact": fact.id}
            EventRepository(session).append(view.record.id, job_id=None, kind="fact.restored", data=told)
    return gone


def listed(
    library: Library,
    *,
    book_id: str,
    upto: str | None = None,
    start: int = 0,
    limit: int | None = None,
) -> Listed:
    """Oldest first. With `upto`, only those made with the same or an earlier limit: others are spoilers."""
    view = library.view(book_id, upto)
    with library.services.database.session(read_only=True) as session:
        overrulings = OverrulingRepository(session)
        found = overrulings.of_book(view.record.id, upto=view.upto, start=start, limit=limit)
        return Listed(tuple(found), overrulings.count(view.record.id, upto=view.upto))


def _fact(session: Session, book_id: str, fact_id: str) -> FactRecord:
    fact = PortraitRepository(session).fact(book_id, fact_id)
    if fact is None and (known := OverrulingRepository(session).get(book_id, fact_id)) is not None:
        fact = known.fact
    if fact is None:
        raise FactUnknown(f"No stored answer about this book has a fact {fact_id}.")
    return fact
