"""Reference texts about characters, with which answers are compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coref.decisions.types import Decision
from coref.types import Annotations
from db.database import Session
from db.repositories import BookRepository, EventRepository, ReferenceRepository
from db.types import ReferenceRecord
from generation.types import Task
from service.errors import ReferenceMissing
from service.library import Library
from service.shelf import View
from service.usecases.characters import met
from service.usecases.given_texts import SOURCE_MOST, clean, clean_line
from service.usecases.merged_characters import Heirs


@dataclass(frozen=True, slots=True)
class Kept:
    record: ReferenceRecord
    character: str | None
    """Current id of the character; None if the character was removed."""
    counts: bool
    """Whether answers are compared with it. Only one text per character is used."""


def put(library: Library, *, book_id: str, key: str, task: Task, text: str, source: str) -> Kept:
    """Stores a reference text, with which answers about the character are then compared."""
    view = library.view(book_id)
    person = met(view, key)
    plain = clean(text, what="reference text")
    named = clean_line(source, what="source", most=SOURCE_MOST)
    with library.services.database.session() as session:
        references = ReferenceRepository(session)
        if references.put(view.record.id, person.id, task, name=person.name, text=plain, source=named):
            _tell(session, view, "reference.put", person.id, task)
        return _counting(_of(session, view), person.id, person.name, task)


def get(library: Library, *, book_id: str, key: str, task: Task) -> Kept:
    """The text that is used. Raises ReferenceMissing."""
    view = library.view(book_id)
    person = met(view, key)
    with library.services.database.session(read_only=True) as session:
        return _counting(_of(session, view), person.id, person.name, task)


def delete(library: Library, *, book_id: str, key: str, task: Task) -> bool:
    """Deletes the text that is used, if there is one. That of a merged character may be used then."""
    view = library.view(book_id)
    person = met(view, key)
    with library.services.database.session() as session:
        BookRepository(session).lock(view.record.id)
        found = counting(_of(session, view), person.id, task)
        if found is None:
            return False
        ReferenceRepository(session).delete(view.record.id, found.record.character, task)
        _tell(session, view, "reference.deleted", person.id, task)
    return True


def listed(library: Library, *, book_id: str) -> tuple[Kept, ...]:
    """All reference texts of a book, newest first."""
    view = library.view(book_id)
    with library.services.database.session(read_only=True) as session:
        return _of(session, view)


def kept(
    records: Sequence[ReferenceRecord], annotations: Annotations, log: Sequence[Decision]
) -> tuple[Kept, ...]:
    """Finds the character of each text, and which text is used: own before inherited, then the newest."""
    heirs = Heirs(annotations, log)
    owners = {id(record): heirs.of(record.character, record.name) for record in records}
    best: dict[tuple[str, Task], ReferenceRecord] = {}
    for record in records:
        owner = owners[id(record)]
        if owner is not None:
            before = best.setdefault((owner, record.task), record)
            if record.character == owner != before.character:
                best[owner, record.task] = record
    counts = {id(record) for record in best.values()}
    return tuple(Kept(record, owners[id(record)], id(record) in counts) for record in records)


def counting(found: Sequence[Kept], character: str, task: Task) -> Kept | None:
    ours = (one for one in found if one.character == character and one.record.task is task)
    return next((one for one in ours if one.counts), None)


def _of(session: Session, view: View) -> tuple[Kept, ...]:
    records = ReferenceRepository(session).of_book(view.record.id)
    return kept(records, view.annotations, view.whole_log)


def _counting(found: Sequence[Kept], character: str, name: str, task: Task) -> Kept:
    one = counting(found, character, task)
    if one is None:
        raise ReferenceMissing(f"There is no reference text for the {task.value} of {name}.")
    return one


def _tell(session: Session, view: View, kind: str, character: str, task: Task) -> None:
    told = {"character": character, "task": task.value}
    EventRepository(session).append(view.record.id, job_id=None, kind=kind, data=told)
