"""Whom a name in a question means when several people have it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from coref.errors import CharacterAmbiguous
from coref.types import Alias, Annotations, Character, CharacterKind
from service.shelf import View
from service.usecases.questions import people_in, remarks_on_names


def person(id_: str, name: str, count: int) -> Character:
    aliases = (Alias("Isabel", count, 0), Alias(name, 1, 0))
    return Character(id_, name, aliases, CharacterKind.PERSON, "she/her", count, 0)


def view(*counts: int) -> View:
    names = ("Isabel Amberson", "Isabel Minafer", "Isabel Kinney")
    people = [person(f"p{n}", names[n], count) for n, count in enumerate(counts)]
    annotations = Annotations(resolver="", characters=tuple(people), mentions=(), quotes=())
    return cast(View, SimpleNamespace(annotations=annotations))


def test_a_name_means_the_one_of_whom_the_book_speaks_most() -> None:
    book, question = view(1046, 50, 30), "Why does Isabel refuse him?"
    people = people_in(book, question, ())
    assert [one.id for one in people] == ["p0"]
    assert remarks_on_names(book, question, people) == (
        "“Isabel” was taken for Isabel Amberson. Isabel Minafer, Isabel Kinney have that name, too.",
    )


def test_a_namesake_who_is_hardly_mentioned_is_named_and_can_be_meant() -> None:
    book, question = view(1046, 20), "Why does Isabel refuse him?"
    people = people_in(book, question, ())
    assert [one.id for one in people] == ["p0"]
    assert remarks_on_names(book, question, people) == (
        "“Isabel” was taken for Isabel Amberson. Isabel Minafer has that name, too.",
    )
    assert [one.id for one in people_in(book, question, ["p1"])] == ["p1"]


def test_a_name_of_two_of_equal_weight_is_asked_back_unless_one_is_meant() -> None:
    book, question = view(131, 113), "Why does Isabel refuse him?"
    with pytest.raises(CharacterAmbiguous):
        people_in(book, question, ())
    assert [one.id for one in people_in(book, question, ["p1"])] == ["p1"]


def test_a_name_that_is_clear_is_not_remarked_on() -> None:
    book, question = view(60, 50), "Why does Isabel Minafer refuse him?"
    people = people_in(book, question, ())
    assert [one.id for one in people] == ["p1"]
    assert remarks_on_names(book, question, people) == ()
    assert remarks_on_names(book, "Why?", ()) == ()
