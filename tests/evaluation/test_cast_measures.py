"""A cast by cases, by its doubts and by who tells; and what learns from casts who is one person."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from books.types import Span
from coref.language.word_lists import table
from coref.names.person_pairs import FEATURES
from coref.types import Alias, Annotations, Character, CharacterKind, Doubt, Quote, Teller
from evaluation.coref.cast_cases import CaseScore, score_cases
from evaluation.coref.cast_doubts import DoubtScore, people_meant, score_doubts
from evaluation.coref.marked_speakers import QuotationScore, score_speakers
from evaluation.coref.name_lessons import as_table, known_nobodies
from evaluation.coref.odds_training import OddsLesson, held_out, learn, story_of
from evaluation.coref.reliability import reliability
from evaluation.coref.teller_parts import TellerScore, score_tellers
from evaluation.corpus.casts import GROUP, CastCase, NovelCast, TellerPart, casts
from evaluation.corpus.speakers import MarkedQuotation
from tests.coref.conftest import make_book


def character(number: str, **names: int) -> Character:
    aliases = tuple(Alias(name.replace("_", " "), count, 0) for name, count in names.items())
    return Character(number, aliases[0].text, aliases, CharacterKind.PERSON, None, sum(names.values()), 0)


CAST = (character("c1", Tom_Hale=5, Tom=3), character("c2", Mr_Hale=4, Tom=1), character("c3", The_Swan=2))


def case(one: str, other: str | None, answer: bool, kind: str = "title") -> CastCase:
    return CastCase(kind, one, other, answer)


@pytest.mark.parametrize(
    ("asked", "outcome"),
    [
        (case("Tom", "Tom Hale", True), "right"),
        (case("Tom", "Tom Hale", False), "joined"),
        (case("Tom", "Mr. Hale", True), "parted"),
        (case("Tom", "Mr. Hale", False), "right"),
        (case("Tom", "Thomas", True), "unlisted"),
        (case("Tom", "Thomas", False), "unlisted"),
        (case("the Swan", None, False), "joined"),
        (case("the Swan", None, True), "right"),
        (case("Thomas", None, True), "unlisted"),
        (case("Thomas", None, False), "right"),
    ],
)
def test_a_case_has_one_outcome(asked: CastCase, outcome: str) -> None:
    found = score_cases([asked], CAST)["title"]
    assert {name: getattr(found, name) for name in CaseScore.__slots__ if getattr(found, name)} == {
        "cases": 1,
        outcome: 1,
    }


def test_cases_are_counted_by_kind() -> None:
    found = score_cases([case("Tom", "Tom Hale", True), case("Tom", None, True, "nickname")] * 2, CAST)
    assert found["title"] == found["nickname"] == CaseScore(2, 2, 0, 0, 0)


CALLED = {each.id: {alias.text: alias.count for alias in each.aliases} for each in CAST}
NAMES = {"Tom Hale": ("tom",), "Tom": ("tom",), "Mr. Hale": ("tom",), "The Swan": ()}


def test_a_character_is_whoever_bears_most_of_its_names() -> None:
    assert people_meant(NovelCast("n", {}, (), NAMES), CALLED) == {"c1": "tom", "c2": "tom"}
    two = NAMES | {"Mr. Hale": ("father",)}
    assert people_meant(NovelCast("n", {}, (), two), CALLED) == {"c1": "tom", "c2": "father"}
    mixed = NAMES | {"Tom Hale": ("father",)}
    assert people_meant(NovelCast("n", {}, (), mixed), CALLED) == {"c2": "tom"}, "5 of 8 are not enough"
    unclear = {"Tom Hale": ("tom", "father"), "Tom": (GROUP,)}
    assert people_meant(NovelCast("n", {}, (), unclear), CALLED) == {}


def test_doubts_are_found_and_believed_or_not() -> None:
    annotations = Annotations(
        resolver="none",
        characters=CAST,
        mentions=(),
        quotes=(),
        narrator=None,
        doubts=(Doubt("c1", "c2", 0.7, ""), Doubt("c1", "c3", 0.2, "")),
    )
    found = score_doubts(NovelCast("n", {}, (), NAMES), annotations)
    assert found == DoubtScore(one=1, found=1, asked=2, known=1, said=0.7)
    assert found + DoubtScore() == found
    apart = score_doubts(NovelCast("n", {}, (), NAMES | {"Mr. Hale": ("father",)}), annotations)
    assert (apart.one, apart.found, apart.known) == (0, 0, 1)


def test_who_tells_is_measured_by_letters_and_by_stretches() -> None:
    book = make_book("I sat.\n\nI ate a pear.\n\nI am Ann and went on.\n\nNobody tells this.")
    places = [book.text.index(words) for words in ("I sat", "I am Ann", "Nobody")]
    tellers = (Teller(Span(places[0], places[1]), "c1"), Teller(Span(places[1], places[2]), "c2"))
    annotations = Annotations("none", CAST, (), (), None, tellers=tellers)
    cast = NovelCast(
        "n",
        {},
        (),
        tellers=(
            TellerPart("tom", "I sat", "a pear."),
            TellerPart("tom", "I am Ann", "went on."),
            TellerPart(None, "Nobody", "this."),
        ),
    )
    told = [len(p.span) for p in book.paragraphs]
    assert score_tellers(cast, book, annotations, {"tom": "c1"}) == TellerScore(
        sum(told), sum(told) - told[2], 3, 2
    )
    aloud = NovelCast("n", {}, (), tellers=(TellerPart("ann", "I ate", "a pear.", quoted=True),))
    said = replace(annotations, quotes=(Quote(book.paragraphs[1].span, "c2", None, 1.0),))
    assert score_tellers(aloud, book, said, {"ann": "c2"}).parts_right == 1
    assert score_tellers(aloud, book, annotations, {"ann": "c2"}).parts_right == 0
    with pytest.raises(ValueError, match="does not have"):
        score_tellers(
            NovelCast("n", {}, (), tellers=(TellerPart("tom", "No", "words"),)), book, annotations, {}
        )


def test_who_speaks_is_measured_by_the_quotations_that_readers_marked() -> None:
    quotes = tuple(Quote(Span(at, at + 4), who, None, 1.0) for at, who in ((0, "c1"), (5, "c2"), (10, None)))
    quotes += (Quote(Span(30, 60), "c1", None, 1.0),)
    annotations = Annotations("none", CAST, (), quotes, None)
    marked = [MarkedQuotation(at, "“Yes.”", "tom") for at in (0, 5, 10, 20, 30, 40)]
    assert score_speakers(marked, annotations, {"tom": "c1", "ann": "c2"}) == QuotationScore(6, 3, 2)
    assert score_speakers(marked, annotations, {}) == QuotationScore(6, 0, 2)


def lesson(name: str, seed: int) -> OddsLesson:
    """Return pairs that are one person where the first feature is high, for the most part."""
    random = np.random.default_rng(seed)
    rows = random.normal(size=(60, len(FEATURES)))
    rows[:, -1] = 1.0
    return OddsLesson(name, rows, rows[:, 0] + random.normal(size=60) / 4 > 0.5)


def test_what_tells_one_person_from_two_is_learnt_and_holds_for_other_novels() -> None:
    lessons = [lesson(f"novel {seed}", seed) for seed in range(8)]
    model = learn(lessons, FEATURES)
    assert model.weights[0] > 3 * max(abs(weight) for weight in model.weights[1:])
    assert model.weights[-1] == 0, "what never varies has no weight"
    said, same = held_out(lessons, FEATURES)
    believed = reliability(said, same)
    assert believed.count == 480
    assert believed.auc is not None
    assert believed.auc > 0.9
    assert believed.error < 0.15
    found = story_of(lessons, FEATURES, least=0.15)["held out"]
    assert isinstance(found, dict)
    assert same.sum() / 2 < found["of these true"] <= found["taken to be true"] < 480


def test_nothing_can_be_learnt_from_one_answer() -> None:
    same = OddsLesson("n", np.ones((2, len(FEATURES))), np.array([True, True]))
    with pytest.raises(ValueError, match="same answer"):
        learn([same], FEATURES)
    with pytest.raises(ValueError, match="no reader"):
        learn([], FEATURES)


def test_names_that_are_nobodys_in_several_novels_are_known() -> None:
    nobody = dict.fromkeys(("God", "Ann", "Zorbin", "Mr Zorbin"), ())
    one = NovelCast("one", {}, (), names={**nobody, "Milton": ()})
    two = NovelCast("two", {"z": "Zorbin"}, (), names={**nobody, "GOD": (), "Tom Zorbin": ("z",)})
    assert known_nobodies([one, two]) == {"god": 2}


def test_those_of_the_corpus_come_with_the_package() -> None:
    known = known_nobodies(casts())
    assert {name: int(count) for name, count in table("nobodies").items()} == known
    assert as_table(known).count("\n") == len(known) + 1
