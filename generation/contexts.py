"""Make contexts: the gated book and the people that a text is about."""

from __future__ import annotations

from collections.abc import Sequence

from books.types import Book
from coref.types import Annotations, Character
from generation.errors import NotYetMet
from generation.types import Context


def make_context(
    book: Book, *, annotations: Annotations, people: Sequence[Character | str] = (), upto: int | None = None
) -> Context:
    """Return the context of a text about `people` (or their ids), as the gated annotations know them.

    Book and annotations must already be cut at the gate.
    """
    return Context(book, annotations, tuple(_met(annotations, person) for person in people), upto)


def _met(annotations: Annotations, wanted: Character | str) -> Character:
    character_id = wanted if isinstance(wanted, str) else wanted.id
    met = annotations.character(character_id)
    if met is None:
        raise NotYetMet("This character has not appeared yet at this point of the book.")
    return met
