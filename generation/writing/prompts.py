"""The input of a generator: the book and its characters up to the reader's position, and the evidence."""

from __future__ import annotations

from collections.abc import Sequence

from books.types import Book
from coref.types import Annotations, Character
from generation.errors import NotYetMet
from generation.types import Prompt, Task
from retrieval.types import Passage


def make_prompt(
    book: Book,
    *,
    task: Task,
    annotations: Annotations,
    characters: Sequence[Character | str],
    passages: Sequence[Passage] = (),
    upto: int | None = None,
) -> Prompt:
    """Return a prompt about `characters` (or their ids), as the gated annotations know them.

    Book and annotations must already be cut at the gate. Passages are put in story order, and those that end
    past the gate are dropped: the gate is a filter, never a request.
    """
    end = len(book.text) if upto is None else min(upto, len(book.text))
    return Prompt(
        task=task,
        book=book,
        annotations=annotations,
        characters=tuple(_met(annotations, c) for c in characters),
        passages=tuple(sorted((p for p in passages if p.span.end <= end), key=lambda p: p.span)),
        upto=upto,
    )


def _met(annotations: Annotations, wanted: Character | str) -> Character:
    character_id = wanted if isinstance(wanted, str) else wanted.id
    met = annotations.character(character_id)
    if met is None:
        raise NotYetMet("This character has not appeared yet at this point of the book.")
    return met
