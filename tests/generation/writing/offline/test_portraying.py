"""Descriptions in sentences: a base with its attributes, correct articles, nothing twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from books.types import Span
from coref.types import Annotations
from generation.story.cast import CastIndex
from generation.story.types import UNKNOWN, Aspect, Dossier, SpeechCounts, StoryPresence, Stroke, StrokeKind
from generation.types import Category, Citation, Sentence
from generation.writing.offline.attribute_sentences import portrait
from generation.writing.offline.name_choice import NameChoice
from generation.writing.offline.realising import SentenceRealiser
from tests.coref.conftest import make_book, person

HERE = Citation(Span(0, 3), 0)
THERE = Citation(Span(4, 9), 2)
COLLINS = Stroke(
    kind=StrokeKind.IS_A,
    aspect=Aspect.LOOKS,
    text="a tall young man of five-and-twenty",
    phrase="tall young man of five-and-twenty",
    adjectives=("tall", "young"),
    noun="man",
    counted=True,
    speaker=None,
    citation=HERE,
    weight=2.0,
)


def has(phrase: str, *, aspect: Aspect = Aspect.LOOKS, counted: bool = False, weight: float = 1.0) -> Stroke:
    *front, noun = phrase.split()
    adjectives = tuple(word.strip(",") for word in front if word != "and")
    return replace(
        COLLINS,
        kind=StrokeKind.HAS,
        aspect=aspect,
        text=phrase,
        phrase=phrase,
        adjectives=adjectives,
        noun=noun,
        counted=counted,
        weight=weight,
    )


def is_(*adjectives: str, phrase: str | None = None, aspect: Aspect = Aspect.LOOKS) -> Stroke:
    said = phrase or ", ".join(adjectives)
    return replace(
        COLLINS,
        kind=StrokeKind.IS,
        aspect=aspect,
        text=said,
        phrase=said,
        adjectives=adjectives,
        noun=None,
        counted=False,
        weight=1.5,
    )


def told(*strokes: Stroke, most: int = 4, aspects: set[Aspect] | None = None) -> list[Sentence]:
    presence = StoryPresence((0,), (1,), HERE, HERE, 1.0, 1)
    speech = SpeechCounts(0, 0, 0.0, (), ())
    dossier = Dossier("anna", (), (), (), (), (), presence, None, speech, portrait=strokes)
    cast = CastIndex(make_book("Anna"), Annotations("hand/1", (person("anna", "Anna"),), (), ()))
    teller = SentenceRealiser(NameChoice(cast), "anna")
    found = (teller.sentence([point]) for point in portrait(dossier, most=most, aspects=aspects))
    return [sentence for sentence in found if sentence is not None]


def said(*strokes: Stroke, most: int = 4, aspects: set[Aspect] | None = None) -> list[str]:
    return [sentence.text for sentence in told(*strokes, most=most, aspects=aspects)]


@pytest.mark.parametrize(
    ("strokes", "text"),
    [
        (
            [COLLINS, has("grave and stately air", counted=True), has("very formal manners")],
            "Anna is a tall young man of five-and-twenty with a grave and stately air and very formal "
            "manners.",
        ),
        ([has("blue eyes")], "Anna has blue eyes."),
        (
            [has("fine bloom", counted=True), has("blue eyes"), has("light hair")],
            "Anna has a fine bloom, blue eyes and light hair.",
        ),
        ([has("honest air", counted=True)], "Anna has an honest air."),
        ([is_("short", "plump", "fair", phrase="short, plump, and fair")], "Anna is short, plump and fair."),
        ([is_("plain", "comely", phrase="plain but comely")], "Anna is plain but comely."),
        (
            [is_("short", "plump"), has("blue eyes")],
            "Anna is short and plump, with blue eyes.",
        ),
        (
            [COLLINS, is_("stout", "fair"), has("blue eyes")],
            "Anna is a tall young man of five-and-twenty, stout and fair, with blue eyes.",
        ),
    ],
)
def test_one_sentence(strokes: list[Stroke], text: str) -> None:
    assert said(*strokes) == [text]


def test_a_row_inside_the_base_ends_before_what_comes_with_it() -> None:
    woman = replace(
        COLLINS,
        phrase="woman of mean understanding, little information, and uncertain temper",
        adjectives=(),
        noun="woman",
        aspect=Aspect.NATURE,
    )
    turn = replace(
        has("turn", aspect=Aspect.NATURE), phrase="turn for economy", adjectives=(), noun="turn", denied=True
    )
    assert said(woman, turn) == [
        "Anna is a woman of mean understanding, little information, and uncertain temper, "
        "with no turn for economy."
    ]


def test_what_somebody_is_not_stands_alone() -> None:
    fool = replace(
        COLLINS,
        phrase="sensible man",
        adjectives=("sensible",),
        aspect=Aspect.NATURE,
        denied=True,
        weight=3.0,
    )
    mind = has("narrow mind", aspect=Aspect.NATURE, counted=True)
    assert said(fool, mind) == ["Anna is not a sensible man.", "Anna has a narrow mind."]


def test_looks_and_nature_have_a_sentence_each() -> None:
    found = said(has("sweet disposition", aspect=Aspect.NATURE, counted=True), has("blue eyes"))
    assert found == ["Anna has blue eyes.", "Anna has a sweet disposition."]


def test_only_the_aspects_that_are_asked_for() -> None:
    strokes = (has("sweet disposition", aspect=Aspect.NATURE, counted=True), has("blue eyes"))
    assert said(*strokes, aspects={Aspect.NATURE}) == ["Anna has a sweet disposition."]


def test_no_more_sentences_than_wanted_and_the_weightier_first() -> None:
    strokes = (
        has("sweet disposition", aspect=Aspect.NATURE, counted=True, weight=2.0),
        has("blue eyes"),
    )
    assert said(*strokes, most=1) == ["Anna has a sweet disposition."]
    assert said(*strokes, most=0) == []


def test_no_adjective_and_no_part_twice() -> None:
    strokes = (COLLINS, has("tall figure", counted=True), has("blue eyes"), has("sharp eyes"))
    assert said(*strokes) == ["Anna is a tall young man of five-and-twenty with blue eyes."]


def test_a_word_that_says_little_may_come_again() -> None:
    strokes = (has("little thin face", counted=True), has("little nose", counted=True))
    assert said(*strokes) == ["Anna has a little thin face and a little nose."]


def test_one_adjective_has_its_own_sentence() -> None:
    assert said(COLLINS, is_("remarkably stout")) == [
        "Anna is a tall young man of five-and-twenty.",
        "Anna is remarkably stout.",
    ]


def test_no_sentence_grows_too_long() -> None:
    parts = [has(f"adjective{n} thoroughly{n} wonderful{n} remarkable{n} part{n}") for n in range(9)]
    found = said(COLLINS, *parts, most=9)
    assert len(found) > 1
    assert all(len(text.split()) <= 27 for text in found)


def test_what_others_say_is_left_to_them() -> None:
    assert said(replace(COLLINS, speaker="tom"), replace(COLLINS, speaker=UNKNOWN)) == []


def test_each_stroke_is_a_fact_with_its_own_citation() -> None:
    (sentence,) = told(COLLINS, replace(has("blue eyes"), citation=THERE))
    assert [(fact.text, fact.citations) for fact in sentence.stated] == [
        ("Anna is a tall young man of five-and-twenty.", (HERE,)),
        ("Anna has blue eyes.", (THERE,)),
    ]
    assert sentence.citations == (HERE, THERE)
    (nature,) = told(has("sweet disposition", aspect=Aspect.NATURE, counted=True))
    assert [fact.category for fact in nature.stated] == [Category.PERSONALITY]
