"""A cast that is known before."""

from __future__ import annotations

from coref.characters.given import find_given
from coref.protocols import KnownCharacter
from coref.rules.tokens import tokenize
from tests.coref.conftest import make_book

CAST = [
    KnownCharacter("lizzy", "Elizabeth Bennet", ("Lizzy", "Miss Bennet", "Elizabeth")),
    KnownCharacter("jane", "Jane Bennet", ("Miss Bennet", "Jane")),
    KnownCharacter("hatter", "The Hatter", ("the Hatter",)),
]


def found_in(text: str) -> list[tuple[str, list[int]]]:
    tokens = tokenize(make_book(text))
    given = find_given(tokens, CAST)
    options = given.cast.options
    return [(tokens.surface(u.first, u.end), [p.number for p in options[u.first]]) for u in given.uses]


def test_every_name_is_found_the_longest_first() -> None:
    assert found_in("Elizabeth Bennet met Lizzy.") == [("Elizabeth Bennet", [0]), ("Lizzy", [0])]


def test_a_name_of_two_has_both_as_options() -> None:
    assert found_in("It was Miss Bennet.") == [("Miss Bennet", [0, 1])]


def test_capitals_count_but_articles_and_headings_may_vary() -> None:
    assert found_in("The Hatter sat. The hatter sat. THE HATTER sat.") == [
        ("The Hatter", [2]),
        ("THE HATTER", [2]),
    ]


def test_gender_comes_from_names() -> None:
    given = find_given(tokenize(make_book("Nobody.")), CAST)
    assert [person.gender for person in given.cast.people] == ["she", "she", None]
