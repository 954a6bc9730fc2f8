"""What open books weigh, what is let go first, and that nothing stays behind."""

from __future__ import annotations

import gc
import os
import shutil
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

import books.storage
import coref.storage
from books.reading import read
from coref.decisions.types import Decision, DecisionKind
from coref.gate import gate
from coref.registry import make_resolver
from db.repositories import BookRepository, DecisionRepository
from retrieval.embedders.hashing import HashingEmbedder
from retrieval.index import BookIndex, build
from retrieval.types import Query
from service import memory_estimate
from service.library import Library
from service.services import Services
from service.shelf import OpenBook, Shelf
from service.usecases.decisions import _sha256, decide, logged
from tests.service.conftest import HOME

NOVELLA = Path(__file__).parents[2] / "evaluation" / "novella" / "novella.txt"
MANY = 12
ROOMY = 1 << 30

Copies = Callable[[int], list[str]]


@pytest.fixture
def copies(services: Services, book_id: str) -> Iterator[Copies]:
    """Makes so many published books out of the one; gives their ids."""
    numbers = count()
    with services.database.session(read_only=True) as session:
        original = BookRepository(session).get(book_id)
    assert original is not None
    assert original.version is not None
    home = Path(services.settings.artefacts)
    made: list[str] = []

    def copy(number: int) -> list[str]:
        for _ in range(number):
            with services.database.session() as session:
                repository = BookRepository(session)
                book, _ = repository.ensure(
                    library="many", content_sha256=f"{next(numbers):064x}", filename=None, size=1
                )
                repository.publish(book.id, version=original.version or "")
            shutil.copytree(home / book_id, home / book.id)
            made.append(book.id)
        return made[-number:]

    yield copy
    with services.database.session() as session:
        for each in made:
            BookRepository(session).delete(each)
    for each in made:
        shutil.rmtree(home / each)


def shelf_of(services: Services, *, capacity: int = 1000, memory: int = ROOMY) -> Shelf:
    return Shelf(services.database, services.store, capacity=capacity, memory=memory)


def ask(services: Services, opened: OpenBook, retriever: str = "bm25", text: str = "the mill") -> int:
    view = opened.view(None)
    engine = view.retriever(
        retriever, embedder=services.engines.embedder, bm25=services.settings.bm25, about_people=False
    )
    return len(engine.search(Query(text=text)))


def open_files(services: Services) -> int:
    """How many files of books are open, whatever the database's connections hold."""
    gc.collect()
    home = Path(services.settings.artefacts).resolve()
    return sum(home in Path(os.path.realpath(each)).parents for each in Path("/proc/self/fd").iterdir())


def test_who_is_who_is_loaded_only_when_asked_for(
    services: Services, book_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads: list[Path] = []
    load = coref.storage.load

    def counted(path: Path) -> object:
        loads.append(path)
        return load(path)

    monkeypatch.setattr(coref.storage, "load", counted)
    opened = shelf_of(services).open(book_id, library=HOME)
    assert ask(services, opened)
    assert ask(services, opened, "dense")
    assert opened.view(100).book.text == opened.book.text[:100]
    assert not loads
    assert opened.annotations is opened.annotations
    assert opened.view(None).annotations is opened.annotations
    assert opened.view(100).annotations is opened.view(100).annotations
    assert len(loads) == 1


def test_what_is_not_asked_for_goes_first_and_comes_back_the_same(
    services: Services, book_id: str, copies: Copies
) -> None:
    one, two = copies(2)
    alone = shelf_of(services).open(one, library="many")
    light = alone.weight
    before = alone.annotations
    people = alone.weight - light
    assert people > 0
    shelf = shelf_of(services, memory=2 * light + people)
    first = shelf.open(one, library="many")
    assert first.annotations == before
    second = shelf.open(two, library="many")
    assert second.annotations.characters
    assert shelf.open(two, library="many") is second
    assert len(shelf) == 2, "a book is let go where letting go of its people was enough"
    assert first.weight == light
    assert first.annotations == before
    assert shelf.weight == 2 * (light + people)


def test_a_decision_opens_the_book_anew_and_loads_nothing_again(services: Services, copies: Copies) -> None:
    (book,) = copies(1)
    shelf = shelf_of(services)
    before = shelf.open(book, library="many")
    who = before.annotations.characters[0].id
    with services.database.session() as session:
        DecisionRepository(session).append(
            book, Decision(0, DecisionKind.RENAME, character=who, name="The Miller")
        )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coref.storage, "load", pytest.fail)
        patch.setattr(books.storage, "load", pytest.fail)
        after = shelf.open(book, library="many")
        assert (after.decisions, before.decisions) == (before.decisions + 1, after.decisions - 1)
        assert after.resolved is before.resolved
        named = after.annotations.character(who)
        assert named is not None
        assert named.name == "The Miller"
        assert before.annotations.character(who) != named, "who has it in hand reads on as it was"
    after.lighten()
    assert after.known is None
    assert after.annotations.character(who) == named, "also loaded anew"


def test_a_correction_follows_whom_it_is_about_when_ids_pass_to_others(
    services: Services, copies: Copies, monkeypatch: pytest.MonkeyPatch
) -> None:
    (book,) = copies(1)
    library = Library(services, "many")
    before = library.open(book).resolved
    one, other, gone = before.characters[:3]
    decide(library, book_id=book, wanted=Decision(0, DecisionKind.RENAME, one.id, name="The Miller"))
    decide(library, book_id=book, wanted=Decision(0, DecisionKind.HIDE, gone.id))
    ids: dict[str, str | None] = {one.id: other.id, other.id: one.id, gone.id: None}
    left = (c for c in before.characters if c is not gone)
    anew = replace(
        before,
        characters=tuple(replace(c, id=ids.get(c.id) or c.id) for c in left),
        mentions=tuple(
            replace(m, character=ids.get(m.character or "", m.character)) for m in before.mentions
        ),
        quotes=(),
    )
    monkeypatch.setattr(coref.storage, "load", lambda _: anew)
    services.shelf.drop(book)
    now = library.open(book).annotations
    assert {c.id: c.name for c in now.characters[:2]} == {other.id: "The Miller", one.id: other.name}
    assert len(now.characters) == len(anew.characters)
    listed = [(e.in_effect, e.character) for e in logged(library, book_id=book)]
    assert listed == [(True, one.name), (False, gone.name)]
    decide(library, book_id=book, wanted=Decision(0, DecisionKind.UNDO, undoes=1))
    assert [c.name for c in library.open(book).annotations.characters[:2]] == [one.name, other.name]
    services.shelf.drop(book)


def test_the_hash_of_a_request_is_what_it_was() -> None:
    """A client may repeat one after an upgrade of the service."""
    found = _sha256(Decision(0, DecisionKind.RENAME, "tom", name="Tommy"))
    assert found == "d1eac093c6f1ad954a56749746a54c6d7a54a97269464a281b930bbf72a891b9"


def test_books_go_when_there_are_too_many_or_they_weigh_too_much(services: Services, copies: Copies) -> None:
    ids = copies(4)
    few = shelf_of(services, capacity=2)
    opened = [few.open(each, library="many") for each in ids]
    assert len(few) == 2
    assert few.open(ids[3], library="many") is opened[3]
    assert few.open(ids[0], library="many") is not opened[0]
    tight = shelf_of(services, memory=1)
    for each in ids:
        assert ask(services, tight.open(each, library="many")), "the one in hand is never taken away"
        assert len(tight) == 1
    roomy = shelf_of(services, memory=4 * opened[0].weight)
    for each in ids:
        roomy.open(each, library="many")
    assert len(roomy) == 4


def test_who_has_a_book_in_hand_reads_on_when_it_is_dropped(services: Services, copies: Copies) -> None:
    ids = copies(3)
    shelf = shelf_of(services, capacity=1)
    held = shelf.open(ids[0], library="many")
    view = held.view(None)
    found = ask(services, held)
    for each in ids[1:]:
        shelf.open(each, library="many")
    shelf.drop(ids[2])
    assert len(shelf) == 0
    assert ask(services, held) == found
    assert view.annotations.characters


@pytest.mark.parametrize("number", [12, pytest.param(60, marks=pytest.mark.soak)])
def test_dropped_books_leave_no_files_open(services: Services, copies: Copies, number: int) -> None:
    ids = copies(number)
    shelf = shelf_of(services, capacity=4)
    ask(services, shelf.open(ids[0], library="many"), "hybrid")
    shelf.drop(ids[0])
    before = open_files(services)
    for each in ids:
        opened = shelf.open(each, library="many")
        ask(services, opened, "hybrid")
        assert opened.view(150).annotations is not None
    del opened
    while_open = open_files(services) - before
    assert 4 <= while_open <= 4 * 8, "`bookworm doctor` counts with eight files for an open book"
    for each in ids:
        shelf.drop(each)
    assert open_files(services) <= before


@pytest.mark.parametrize("threads", [16, pytest.param(64, marks=pytest.mark.soak)])
def test_many_threads_open_search_and_drop(services: Services, copies: Copies, threads: int) -> None:
    ids = copies(MANY)
    expected = ask(services, shelf_of(services).open(ids[0], library="many"), "hybrid")
    cast = shelf_of(services).open(ids[0], library="many").annotations.characters
    one = shelf_of(services).open(ids[0], library="many").weight
    shelf = shelf_of(services, capacity=MANY - 2, memory=one * MANY // 2)

    def work(turn: int) -> None:
        for step in range(12):
            each = ids[(turn * 7 + step * 5) % MANY]
            opened = shelf.open(each, library="many")
            assert opened.record.id == each
            match (turn + step) % 4:
                case 0:
                    assert opened.annotations.characters == cast
                case 1:
                    assert opened.view(120).annotations.characters != cast
                case 2:
                    assert ask(services, opened, "hybrid") == expected
                case _:
                    shelf.drop(each)

    with ThreadPoolExecutor(threads) as pool:
        for done in [pool.submit(work, turn) for turn in range(threads)]:
            done.result(timeout=120)
    for each in ids:
        shelf.drop(each)
    assert len(shelf) == 0
    assert open_files(services) == 0


@pytest.fixture(scope="module")
def novel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some ten thousand words, read by rules."""
    folder = tmp_path_factory.mktemp("novel")
    text = NOVELLA.read_text("utf-8")
    book = read(text[: text.index("\n\n", 50_000)].encode(), name="novel.txt")
    books.storage.save(book, folder)
    coref.storage.save(make_resolver("rules").annotate(book), folder / coref.storage.FILE)
    build(book, folder / "index", embedder=HashingEmbedder())
    return folder


def taken(make: Callable[[], object]) -> tuple[object, int]:
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    made = make()
    gc.collect()
    return made, tracemalloc.get_traced_memory()[0] - before


@pytest.mark.soak
def test_the_estimate_is_near_what_is_taken(novel: Path) -> None:
    warm = books.storage.load(novel)
    BookIndex.open(novel / "index", book=warm).bm25.top(["sea"], 1, visible=1)
    gate(coref.storage.load(novel / coref.storage.FILE), upto=1000)
    tracemalloc.start()
    try:
        book, for_book = taken(lambda: books.storage.load(novel))
        assert isinstance(book, books.types.Book)
        annotations, for_people = taken(lambda: coref.storage.load(novel / coref.storage.FILE))
        assert isinstance(annotations, coref.types.Annotations)

        def used() -> BookIndex:
            index = BookIndex.open(novel / "index", book=book)
            assert index.bm25.top(["sea"], 1, visible=1) is not None
            return index

        index, for_index = taken(used)
        assert isinstance(index, BookIndex)
        _, for_postings = taken(lambda: index.postings(annotations))
        gated, for_gate = taken(lambda: gate(annotations, upto=len(book.text) - 10))
        assert isinstance(gated, coref.types.Annotations)
        _, for_more = taken(lambda: index.postings(gated))
    finally:
        tracemalloc.stop()
    for said, real in (
        (memory_estimate.of_book(book), for_book),
        (memory_estimate.of_index(len(index)), for_index),
        (memory_estimate.of_annotations(annotations), for_people + for_postings),
        (memory_estimate.of_changed(gated), for_gate + for_more),
    ):
        assert real / 2 < said < real * 2, (said, real)
    whole = (
        memory_estimate.of_book(book)
        + memory_estimate.of_index(len(index))
        + memory_estimate.of_annotations(annotations)
    )
    real = for_book + for_index + for_people + for_postings
    assert real / 1.5 < whole < real * 1.5, (whole, real)
