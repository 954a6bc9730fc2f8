"""What readers correct: entries of a book's decision log, checked before they are written."""

from __future__ import annotations

from collections.abc import Sequence

from books.types import Span
from coref.decisions import Decision, DecisionKind, check, replay
from db.repositories import BookRepository, CharacterRepository, DecisionRepository
from service.services import Services
from service.usecases.library import get


def log(services: Services, *, library: str, book_id: str) -> tuple[Decision, ...]:
    opened = services.shelf.open(book_id, library=library)
    with services.database.session(read_only=True) as session:
        return DecisionRepository(session).log(opened.record.id)


def decide(
    services: Services,
    *,
    library: str,
    book_id: str,
    kind: DecisionKind,
    character: str | None = None,
    other: str | None = None,
    name: str | None = None,
    aliases: Sequence[str] = (),
    spans: Sequence[Span] = (),
    undoes: int | None = None,
) -> Decision:
    """Append one decision if it makes sense for the book as it stands; the library's names follow.

    The book is locked meanwhile: of two contradictory decisions made at once, the second is refused.
    """
    with services.database.session() as session:
        BookRepository(session).lock(get(services, library=library, book_id=book_id).id)
        opened = services.shelf.open(book_id, library=library)
        repository = DecisionRepository(session)
        before = repository.log(book_id)
        proposed = Decision(
            len(before) + 1, kind, character, other, name, tuple(aliases), tuple(spans), undoes
        )
        check(opened.annotations, proposed, before)
        decision = repository.append(
            book_id,
            kind=kind,
            character=character,
            other=other,
            name=name,
            aliases=aliases,
            spans=spans,
            undoes=undoes,
        )
        after = replay(opened.resolved, opened.book, (*before, decision))
        CharacterRepository(session).replace(book_id, after.characters)
    return decision
