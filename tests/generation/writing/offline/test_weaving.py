"""Points about one person share sentences, and other people in them keep a subject of their own."""

from __future__ import annotations

import pytest

from books.types import Span
from coref.types import Annotations
from generation.story.cast import CastIndex
from generation.types import Citation, Sentence
from generation.writing.offline.clause_parts import GrammaticalCase, PersonReference, Piece
from generation.writing.offline.dossier_points import IS
from generation.writing.offline.forms import present
from generation.writing.offline.name_choice import NameChoice
from generation.writing.offline.realising import SentenceRealiser, TextPoint
from generation.writing.offline.weaving import apposed, woven
from tests.coref.conftest import make_book, person

PEOPLE = (
    person("anna", "Anna", pronouns="she/her"),
    person("tom", "Tom", pronouns="he/him"),
    person("ben", "Ben", pronouns="he/him"),
)
ANNA, TOM, BEN = (PersonReference(who, GrammaticalCase.OBJECT) for who in ("anna", "tom", "ben"))


def point(subject: str, *pieces: Piece, at: int = 0) -> TextPoint:
    return TextPoint(subject, pieces, (Citation(Span(at, at + 1), 0),))


def told(sentences: list[list[TextPoint]]) -> list[Sentence]:
    teller = SentenceRealiser(
        NameChoice(CastIndex(make_book("Anna and Tom"), Annotations("hand/1", PEOPLE, (), ()))), "anna"
    )
    return [s for s in (teller.sentence(points) for points in sentences) if s is not None]


@pytest.mark.parametrize(
    ("points", "text"),
    [
        ([point("anna", IS, "proud"), point("anna", IS, "clever")], "Anna is proud and clever."),
        (
            [point("anna", IS, "a tall woman"), point("anna", present("have"), "blue eyes")],
            "Anna is a tall woman and has blue eyes.",
        ),
        (
            [point("anna", IS, "tall and thin"), point("anna", IS, "a fool")],
            "Anna is tall and thin, and is a fool.",
        ),
        (
            [point("anna", present("love"), TOM), point("anna", present("love"), BEN)],
            "Anna loves Tom and Ben.",
        ),
        (
            [point("tom", present("admire"), ANNA), point("tom", present("love"), ANNA)],
            "Tom admires and loves Anna.",
        ),
        (
            [point("anna", present("dislike"), TOM, "at first"), point("tom", present("love"), ANNA)],
            "Anna dislikes Tom at first, while he loves her.",
        ),
        (
            [point("tom", present("love"), ANNA), point("ben", present("fear"), ANNA)],
            "Tom loves Anna, and Ben fears her.",
        ),
    ],
)
def test_short_points_share_a_sentence(points: list[TextPoint], text: str) -> None:
    assert [s.text for s in told(woven(points))] == [text]


def test_each_fact_of_a_woven_sentence_can_be_told_alone() -> None:
    points = [
        point("anna", IS, "a tall woman", at=0),
        point("anna", present("love"), TOM, at=1),
        point("anna", present("love"), BEN, at=2),
    ]
    (sentence,) = told(woven(points))
    assert [(f.text, [c.span.start for c in f.citations]) for f in sentence.stated] == [
        ("Anna is a tall woman.", [0]),
        ("Anna loves Tom.", [1]),
        ("Anna loves Ben.", [2]),
    ]
    assert [c.span.start for c in sentence.citations] == [0, 1, 2]


def test_who_somebody_is_stands_beside_the_name() -> None:
    who = point("anna", IS, PersonReference("tom", GrammaticalCase.POSSESSIVE), "sister", at=0)
    both = apposed(who, point("anna", IS, "a tall woman", at=1))
    assert both is not None
    (sentence,) = told([[both]])
    assert sentence.text == "Anna, Tom’s sister, is a tall woman."
    assert [f.text for f in sentence.stated] == ["Anna is Tom’s sister.", "Anna is a tall woman."]
    assert apposed(who, point("anna", present("have"), "blue eyes")) is None


def test_two_with_one_surname_share_it() -> None:
    people = (
        *PEOPLE,
        person("her", "Mrs. Hay", pronouns="she/her"),
        person("him", "Mr. Hay", pronouns="he/him"),
    )
    teller = SentenceRealiser(
        NameChoice(CastIndex(make_book("Anna"), Annotations("hand/1", people, (), ()))), "anna"
    )
    pieces = (
        IS,
        "the daughter of",
        PersonReference("her", GrammaticalCase.OBJECT),
        "and",
        PersonReference("him", GrammaticalCase.OBJECT),
    )
    sentence = teller.sentence([point("anna", *pieces)])
    assert sentence is not None
    assert sentence.text == "Anna is the daughter of Mr. and Mrs. Hay."


def test_whoever_was_just_named_is_not_named_again_unless_it_is_unclear() -> None:
    love, meet = present("love"), present("meet")
    texts = [s.text for s in told([[point("anna", love, TOM)], [point("anna", meet, TOM)]])]
    assert texts == ["Anna loves Tom.", "She meets him."]
    texts = [s.text for s in told([[point("anna", love, TOM, "and", BEN)], [point("anna", meet, TOM)]])]
    assert texts == ["Anna loves Tom and Ben.", "She meets Tom."]
