"""Samples for the metrics' tests: small books with a cast, and answers about them."""

from __future__ import annotations

from dataclasses import replace

from books.types import Book, Span
from coref.types import Alias, Annotations, Character, CharacterKind, Mention, MentionKind
from evaluation.metrics.types import MetricSample
from generation.types import Portrait, Task
from tests.coref.conftest import make_book

STORY = (
    "Elizabeth Bennet walked to Meryton with her sister Jane.",
    "Mr. Bennet laughed at his wife, and Mrs. Bennet wept.",
    "Lizzy refused Mr. Darcy at Rosings, and told nobody but Jane.",
    "The rain fell upon Longbourn for a week.",
)


def book_of(*paragraphs: str, language: str = "en") -> Book:
    book = make_book("\n\n".join(paragraphs), title="A Story")
    return replace(book, report=replace(book.report, language=language))


def character(name: str, *aliases: str, pronouns: str | None = None) -> Character:
    names = tuple(Alias(text, 3 - at, at) for at, text in enumerate((name, *aliases)))
    return Character(
        name.lower().replace(" ", "-"), name, names, CharacterKind.PERSON, pronouns, len(names), 0
    )


CAST = (
    character("Elizabeth Bennet", "Lizzy", "Miss Elizabeth", pronouns="she/her"),
    character("Jane", "Jane Bennet", pronouns="she/her"),
    character("Mr. Bennet", pronouns="he/him"),
    character("Mrs. Bennet", pronouns="she/her"),
    character("Mr. Darcy", "Fitzwilliam Darcy", pronouns="he/him"),
)


def annotations_of(book: Book, cast: tuple[Character, ...] = CAST) -> Annotations:
    """Return annotations in which every occurrence of a name is a mention; longer ones first."""
    names = sorted(((a.text, c.id) for c in cast for a in c.aliases), key=lambda pair: -len(pair[0]))
    found: list[Mention] = []
    for text, owner in names:
        at = book.text.find(text)
        while at >= 0:
            span = Span(at, at + len(text))
            if not any(span.overlaps(other.span) for other in found):
                found.append(Mention(span, MentionKind.PROPER, owner, text))
            at = book.text.find(text, at + 1)
    return Annotations("test/1", cast, tuple(sorted(found, key=lambda mention: mention.key)), ())


def sample(
    answer: str,
    reference: str = "",
    *,
    book: Book | None = None,
    cast: tuple[Character, ...] = CAST,
    about: str = "Elizabeth Bennet",
    portrait: Portrait | None = None,
) -> MetricSample:
    book = book or book_of(*STORY)
    annotations = annotations_of(book, cast)
    who = next((c for c in cast if c.name == about), character(about))
    return MetricSample(book, annotations, who, Task.DESCRIPTION, answer, reference, portrait)
