"""Relations, qualities and opinions in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from books.types import Span
from coref.types import Annotations
from generation.story.cast import CastIndex
from generation.story.types import (
    UNKNOWN,
    Aspect,
    CharacterRole,
    Dossier,
    Quality,
    SpeechCounts,
    StoryPresence,
    Tie,
    TieKind,
)
from generation.types import Citation
from generation.writing.offline import dossier_points
from generation.writing.offline.name_choice import NameChoice
from generation.writing.offline.realising import SentenceRealiser, TextPoint
from tests.coref.conftest import make_book, person

HERE = (Citation(Span(0, 3), 0),)
PEOPLE = tuple(person(name, name.capitalize()) for name in ("anna", "tom", "jane"))


def dossier(
    *ties: Tie, roles: tuple[CharacterRole, ...] = (), qualities: tuple[Quality, ...] = ()
) -> Dossier:
    presence = StoryPresence((0,), (1,), HERE[0], HERE[0], 1.0, 1)
    return Dossier("anna", ties, roles, qualities, (), (), presence, None, SpeechCounts(0, 0, 0.0, (), ()))


def tie(term: str, other: str | None, *, qualifier: str | None = None, sure: float = 0.9) -> Tie:
    name = None if other else "the late Mr. Hay"
    return Tie(TieKind.KIN, term, other, name, HERE, 3.0, sure, qualifier)


def quality(text: str, *, speaker: str | None = None, noun: bool = False) -> Quality:
    return Quality(text, text.split()[-1], noun, Aspect.NATURE, speaker, HERE, 2.0)


def said(points: list[TextPoint]) -> list[str]:
    teller = SentenceRealiser(
        NameChoice(CastIndex(make_book("Anna"), Annotations("hand/1", PEOPLE, (), ()))), "anna"
    )
    found = (teller.sentence([p]) for p in points)
    return [s.text for s in found if s]


@pytest.mark.parametrize(
    ("ties", "text"),
    [
        ([tie("sister", "tom")], "Anna is Tom’s sister."),
        ([tie("sister", "tom", qualifier="elder")], "Anna is Tom’s elder sister."),
        ([tie("sister", "tom"), tie("sister", "jane")], "Anna is the sister of Tom and Jane."),
        (
            [tie("daughter", "tom", qualifier="eldest"), tie("daughter", "jane")],
            "Anna is the eldest daughter of Tom and Jane.",
        ),
        ([tie("widow", None)], "Anna is the widow of the late Mr. Hay."),
        ([tie("sister", "tom"), tie("aunt", "jane")], "Anna is Tom’s sister and Jane’s aunt."),
    ],
)
def test_ties_in_words(ties: list[Tie], text: str) -> None:
    assert said(dossier_points.identity(dossier(*ties), most=3)) == [text]


def test_a_tie_that_is_not_sure_is_not_told() -> None:
    assert dossier_points.identity(dossier(tie("sister", "tom", sure=0.4)), most=3) == []


def test_the_role_comes_first_and_has_its_article() -> None:
    role = CharacterRole("old housekeeper", "housekeeper", HERE, 3.0)
    assert said(dossier_points.identity(dossier(tie("sister", "tom"), roles=(role,)), most=2)) == [
        "Anna is an old housekeeper and Tom’s sister."
    ]


def test_qualities_share_a_sentence_and_nouns_have_their_own() -> None:
    told = dossier(qualities=(quality("proud"), quality("clever"), quality("great talker", noun=True)))
    assert said(dossier_points.nature(told, most=3)) == [
        "Anna is proud and clever.",
        "Anna is a great talker.",
    ]


def test_what_others_say_is_theirs() -> None:
    told = dossier(qualities=(quality("proud", speaker="tom"), quality("vain", speaker=UNKNOWN)))
    assert dossier_points.nature(told, most=3) == []
    assert said(dossier_points.opinions(told, most=2)) == [
        "Tom calls Anna proud.",
        "Anna is said to be vain.",
    ]


def test_what_says_nothing_of_a_nature_is_left_out() -> None:
    assert dossier_points.nature(dossier(qualities=(quality("poor"), quality("glad"))), most=3) == []


def test_who_speaks_much_is_told_with_whom_they_speak_to() -> None:
    talks = SpeechCounts(40, 900, 0.5, (("tom", 12), ("jane", 3)), (), HERE[0])
    assert said(dossier_points.speech(replace(dossier(), speech=talks))) == [
        "Anna speaks 40 times, most often to Tom."
    ]
    assert dossier_points.speech(replace(dossier(), speech=replace(talks, quotes=3))) == []
    assert dossier_points.speech(dossier()) == []


@pytest.mark.parametrize(("term", "told"), [("husband", False), ("wife", False), ("friend", True)])
def test_marriage_must_be_surer_than_other_ties(term: str, told: bool) -> None:
    assert bool(dossier_points.identity(dossier(tie(term, "ann", sure=0.65)), most=3)) is told
    assert dossier_points.identity(dossier(tie(term, "ann", sure=0.75)), most=3)
