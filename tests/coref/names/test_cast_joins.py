"""People who are joined: which, how surely, and what becomes of their names."""

from __future__ import annotations

import pytest

from coref.names.cast_building import Cast
from coref.names.cast_joins import ComparedPeople, join_alike, joins
from coref.names.name_appositions import RoleHolder
from coref.names.name_uses import ProperName
from coref.names.one_person import ASKED, JOINED
from coref.names.person_pairs import FEATURES
from coref.native.resolver import NativeResolver
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
