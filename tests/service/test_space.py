"""Storage is measured for a bounded time, and what was measured is not measured again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from db.repositories import BookRepository
from service.assembly import assembled
from service.services import Services
from service.settings import Settings
from service.usecases.storage_use import FRESH_SECONDS, Space

HOME = "home"


class Ticking:
    """Each look at it takes a second."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    with assembled(Settings(data_dir=tmp_path, embedder="hashing"), jobs_here=False) as services:
        yield services


def add(services: Services, number: int) -> str:
    with services.database.session() as session:
        book, _ = BookRepository(session).ensure(
            library=HOME, content_sha256=str(number), filename=f"{number}.txt", size=number
        )
    services.store.put_source(book.id, b"x" * number)
    return book.id


def test_one_call_measures_for_a_bounded_time_and_the_next_goes_on(services: Services) -> None:
    ids = {add(services, number + 1) for number in range(10)}
    space = Space(services, budget=7, clock=Ticking())
    first = space.taken(library=HOME)
    assert first.books == 10
    assert 0 < first.measured < 10
    seen = first.measured
    for _ in range(10):
        again = space.taken(library=HOME)
        assert again.measured >= seen
        seen = again.measured
    assert seen == 10
    assert again.whole.total == sum(range(1, 11))
    assert [size.source for _, size in again.items] == list(range(10, 0, -1))
    assert {record.id for record, _ in again.items} == ids


def test_what_is_known_is_not_measured_again_until_it_is_old(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Ticking()
    book = add(services, 5)
    space = Space(services, budget=100, clock=clock)
    assert space.taken(library=HOME).whole.total == 5
    services.store.put_source(book, b"x" * 9)
    assert space.taken(library=HOME).whole.total == 5
    clock.now += FRESH_SECONDS
    assert space.taken(library=HOME).whole.total == 9


def test_unfinished_work_and_older_versions_are_something_else(services: Services) -> None:
    book = add(services, 5)
    old = services.store.source(book).parent / "v0"
    old.mkdir()
    (old / "text.txt").write_bytes(b"four")
    (taken,) = [size for _, size in Space(services).taken(library=HOME).items]
    assert (taken.source, taken.reading, taken.index, taken.other, taken.total) == (5, 0, 0, 4, 9)


def test_another_library_s_books_are_not_told(services: Services) -> None:
    add(services, 5)
    taken = Space(services).taken(library="another")
    assert (taken.books, taken.items, taken.whole.total) == (0, (), 0)
    assert taken.disk.free > 0
