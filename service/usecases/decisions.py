"""What readers correct: entries of a book's decision log, checked before they are written."""

from __future__ import annotations

from collections.abc import Sequence

from books.types import Span
from coref.decisions import Decision, DecisionKind, check
from db.repositories import CharacterRepository, DecisionRepository
from service.services import Services


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
    """Append one decision if it makes sense for the book as it stands; the library's names follow."""
    opened = services.shelf.open(book_id, library=library)
    with services.database.session() as session:
        repository = DecisionRepository(session)
        proposed = Decision(
            opened.decisions + 1, kind, character, other, name, tuple(aliases), tuple(spans), undoes
        )
        check(opened.annotations, proposed, repository.log(book_id))
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
    changed = services.shelf.open(book_id, library=library)
    with services.database.session() as session:
        CharacterRepository(session).replace(book_id, changed.annotations.characters)
    return decision
