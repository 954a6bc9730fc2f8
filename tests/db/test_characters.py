"""Casts, and the search for a name in all books of a library."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from coref.types import Alias, Character, CharacterKind
from db.database import Database
from db.names import LONGEST, bare, fold, titles
from db.repositories import CharacterRepository
from db.types import BookRecord, CharacterRecord
from tests.db.conftest import AddBook, person

NAME = st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), min_size=1, max_size=30)
PEOPLE = st.lists(
    st.builds(
        Character,
        id=NAME,
        name=NAME,
        aliases=st.lists(st.builds(Alias, NAME, st.integers(1, 9), st.integers(0, 9)), max_size=3).map(tuple),
        kind=st.sampled_from(CharacterKind),
        pronouns=st.none() | st.just("they/them"),
        mention_count=st.integers(0, 99_999),
        first=st.integers(0, 9),
    ),
    max_size=5,
    unique_by=lambda one: one.id,
)


@pytest.fixture
def holmes(database: Database, add_book: AddBook) -> BookRecord:
    book = add_book(title="A Study in Scarlet")
    cast = [
        person("Sherlock Holmes", "Mr. Holmes", "Holmes", "Sherlock", mentions=90),
        person("John Watson", "Dr. Watson", "Doctor", mentions=80),
        person("Mycroft Holmes", "Mr. Holmes", mentions=5),
        person("Señora Núñez", mentions=1),
    ]
    with database.session() as session:
        CharacterRepository(session).replace(book.id, cast)
    return book


def names(found: list[CharacterRecord]) -> list[str]:
    return [one.name for one in found]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cast=PEOPLE)
def test_a_cast_is_read_as_it_was_written(
    database: Database, add_book: AddBook, cast: list[Character]
) -> None:
    book = add_book(content="one", title="T")
    with database.session() as session:
        CharacterRepository(session).replace(book.id, cast)
        read = CharacterRepository(session).of_book(book.id)
    assert read == [
        CharacterRecord(
            book_id=book.id,
            book_title="T",
            key=one.id,
            name=one.name,
            aliases=tuple(dict.fromkeys([*(alias.text for alias in one.aliases), one.name])),
            kind=one.kind,
            pronouns=one.pronouns,
            mention_count=one.mention_count,
        )
        for one in cast
    ]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("Sherlock Holmes", ["Sherlock Holmes"]),
        ("  sherlock   HOLMES ", ["Sherlock Holmes"]),
        ("Mr Holmes", ["Sherlock Holmes", "Mycroft Holmes"]),
        ("Holmes", ["Sherlock Holmes", "Mycroft Holmes"]),
        ("Inspector Holmes", ["Sherlock Holmes", "Mycroft Holmes"]),
        ("Watson", ["John Watson"]),
        ("Doctor", ["John Watson"]),
        ("SEÑORA nu\u0301n\u0303ez", ["Señora Núñez"]),
        ("Núñez", ["Señora Núñez"]),
        ("Moriarty", []),
        ("", []),
        ("\x00", []),
        ("%", []),
    ],
)
def test_a_name_is_found(database: Database, holmes: BookRecord, query: str, found: list[str]) -> None:
    with database.session(read_only=True) as session:
        assert names(CharacterRepository(session).named(library="home", name=query)) == found


@pytest.mark.parametrize(
    ("part", "found"),
    [
        ("Hol", ["Sherlock Holmes", "Mycroft Holmes"]),
        ("sherlock h", ["Sherlock Holmes"]),
        ("NU\u0301N\u0303", ["Señora Núñez"]),
        ("olmes", []),
        ("%", []),
        ("_", []),
        ("\x00", []),
        (" ", []),
    ],
)
def test_names_are_found_by_how_their_words_begin(
    database: Database, holmes: BookRecord, part: str, found: list[str]
) -> None:
    assert holmes.library == "home"
    with database.session(read_only=True) as session:
        characters = CharacterRepository(session)
        assert names(characters.beginning(library="home", part=part)) == found
        assert names(characters.beginning(library="home", part=part, limit=1)) == found[:1]
        assert characters.beginning(library="another", part=part) == []


def test_a_new_cast_replaces_the_old(database: Database, holmes: BookRecord) -> None:
    with database.session() as session:
        characters = CharacterRepository(session)
        characters.replace(holmes.id, [person("Irene Adler")])
        assert names(characters.of_book(holmes.id)) == ["Irene Adler"]
        assert characters.named(library="home", name="Holmes") == []
        characters.replace(holmes.id, [])
        assert characters.of_book(holmes.id) == []


def test_a_name_of_any_length_fits_the_index(database: Database, book: BookRecord) -> None:
    long = "".join(chr(0x4E00 + at % 20_000) for at in range(50_000))
    with database.session() as session:
        CharacterRepository(session).replace(book.id, [person(long, key="c-1")])
        assert names(CharacterRepository(session).named(library="home", name=long)) == [long]


@given(st.text())
@example("İstanbul")
def test_folding_is_done_once(name: str) -> None:
    folded = fold(name)
    assert fold(folded) == folded
    assert len(folded) <= LONGEST
    assert bool(bare(folded)) == bool(folded)


def test_titles_are_folded_words() -> None:
    assert all(fold(title) == title and " " not in title for title in titles())
    assert bare("mr") == "mr"
    assert bare("mr mrs jones") == "jones"


def test_people_are_found_by_words_of_their_names(database: Database, holmes: BookRecord) -> None:
    assert holmes.library == "home"
    with database.session(read_only=True) as session:
        found = CharacterRepository(session)
        for words, meant in {
            ("HOLMES", "sherlock"): ["Sherlock Holmes"],
            ("holmes",): ["Sherlock Holmes", "Mycroft Holmes"],
            ("holm",): [],
            ("%",): [],
            (): [],
        }.items():
            assert names(found.with_words(library="home", words=words)) == meant
            assert found.with_words(library="another", words=words) == []


def test_people_are_found_by_what_fits_a_name(database: Database, holmes: BookRecord) -> None:
    assert holmes.library == "home"
    with database.session(read_only=True) as session:
        found = CharacterRepository(session)
        assert names(found.with_alias(library="home", fits=lambda name: "nor" in name)) == []
        assert names(found.with_alias(library="home", fits=lambda name: name.startswith("Señ"))) == [
            "Señora Núñez"
        ]
        assert found.with_alias(library="another", fits=bool) == []
