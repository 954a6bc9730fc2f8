"""Attitudes and turning points in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from books.types import Span
from coref.types import Annotations
from generation.story.cast import CastIndex
from generation.story.types import Attitude, Bearing, Dossier, SpeechCounts, StoryPresence
from generation.types import Citation
from generation.writing.offline.attitude_points import attitudes, turning_points
from generation.writing.offline.name_choice import NameChoice
from generation.writing.offline.realising import SentenceRealiser, TextPoint
from tests.coref.conftest import make_book, person

HERE = (Citation(Span(0, 3), 0),)
PEOPLE = (
    person("anna", "Anna", pronouns="she/her"),
    person("tom", "Tom", pronouns="he/him"),
    person("jane", "Jane", pronouns="she/her"),
)


def attitude(
    bearing: Bearing,
    other: str = "tom",
    *,
    holder: str = "anna",
    chapter: int = 0,
    speaker: str | None = None,
) -> Attitude:
    cited = (Citation(Span(10 * chapter, 10 * chapter + 3), chapter),)
    return Attitude(bearing, holder, other, 1.0, 0.0, 0.6, cited, chapter, False, False, speaker)


def dossier(*found: Attitude) -> Dossier:
    presence = StoryPresence((0,), (1,), HERE[0], HERE[0], 1.0, 1)
    empty = Dossier("anna", (), (), (), (), (), presence, None, SpeechCounts(0, 0, 0.0, (), ()))
    return replace(empty, attitudes=found)


def said(points: list[TextPoint]) -> list[str]:
    teller = SentenceRealiser(
        NameChoice(CastIndex(make_book("Anna"), Annotations("hand/1", PEOPLE, (), ()))), "anna"
    )
    return [s.text for p in points if (s := teller.sentence([p])) is not None]


@pytest.mark.parametrize(
    ("bearing", "text"),
    [
        (Bearing.LOVE, "Anna loves Tom."),
        (Bearing.FONDNESS, "Anna is fond of Tom."),
        (Bearing.DEVOTION, "Anna is devoted to Tom."),
        (Bearing.ADMIRATION, "Anna admires Tom."),
        (Bearing.TRUST, "Anna trusts Tom."),
        (Bearing.GRATITUDE, "Anna is grateful to Tom."),
        (Bearing.PITY, "Anna pities Tom."),
        (Bearing.JEALOUSY, "Anna is jealous of Tom."),
        (Bearing.FEAR, "Anna fears Tom."),
        (Bearing.DISLIKE, "Anna dislikes Tom."),
        (Bearing.HATRED, "Anna hates Tom."),
        (Bearing.CONTEMPT, "Anna despises Tom."),
    ],
)
def test_feelings_in_words(bearing: Bearing, text: str) -> None:
    assert said(attitudes(dossier(attitude(bearing)), most=3)) == [text]
    assert turning_points(dossier(attitude(bearing)), most=3) == []


@pytest.mark.parametrize(
    ("bearing", "done", "undergone"),
    [
        (Bearing.PROPOSAL, "Anna proposes to Tom.", "Anna receives a proposal from Tom."),
        (Bearing.REFUSAL, "Anna refuses Tom.", "Anna is refused by Tom."),
        (Bearing.ENGAGEMENT, "Anna becomes engaged to Tom.", None),
        (Bearing.ELOPEMENT, "Anna elopes with Tom.", None),
        (Bearing.MARRIAGE, "Anna marries Tom.", None),
        (Bearing.KILLING, "Anna kills Tom.", "Anna is killed by Tom."),
        (Bearing.SAVING, "Anna saves Tom.", "Anna is saved by Tom."),
        (Bearing.BETRAYAL, "Anna betrays Tom.", "Anna is betrayed by Tom."),
        (Bearing.FORGIVENESS, "Anna forgives Tom.", "Anna is forgiven by Tom."),
    ],
)
def test_turning_points_in_words(bearing: Bearing, done: str, undergone: str | None) -> None:
    assert said(turning_points(dossier(attitude(bearing)), most=3)) == [done]
    assert attitudes(dossier(attitude(bearing)), most=3) == []
    if undergone is not None:
        other = attitude(bearing, "anna", holder="tom")
        assert said(turning_points(dossier(other), most=3)) == [undergone]


def test_every_bearing_has_words() -> None:
    for bearing in Bearing:
        tell = turning_points if bearing.happens else attitudes
        assert tell(dossier(attitude(bearing)), most=1)


def test_their_own_feelings_come_first_and_only_as_many_as_are_wanted() -> None:
    found = dossier(attitude(Bearing.LOVE, "anna", holder="tom"), attitude(Bearing.PITY, "jane"))
    assert said(attitudes(found, most=2)) == ["Anna pities Jane.", "Tom loves her."]
    assert said(attitudes(found, most=1)) == ["Anna pities Jane."]
    assert said(attitudes(found, most=2, about="tom")) == ["Tom loves Anna."]


def test_what_others_say_is_told_as_said() -> None:
    heard, own = (attitude(Bearing.LOVE, speaker=who) for who in ("jane", "anna"))
    assert said(attitudes(dossier(heard), most=1)) == ["Anna is said to love Tom."]
    assert said(attitudes(dossier(own), most=1)) == ["Anna loves Tom."]
    saved = attitude(Bearing.SAVING, speaker="tom")
    assert said(turning_points(dossier(saved), most=1)) == ["Anna saves Tom."]


def test_a_feeling_that_turns() -> None:
    cold, warm = attitude(Bearing.DISLIKE, chapter=1), attitude(Bearing.LOVE, chapter=8)
    (turning,) = attitudes(dossier(warm, cold), most=3)
    assert said([turning]) == ["Anna dislikes Tom at first, but comes to love him."]
    assert turning.citations == (*cold.citations, *warm.citations)
    back = attitudes(dossier(replace(warm, chapter=0, citations=HERE), cold), most=3)
    assert said(back) == ["Anna loves Tom at first, but comes to dislike him."]
    at_once = attitudes(dossier(replace(warm, chapter=1, citations=cold.citations), cold), most=3)
    assert said(at_once) == ["Anna loves Tom."]  # only the more certain one


def test_who_weds_whom_they_disliked_did_so_at_first() -> None:
    cold, wedding = attitude(Bearing.DISLIKE, chapter=1), attitude(Bearing.MARRIAGE, chapter=8)
    assert said(attitudes(dossier(wedding, cold), most=3)) == ["Anna dislikes Tom at first."]
    other = attitude(Bearing.MARRIAGE, "jane", chapter=8)
    assert said(attitudes(dossier(other, cold), most=3)) == ["Anna dislikes Tom."]
    before = replace(wedding, chapter=0, citations=HERE)
    assert said(attitudes(dossier(before, cold), most=3)) == ["Anna dislikes Tom."]


def test_turning_points_are_the_surest_in_story_order() -> None:
    found = dossier(
        attitude(Bearing.MARRIAGE, chapter=9),
        attitude(Bearing.REFUSAL, "tom", chapter=3),
        attitude(Bearing.SAVING, "jane", chapter=1),
    )
    told = turning_points(found, most=2)
    assert [said([point]) for point in told] == [["Anna refuses Tom."], ["Anna marries Tom."]]
