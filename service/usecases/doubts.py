"""Who may be one and the same: for readers to decide, up to the spoiler gate."""

from __future__ import annotations

from dataclasses import dataclass

from coref.types import Character, Doubt
from service.services import Services
from service.usecases.characters import open_view


@dataclass(frozen=True, slots=True)
class Question:
    """Are they one? `one` is mentioned more, and would take in `other`."""

    one: Character
    other: Character
    doubt: Doubt


def questions(
    services: Services, *, library: str, book_id: str, upto: str | None = None
) -> tuple[Question, ...]:
    """What nobody has decided yet, the likeliest first."""
    annotations = open_view(services, library=library, book_id=book_id, upto=upto).annotations
    rank = {c.id: number for number, c in enumerate(annotations.characters)}
    found = []
    for doubt in annotations.doubts:
        one, other = sorted((rank[doubt.one], rank[doubt.other]))
        found.append(Question(annotations.characters[one], annotations.characters[other], doubt))
    return tuple(sorted(found, key=lambda q: (-q.doubt.confidence, rank[q.one.id], rank[q.other.id])))
