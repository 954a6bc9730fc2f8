"""Ids are readable in any script, stable and unique."""

from __future__ import annotations

import pytest

from coref.census import MentionTally, make_id
from coref.chinese.resolver import ChineseResolver
from tests.coref.chinese.gold import read_gold


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Mrs. Hale", "mrs-hale"),
        ("O’Brien", "obrien"),
        ("Émile", "emile"),
        ("Œuvre", "oeuvre"),
        ("Søren Łuksza", "soren-luksza"),
        ("𝒜nn", "ann"),
        ("Guðrún Strauß", "guðrun-strauss"),
        ("林秋月", "林秋月"),
        ("约翰·罗斯", "约翰罗斯"),
        ("阿Q", "阿q"),
        ("김철수", "김철수"),
        ("Ivan Иванов", "ivan-иванов"),
        ("?", "character"),
    ],
)
def test_an_id_reads_like_the_name(name: str, slug: str) -> None:
    made = make_id(name, "12")
    assert made.rpartition("-")[0] == slug
    assert made == make_id(name, "12")
    assert made != make_id(name, "13")


def test_ids_do_not_change() -> None:
    """Ids are stored in readers' decisions, which a change would lose."""
    assert make_id("Mrs. Hale", "12") == "mrs-hale-e297"
    assert make_id("林秋月", "12") == "林秋月-bf04"


def test_ids_of_a_chinese_book() -> None:
    book = read_gold("ferry").book
    found, again = (ChineseResolver().annotate(book) for _ in range(2))
    ids = [character.id for character in found.characters]
    assert len(set(ids)) == len(ids) > 1
    assert ids == [character.id for character in again.characters]
    assert found.characters[0].id.startswith("林秋月-")


def test_a_name_is_listed_without_what_only_stands_before_it() -> None:
    tally = MentionTally()
    for start, label in enumerate(
        ("poor Zora", "Zora", "asked Zora", "the Zora", "von Bork", "little Ben", "old Zora")
    ):
        tally.name(label, start)
    tally.name("Bork", 9)
    assert [(a.text, a.count, a.first) for a in tally.aliases()] == [
        ("Zora", 3, 0),
        ("the Zora", 1, 3),
        ("von Bork", 1, 4),
        ("little Ben", 1, 5),
        ("old Zora", 1, 6),
        ("Bork", 1, 9),
    ]
