"""Places of a novel at which a reader said who is meant, and how a resolver does at them."""

from __future__ import annotations

from collections import Counter

from coref.rules.resolver import RulesResolver
from evaluation.coref.cast_places import (
    CastScore,
    NamePairs,
    ReadPlace,
    name_pairs,
    read_places,
    score,
)
from evaluation.corpus.casts import BOTH_WAYS, GROUP, CastPlace, NovelCast, casts
from evaluation.corpus.loading import novels
from tests.coref.conftest import make_book
from tests.evaluation.test_corpus import RESERVED


def place(who: str | None, found: str | None, words: str = "Tom") -> ReadPlace:
    return ReadPlace(CastPlace("", words, "", who), found)


def test_a_place_is_right_if_person_and_character_belong_to_each_other() -> None:
    places = [
        *[place("tom", "c1")] * 3,
        place("tom", "c2"),
        place("ned", "c1"),
        place("ned", "c3"),
        place("ned", "c3"),
        place("ann", None),
    ]
    found = score(places)
    assert (found.places, found.right, found.mixed, found.split, found.lost) == (8, 5, 1, 1, 1)


def test_no_people_are_counted_apart_and_groups_not_at_all() -> None:
    found = score([place(None, None), place(None, "c1"), place(GROUP, "c1")])
    assert (found.places, found.nobody, found.taken) == (0, 2, 1)


def test_i_is_counted_apart_and_says_whose_the_character_is() -> None:
    found = score([*[place("teller", "c1", "I")] * 3, place("tom", "c1"), place("tom", "c1", "me")])
    assert (found.told, found.told_right) == (4, 3)
    assert (found.places, found.mixed) == (1, 1)


def test_scores_add_up() -> None:
    one = CastScore(5, 1, 2, 1, 1, 3, 2, 4, 3)
    assert one + CastScore() == one
    assert (one + one).places == 10


def test_places_are_found_and_read() -> None:
    book = make_book("Mr. Hale came in. “Sit down,\nTom Hale,” said Ann Lee. Ann Lee sat down. Tom Hale sat.")
    places = (
        CastPlace("down, ", "Tom Hale", ",” said", "tom"),
        CastPlace("said ", "Ann Lee", "", "ann"),
        CastPlace("down. ", "Tom Hale", " sat", "tom"),
    )
    cast = NovelCast("a_book", {"tom": "Tom Hale", "ann": "Ann Lee"}, places)
    read = read_places(cast, book.text, RulesResolver().annotate(book))
    assert score(read) == CastScore(3, 3, 0, 0, 0, 0, 0, 0, 0)


def test_names_of_one_person_are_compared_in_pairs() -> None:
    book = make_book(
        "Mr. Hale came in. “Sit down, Tom Hale,” said Ann Lee. Ann Lee sat down. Tom Hale sat. Tom Hale went."
        " “Good night, Nan,” said Tom Hale. “Sleep well, Nan,” said Tom Hale. Ann Lee went, too."
    )
    names = {
        "Tom Hale": ("tom",),
        "Mr Hale": ("tom",),
        "Ann Lee": ("ann",),
        "Nan": ("ann",),
        "Nowhere": ("tom",),
    }
    found = name_pairs(NovelCast("a_book", {}, (), names), RulesResolver().annotate(book))
    assert found.one == 2, "Nan and Ann Lee, Mr. Hale and Tom Hale"
    assert found.right <= found.found
    several = {"Tom Hale": ("tom", "ann"), "Mr Hale": ("tom",), "Ann Lee": (), "Nan": (GROUP,)}
    assert name_pairs(NovelCast("a_book", {}, (), several), RulesResolver().annotate(book)) == NamePairs(
        0, 0, 0
    )
    assert found + NamePairs(1, 2, 1) == NamePairs(3, found.found + 2, found.right + 1)


def test_the_casts_of_the_corpus_hold_together() -> None:
    titles = {novel.novel: novel.split for novel in novels()}
    found = list(casts())
    assert len(found) == 69
    reserved = {title.casefold().replace(" ", "_") for title in RESERVED}
    assert len({cast.novel for cast in found} - titles.keys()) == 22, "two of them are collections of stories"
    assert not {cast.novel.partition("_")[2] for cast in found} & reserved
    for cast in found:
        assert titles.get(cast.novel) != "test", "no test title is read"
        named = {who for people in cast.names.values() for who in people}
        telling = {part.who for part in cast.tellers}
        assert {*(p.who for p in cast.places), *named, *telling} - {None, GROUP} == set(cast.people)
        assert all(name.strip() == name for name in cast.names)
        assert len(set(cast.places)) == len(cast.places)
        assert all(p.words.strip() for p in cast.places)
        assert {who for tie in cast.ties for who in (tie.who, tie.of)} <= set(cast.people)
        assert all(tie.who != tie.of for tie in cast.ties)
        both = [(tie.name, *sorted((tie.who, tie.of))) for tie in cast.ties if tie.name in BOTH_WAYS]
        assert len(set(both)) == len(both)
        assert all((case.other is None) == (case.kind == "not a person") for case in cast.cases)
    kinds = Counter(case.kind for cast in found for case in cast.cases)
    assert kinds.total() >= 900
    assert min(kinds.values()) >= 70
    assert sum(bool(cast.tellers) for cast in found) == 15
    assert sum(len(cast.ties) for cast in found) >= 3000
