"""Distinctive traits come first. Denied and merely possible ones are listed separately."""

from __future__ import annotations

from dataclasses import replace

import pytest

from books.types import Book, Span
from coref.traits.summary import ToldTrait, TraitSummaries, TraitSummary
from coref.types import Annotations, Trait, TraitKind
from tests.coref.conftest import make_book

BOOK = make_book("Chapter 1\n\n" + "x " * 200 + "\n\nChapter 2\n\n" + "y " * 200)
SECOND = BOOK.chapters[1].span.start


class Making:
    """Creates traits one after another, each in a place of its own."""

    def __init__(self) -> None:
        self.traits: list[Trait] = []

    def add(self, who: str, kind: TraitKind, lemma: str, times: int = 1, **how: object) -> Making:
        for _ in range(times):
            at = 20 + len(self.traits)
            self.traits.append(replace(Trait(who, kind, Span(at, at + 1), lemma), **how))  # type: ignore[arg-type]
        return self

    def of(self, who: str) -> TraitSummary:
        return TraitSummaries(BOOK, Annotations("hand/1", (), (), (), traits=tuple(self.traits))).of(who)


def lemmas(told: tuple[ToldTrait, ...]) -> list[str]:
    return [t.lemma for t in told]


DOES, IS, HAS, KIN = TraitKind.DOES, TraitKind.IS, TraitKind.HAS, TraitKind.KIN


@pytest.fixture
def making() -> Making:
    """Everybody says much, Anna sings, Tom rides, and Tom yodels once."""
    made = Making().add("anna", DOES, "say", 30).add("tom", DOES, "say", 40).add("eve", DOES, "say", 30)
    made.add("anna", DOES, "sing", 6).add("tom", DOES, "sing", 1).add("eve", DOES, "sleep", 5)
    return made.add("tom", DOES, "ride", 5).add("tom", DOES, "yodel", 1)


def test_what_sets_apart_comes_first(making: Making) -> None:
    anna, tom = making.of("anna"), making.of("tom")
    assert lemmas(anna.said[DOES]) == ["sing", "say"]
    assert lemmas(tom.said[DOES])[:2] == ["ride", "yodel"]
    assert anna.said[DOES][0].weight > 1 > abs(anna.said[DOES][1].weight)


def test_one_odd_word_weighs_less_than_a_habit(making: Making) -> None:
    ride, yodel = making.of("tom").said[DOES][:2]
    assert ride.weight > 2 * yodel.weight > 0


def test_counts_and_places(making: Making) -> None:
    making.traits.append(Trait("anna", DOES, Span(SECOND + 20, SECOND + 21), "sing", quoted=True))
    sing = making.of("anna").said[DOES][0]
    assert (sing.count, sing.quoted, sing.chapters) == (7, 1, (1, 2))
    assert sing.spans[-1] == Span(SECOND + 20, SECOND + 21)
    assert [s.start for s in sing.spans] == sorted(s.start for s in sing.spans)


def test_denied_and_possible_stand_apart() -> None:
    made = Making().add("anna", IS, "proud").add("anna", IS, "proud", negated=True)
    made.add("anna", IS, "proud", modal="seem").add("anna", IS, "vain", negated=True, modal="think")
    anna = made.of("anna")
    assert lemmas(anna.said[IS]) == ["proud"]
    assert lemmas(anna.denied[IS]) == ["proud"]
    assert sorted(lemmas(anna.possible[IS])) == ["proud", "vain"]
    assert [t.count for t in (*anna.said[IS], *anna.denied[IS], *anna.possible[IS])] == [1, 1, 1, 1]


def test_ties_are_told_by_their_other_end_most_often_first() -> None:
    made = Making().add("anna", KIN, "sister", 1, other="tom").add("anna", KIN, "sister", 3, other="eve")
    made.add("anna", KIN, "aunt", 2, other="tom").add("tom", KIN, "brother", 1, other="anna")
    told = made.of("anna").said[KIN]
    assert [(t.lemma, t.other, t.count) for t in told] == [
        ("sister", "eve", 3),
        ("aunt", "tom", 2),
        ("sister", "tom", 1),
    ]


def test_deeds_are_counted_whomever_they_are_done_to() -> None:
    made = Making().add("anna", DOES, "love", 2, other="tom").add("anna", DOES, "love", 1, other="eve")
    assert [(t.lemma, t.other, t.count) for t in made.of("anna").said[DOES]] == [("love", None, 3)]


def test_alone_in_a_book_most_said_comes_first() -> None:
    anna = Making().add("anna", HAS, "hat", 1).add("anna", HAS, "eye", 4).of("anna")
    assert lemmas(anna.said[HAS]) == ["eye", "hat"]
    only = Making().add("anna", HAS, "hat", 3).of("anna").said[HAS]
    assert [(t.lemma, t.weight, t.count) for t in only] == [("hat", 0.0, 3)]


def test_of_whom_nothing_is_said() -> None:
    nobody = Making().add("anna", HAS, "hat").of("tom")
    for part in (nobody.said, nobody.denied, nobody.possible):
        assert dict(part) == dict.fromkeys(TraitKind, ())


def test_a_place_before_the_first_chapter_is_in_none() -> None:
    book = replace(BOOK, chapters=(BOOK.chapters[1],))
    assert isinstance(book, Book)
    trait = Trait("anna", DOES, Span(20, 21), "sing")
    told = TraitSummaries(book, Annotations("hand/1", (), (), (), traits=(trait,))).of("anna").said[DOES]
    assert told[0].chapters == ()
