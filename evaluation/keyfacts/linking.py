"""Link the people and facts of the corpus to the characters of a book."""

from __future__ import annotations

from functools import lru_cache

from books.types import Span
from coref.types import Annotations
from evaluation.corpus.types import CorpusNovel
from evaluation.keyfacts.people import character_of
from generation.story.named_people import Names
from generation.types import Category, Claim, NamedSpan


def corpus_people(novel: CorpusNovel, annotations: Annotations) -> dict[str, str | None]:
    """Return the character of each person, by the person's name; None for one whom no name finds."""
    found = {person.name: character_of(person, annotations) for person in novel.people}
    return {name: character.id if character else None for name, character in found.items()}


def corpus_claim(
    text: str, name: str, subject: str | None, annotations: Annotations, category: Category = Category.OTHER
) -> Claim:
    """Return a fact of the corpus about `name` as a claim."""
    people = _names(annotations).find(text)
    at = text.find(name)
    if at >= 0 and subject is not None:
        whole = NamedSpan(Span(at, at + len(name)), subject)
        people = (*(n for n in people if not n.span.overlaps(whole.span)), whole)
    return Claim(
        text=text,
        category=category,
        sentence=0,
        span=Span(0, len(text)),
        subject=subject,
        people=tuple(sorted(people, key=lambda n: n.span)),
    )


class _ById:
    __slots__ = ("annotations",)

    def __init__(self, annotations: Annotations) -> None:
        self.annotations = annotations

    def __hash__(self) -> int:
        return id(self.annotations)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ById) and self.annotations is other.annotations


def _names(annotations: Annotations) -> Names:
    return _cached(_ById(annotations))


@lru_cache(maxsize=2)
def _cached(one: _ById) -> Names:
    return Names(one.annotations.characters)
