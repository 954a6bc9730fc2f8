"""The rules resolver on passages small enough to check by eye."""

from __future__ import annotations

from books.types import Book
from coref.registry import make_resolver
from coref.types import Annotations, Character
from tests.coref.conftest import make_book


def annotate(text: str) -> tuple[Book, Annotations]:
    book = make_book(text)
    return book, make_resolver("rules").annotate(book)


def named(annotations: Annotations, alias: str) -> Character:
    found = [c for c in annotations.characters if alias in {a.text for a in c.aliases}]
    assert len(found) == 1, (alias, [c.name for c in annotations.characters])
    return found[0]


def speaker_of(book: Book, annotations: Annotations, words: str) -> str | None:
    quote = next(q for q in annotations.quotes if words in book.slice(q.span))
    return annotations.character(quote.speaker).name if quote.speaker else None  # type: ignore[union-attr]


def who(book: Book, annotations: Annotations, context: str, word: str) -> str | None:
    """Return the name of the character that `word` inside `context` refers to."""
    at = book.text.index(context) + context.index(word)
    mention = next(m for m in annotations.mentions if m.span.start == at and m.surface == word)
    character = annotations.character(mention.character or "")
    return character.name if character else None


FAMILY = """Chapter 1

Elizabeth Vane came in with Mr. Hale. He took off his hat, and she smiled at him.

“You are late, Lizzy,” said Mrs. Hale.

“I know,” replied Elizabeth. “The road was bad.”

“It always is,” Mr. Hale said. Mrs. Hale laughed at him. Her brother Tom was asleep.

Miss Vane looked at her brother. Mr. Hale and Elizabeth went out.
"""


def test_names_titles_and_nicknames() -> None:
    _, found = annotate(FAMILY)
    elizabeth = named(found, "Elizabeth Vane")
    assert {"Elizabeth", "Lizzy"} <= {a.text for a in elizabeth.aliases}
    assert named(found, "Mr. Hale").id != named(found, "Mrs. Hale").id
    assert elizabeth.pronouns == "she/her"
    assert named(found, "Mr. Hale").pronouns == "he/him"


def test_pronouns() -> None:
    book, found = annotate(FAMILY)
    assert who(book, found, "He took off", "He") == "Mr. Hale"
    assert who(book, found, "smiled at him", "him") == "Mr. Hale"
    assert who(book, found, "and she smiled", "she") == "Elizabeth Vane"
    assert who(book, found, "laughed at him", "him") == "Mr. Hale"


def test_speakers_by_tag() -> None:
    book, found = annotate(FAMILY)
    assert speaker_of(book, found, "You are late") == "Mrs. Hale"
    assert speaker_of(book, found, "I know") == "Elizabeth Vane"
    assert speaker_of(book, found, "The road was bad") == "Elizabeth Vane"
    assert speaker_of(book, found, "It always is") == "Mr. Hale"


def test_inside_quotes_i_is_the_speaker_and_you_the_one_spoken_to() -> None:
    book, found = annotate(FAMILY)
    assert who(book, found, "“I know", "I") == "Elizabeth Vane"
    assert who(book, found, "“You are", "You") == "Elizabeth Vane"
