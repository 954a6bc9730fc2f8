"""The people of a collection's stories, who are others in each."""

from __future__ import annotations

from collections import Counter

import pytest

from coref.names.name_uses import NameUse, ProperName
from coref.names.stories import are_stories
from coref.native.resolver import NativeResolver
from coref.rules.resolver import RulesResolver
from coref.types import Annotations, MentionKind
from tests.coref.conftest import make_book

HEROES = ["Edith Farrow", "Philip Garrow", "Margaret Lisle", "Walter Pym", "Helen Brand", "George Tuck"]
OWN = {1: "Jack Mooney", 3: "Jack", 4: "Mary Jane", 5: "Polly Dunne"}
"""Who else is in some of the stories."""


def story(hero: str, other: str) -> str:
    first, second = hero.split()[0], other.split()[0]
    return (
        f"{hero} came down to the harbour, and Silas Vane went with him. {first} was tired.\n\n"
        f"Then {other} spoke to {first}. {second} had seen the ship. {first} asked {second} where it lay. "
        f"{second} laughed. {first} listened, and Silas Vane wrote it down.\n\n"
        f"In the evening {second} went away with {hero}. {first} never came back, and {second} wept."
    )


@pytest.fixture(scope="module", params=[NativeResolver, RulesResolver])
def read(request: pytest.FixtureRequest) -> tuple[Annotations, dict[str, Counter[int]]]:
    """Return a collection's annotations, and how often each person is named in each story."""
    others = [OWN.get(number, "Nathan Crowe") for number in range(len(HEROES))]
    told = [story(hero, other) for hero, other in zip(HEROES, others, strict=True)]
    told[5] += "\n\nMary met Polly. Polly had been with Mary, and Mary kissed her. Mary wept."
    book = make_book("\n\n".join(f"Chapter {number}\n\n{text}" for number, text in enumerate(told, start=1)))
    annotations = request.param().annotate(book)
    there: dict[str, Counter[int]] = {person.id: Counter() for person in annotations.characters}
    for mention in annotations.mentions:
        chapter = book.chapter_at(mention.span.start)
        if mention.character is not None and mention.kind is MentionKind.PROPER and chapter is not None:
            there[mention.character][chapter.number] += 1
    return annotations, there


def test_a_bare_name_is_somebody_elses_in_another_story(
    read: tuple[Annotations, dict[str, Counter[int]]],
) -> None:
    annotations, there = read
    jacks = {p.name: set(there[p.id]) for p in annotations.characters if p.name.startswith("Jack")}
    assert jacks == {"Jack Mooney": {2}, "Jack": {4}}


def test_who_belongs_to_the_series_is_one_person(read: tuple[Annotations, dict[str, Counter[int]]]) -> None:
    annotations, there = read
    assert [set(there[p.id]) for p in annotations.characters if "Vane" in p.name] == [{1, 2, 3, 4, 5, 6}]


def test_a_pet_form_is_nobody_else_who_is_in_the_story(
    read: tuple[Annotations, dict[str, Counter[int]]],
) -> None:
    annotations, there = read
    [polly] = [p.id for p in annotations.characters if p.name == "Polly Dunne"]
    [mary] = [p.id for p in annotations.characters if p.name == "Mary"]
    assert (set(there[polly]), set(there[mary])) == ({6}, {6})


def test_of_different_stories_only_namesakes_are_asked_about(
    read: tuple[Annotations, dict[str, Counter[int]]],
) -> None:
    annotations, there = read
    names = {person.id: {alias.text for alias in person.aliases} for person in annotations.characters}
    for doubt in annotations.doubts:
        together = there[doubt.one].keys() & there[doubt.other].keys()
        assert together or names[doubt.one] & names[doubt.other]


@pytest.mark.parametrize(
    ("at_home", "chapters", "stories"),
    [(6, 6, True), (3, 6, True), (2, 6, False), (5, 5, False), (6, 12, False)],
    ids=["all in one chapter", "half of them", "too few of them", "few chapters", "few names"],
)
def test_chapters_are_stories_if_most_people_are_in_one(at_home: int, chapters: int, stories: bool) -> None:
    names = [ProperName((), (f"Name{n}",)) for n in range(6)]
    where = [(n % chapters if n < at_home else k % chapters) for n in range(6) for k in range(5)]
    uses = [NameUse(at, at + 1, names[at // 5]) for at in range(len(where))]
    of_token = [*where, *range(chapters)]
    assert are_stories(uses, of_token) is stories
