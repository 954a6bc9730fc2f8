"""A name over the library means whom it means in the book."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from coref.errors import CharacterAmbiguous, CharacterUnknown
from coref.lookup import find
from coref.types import Annotations, Character
from db.repositories import BookRepository, CharacterRepository
from db.types import ReadingOptions
from generation.errors import NotYetMet
from service.library import Library
from service.services import Services
from service.usecases import books
from service.usecases.name_lookup import only_one
from tests.db.conftest import person
from tests.service.conftest import HOME

LIBRARY = "names"
SHELVES = {
    "Mansfield Park": [
        person("Henry Crawford", "Mr. Crawford", "Crawford", mentions=300),
        person("Mary Crawford", "Miss Crawford", "Crawford", mentions=4),
        person("Fanny Price", mentions=900),
    ],
    "Bovary": [person("Emma Bovary", "Emma", mentions=9), person("José Núñez", mentions=2)],
    "Highbury": [person("Emma", "Emma Woodhouse"), person("Captain Patrick O’Neil", mentions=1)],
    "Gascony": [person("Jean-Luc d'Artagnan", key="gascon-12ab"), person("賈雨村")],
}
Put = Callable[[str, list[Character]], str]


@pytest.fixture
def put(services: Services) -> Iterator[Put]:
    """Add a book of which there are only the rows of the database: nothing else is looked at."""
    added: list[str] = []

    def put(title: str, cast: list[Character]) -> str:
        with services.database.session() as session:
            book, _ = BookRepository(session).ensure(
                library=LIBRARY,
                content_sha256=title,
                filename=None,
                size=1,
                options=ReadingOptions(title=title),
            )
            CharacterRepository(session).replace(book.id, cast)
        added.append(book.id)
        return book.id

    yield put
    for book_id in added:
        books.delete(Library(services, LIBRARY), book_id=book_id)


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("gascon-12ab", "Gascony"),
        ("Crawford", "Mansfield Park"),
        ("miss crawford", "Mansfield Park"),
        ("Mary", "Mansfield Park"),
        ("price fanny", "Mansfield Park"),
        ("Jose Nunez", "Bovary"),
        ("núñez", "Bovary"),
        ("nunez", "Bovary"),
        ("Woodhouse", "Highbury"),
        ("Capt. O'Neil", "Highbury"),
        ("oneil", "Highbury"),
        ("patrick o neil", "Highbury"),
        ("dartagnan", "Gascony"),
        ("JEAN LUC", "Gascony"),
        ("贾雨村", "Gascony"),
    ],
)
def test_whoever_the_book_finds_is_found(services: Services, put: Put, name: str, title: str) -> None:
    shelves = {put(one, cast): cast for one, cast in SHELVES.items()}
    book_id, key = only_one(Library(services, LIBRARY), name=name)
    assert Library(services, LIBRARY).book(book_id).title == title
    alone = Annotations(
        resolver="rules/1", characters=tuple(shelves[book_id]), mentions=(), quotes=(), merges=()
    )
    assert find(alone, name).id == key


def test_people_of_several_books_are_listed(services: Services, put: Put) -> None:
    shelves = [put(one, cast) for one, cast in SHELVES.items()]
    with pytest.raises(CharacterAmbiguous) as caught:
        only_one(Library(services, LIBRARY), name="emma")
    assert set(caught.value.candidates) == {f"{shelves[1]}/c-emma bovary", f"{shelves[2]}/c-emma"}


def test_who_has_the_whole_name_comes_before_who_has_a_part_of_it(services: Services, put: Put) -> None:
    put("One", [person("Ellen Fosdick", mentions=90)])
    library = Library(services, LIBRARY)
    assert only_one(library, name="fosdick")[1] == "c-ellen fosdick"
    put("Two", [person("Aunt Fosdick", mentions=1)])
    assert only_one(library, name="fosdick")[1] == "c-aunt fosdick"
    for nobody in ("fosdic", "!", "the", " ", "ellen fosdick price"):
        with pytest.raises(CharacterUnknown):
            only_one(library, name=nobody)


def test_at_most_twenty_candidates_are_listed(services: Services, put: Put) -> None:
    put("Crowd", [person(f"Person {at}", "Mr. Smith") for at in range(30)])
    with pytest.raises(CharacterAmbiguous, match="matches 30 characters") as caught:
        only_one(Library(services, LIBRARY), name="Smith")
    assert len(caught.value.candidates) == 20


@pytest.mark.parametrize("name", ["Ward", "Mrs. Ward", "wárd", "Lane Ward"])
def test_with_a_gate_nothing_that_comes_later_leads_to_anybody(
    services: Services, book_id: str, name: str
) -> None:
    library = Library(services, HOME)
    with pytest.raises(NotYetMet):
        only_one(library, name=name, upto="2")
    for lane in ("lane", "Mme. Láne"):
        found = only_one(library, name=lane, upto="2")
        assert found == only_one(library, name=lane) == (book_id, found[1])
