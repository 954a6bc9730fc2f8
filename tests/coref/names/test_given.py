"""A cast that is known in advance."""

from __future__ import annotations

from coref.language.tokens import tokenize
from coref.names.cast_building import Cast
from coref.names.given_cast import find_given, learn
from coref.names.name_clusters import CastMember
from coref.names.name_uses import NameUse, ProperName
from coref.protocols import KnownCharacter
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


def test_remarks_that_tell_namesakes_apart_are_not_looked_for() -> None:
    cast = [KnownCharacter("t", "Tom (the younger)", ()), KnownCharacter("r", "Robin - in the story", ())]
    given = find_given(tokenize(make_book("Tom met Robin.")), cast)
    assert [given.cast.options[use.first][0].number for use in given.uses] == [0, 1]


def test_what_the_book_calls_them_besides_is_learnt() -> None:
    """The book's own cast shows that Bill is Bill Gorton."""
    tokens = tokenize(make_book("Bill Gorton came. Bill sat."))
    given = find_given(tokens, [KnownCharacter("bill", "Bill Gorton", ())])
    whole, short = ProperName((), ("Bill", "Gorton")), ProperName((), ("Bill",))
    own = CastMember(0)
    own.names.update({whole: 1, short: 1})
    uses = [NameUse(0, 2, whole), NameUse(4, 5, short)]
    learn(given, Cast([own], {0: [own], 4: [own]}), uses)
    assert [(use.first, given.cast.options[use.first][0].number) for use in given.uses] == [(0, 0), (4, 0)]


def test_one_man_twice_in_a_list_is_the_one_whom_the_book_knows() -> None:
    tokens = tokenize(make_book("Josiah Bounderby came. Bounderby sat."))
    known = [KnownCharacter("j", "Josiah Bounderby", ()), KnownCharacter("b", "Bounderby", ())]
    given = find_given(tokens, known)
    own = CastMember(0)
    own.names.update({use.name: 1 for use in given.uses})
    learn(given, Cast([own], {use.first: [own] for use in given.uses}), [])
    assert [given.cast.options[use.first][0].number for use in given.uses] == [0, 0]
