"""People who are joined, and surnames that stand alone: which, how surely, and what becomes of the names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from coref.language.tokens import Tokens, tokenize
from coref.names.cast_building import Cast, draw_up
from coref.names.cast_joins import ComparedPeople, give_surnames, join_alike, joins
from coref.names.name_appositions import RoleHolder
from coref.names.name_uses import NameUse, ProperName
from coref.names.one_person import ASKED, JOINED
from coref.names.person_candidates import MentionCandidate, name_spots
from coref.names.person_pairs import FEATURES, PersonPairs
from coref.native.resolver import NativeResolver
from coref.speech.name_survey import study
from coref.types import CharacterKind
from evaluation.coref.one_person_lessons import lesson
from evaluation.corpus.casts import GROUP, NovelCast
from tests.coref.conftest import make_book

SURE, ASK, LEAVE = JOINED + 0.1, (JOINED + ASKED) / 2, ASKED - 0.1
STORY = """Queen Nyleptha came in, and Nyleptha smiled. She sat down, and Tommy Beresford laughed.

“Well, Nyleptha,” said Tommy, “here we are.” Nyleptha nodded. She was tired.

“Yes, Queen Nyleptha,” said the old man. Nyleptha rose. She went out.

Nyleptha came back late. Tommy Beresford was there, and he was glad. Queen Nyleptha sang.

Nyleptha slept. She dreamt of Nyleptha. Queen Nyleptha woke."""


@pytest.mark.parametrize(
    ("known", "joined"),
    [
        ({}, []),
        ({(0, 1): ASK}, []),
        ({(0, 1): SURE, (2, 3): SURE}, [(0, 1), (2, 3)]),
        ({(0, 2): SURE, (1, 2): SURE + 0.05}, [(1, 2), (0, 1)]),
        ({(0, 2): SURE, (1, 2): SURE + 0.05, (0, 1): ASK}, [(1, 2), (0, 1)]),
        ({(0, 2): SURE, (1, 2): SURE + 0.05, (0, 1): LEAVE}, [(1, 2)]),
        ({(0, 1): SURE, (1, 2): SURE, (0, 2): SURE}, [(0, 1), (0, 2)]),
    ],
)
def test_the_surest_are_joined_unless_that_joins_others_who_are_not_one(
    known: dict[tuple[int, int], float], joined: list[tuple[int, int]]
) -> None:
    assert list(joins(known)) == joined


def test_the_cast_takes_over_whatever_was_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    cast = Cast([])
    queen, ann, tom = cast.add(), cast.add(), cast.add()
    queen.names[ProperName(("Queen",), ("Ann",))] = 2
    ann.names[ProperName((), ("Ann",))] = 5
    ann.givens["Ann"] = 5
    cast.options = {0: [ann, tom], 4: [queen, ann], 9: [tom]}
    cast.holders = {"singer": RoleHolder(ann, 2), "smith": RoleHolder(tom, 1)}
    monkeypatch.setattr("coref.names.cast_joins.joins", lambda _: [(0, 1)])
    join_alike(cast, ComparedPeople({}, {(0, 1): [0.0] * len(FEATURES)}))
    assert cast.options == {0: [queen, tom], 4: [queen], 9: [tom]}
    assert {noun: holder.person for noun, holder in cast.holders.items()} == {"singer": queen, "smith": tom}
    assert queen.count == 7
    assert queen.givens == {"Ann": 5}
    assert not ann.names, "the list keeps its length"
    assert len(cast.people) == 3


def test_a_title_does_not_make_another_person_of_a_name() -> None:
    found = NativeResolver().annotate(make_book(STORY))
    names = {alias.text: character.id for character in found.characters for alias in character.aliases}
    assert names["Queen Nyleptha"] == names["Nyleptha"] != names["Tommy"]
    assert not found.doubts


def test_readers_say_who_is_one_person_of_those_who_were_compared() -> None:
    ground, meaning = NativeResolver().resolve(make_book(STORY))
    owners = {"Nyleptha": ("n",), "Queen Nyleptha": ("n",), "Tommy": ("t",), "Beresford": (GROUP,)}
    taught = lesson(NovelCast("n", {}, (), owners), ground, meaning)
    assert taught.true.tolist() == [True]
    assert taught.rows.shape == (1, len(FEATURES))
    nobody = lesson(NovelCast("n", {}, ()), ground, meaning)
    assert nobody.rows.shape == (0, len(FEATURES))


FAMILY = "Walter Vane came. Ann Vane wept. Paul Vane sang." + " Vane sat down." * 2 + " Paul ate." * 20


def drawn_up(text: str) -> tuple[Tokens, list[NameUse], Cast, list[MentionCandidate]]:
    book = make_book(text)
    tokens = tokenize(book)
    named = study(book, tokens)
    people = {use.name for use in named.uses}
    cast = draw_up(tokens, named.uses, named.evidence, {}, judged=people)
    return tokens, named.uses, cast, name_spots(tokens, named.uses, cast.options)


class KnownOdds:
    def __init__(self, *known: float) -> None:
        self.known = known

    def probabilities(self, rows: Sequence[Sequence[float]]) -> NDArray[np.float64]:
        assert len(rows) == len(self.known)
        return np.array(self.known)


@pytest.mark.parametrize(
    ("paul", "walter", "times", "first"),
    [
        (0.1, 0.6, 9, "Walter"),
        (0.3, 0.9, 9, "Walter"),
        (0.1, 0.5, 9, "Paul"),
        (0.1, 0.2, 9, "Paul"),
        (0.7, 0.3, 9, "Paul"),
        (0.1, 0.9, 8, "Paul"),
    ],
)
def test_a_surname_alone_means_another_if_that_is_plain(
    monkeypatch: pytest.MonkeyPatch, paul: float, walter: float, times: int, first: str
) -> None:
    tokens, uses, cast, spots = drawn_up(FAMILY + " Walter slept." * times)
    alone = [spot for spot in spots if spot.head == "Vane"]
    assert [[*spot.options[0].givens] for spot in alone] == [["Paul"], ["Paul"]], "he is named most"
    monkeypatch.setattr("coref.names.cast_joins.shipped", lambda: KnownOdds(paul, walter))
    give_surnames(tokens, cast, uses, spots, [()] * len(spots), {}, [])
    assert [[*spot.options[0].givens] for spot in alone] == [[first], [first]]
    counts = {next(iter(person.givens)): (person.count, person.surnames["Vane"]) for person in cast.people}
    whole = {"Paul": (21, 1), "Walter": (times + 1, 1), "Ann": (1, 1)}
    assert counts == {**whole, first: tuple(count + 2 for count in whole[first])}


def test_a_surname_alone_means_nobody_else_without_a_given_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """He may be the first one."""
    tokens, uses, cast, spots = drawn_up(FAMILY + " Walter slept." * 9)
    paul, walter = (next(p for p in cast.people if given in p.givens) for given in ("Paul", "Walter"))
    walter.givens.clear()
    monkeypatch.setattr("coref.names.cast_joins.shipped", lambda: KnownOdds(0.1, 0.9))
    give_surnames(tokens, cast, uses, spots, [()] * len(spots), {}, [])
    assert [spot.options[0] for spot in spots if spot.head == "Vane"] == [paul, paul]


def test_the_places_of_a_family_are_not_those_of_its_surname(monkeypatch: pytest.MonkeyPatch) -> None:
    tokens, uses, cast, spots = drawn_up(FAMILY + " Walter slept." * 9 + " The Vane family laughed." * 3)
    compared: Counter[int | None] = Counter()

    def watched(*known: Any) -> PersonPairs:
        compared.update(spot.who for spot in known[2])
        return PersonPairs(*known)

    monkeypatch.setattr("coref.names.cast_joins.PersonPairs", watched)
    monkeypatch.setattr("coref.names.cast_joins.shipped", lambda: KnownOdds(0.1, 0.3))
    give_surnames(tokens, cast, uses, spots, [()] * len(spots), {}, [])
    (family,) = (person for person in cast.people if person.kind is CharacterKind.GROUP)
    assert compared[family.number] == 3
