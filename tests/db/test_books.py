"""Books: identity by content, pages, publishing, and all that is deleted with a book."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select

from books.edits import ChapterEdit, ChapterMark
from coref.decisions.types import Decision, DecisionKind
from db.database import Database
from db.errors import BookGone
from db.repositories import (
    BookRepository,
    ChapterEditRepository,
    CharacterRepository,
    CompletionRepository,
    DecisionRepository,
    EventRepository,
    JobRepository,
    OverrulingRepository,
    PortraitRepository,
    ReferenceRepository,
)
from db.tables import Base
from db.types import BookRecord, BookState, ChapterRecord, CompletionRecord, FactRecord, ReadingOptions
from generation.types import Category, Label, Task
from tests.db.conftest import AddBook, person

TEXT = st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), max_size=40)
CHAPTERS = st.lists(
    st.builds(
        ChapterRecord, index=st.just(0), title=TEXT, start=st.integers(0, 9**9), end=st.integers(0, 9**9)
    ),
    max_size=4,
).map(lambda found: [ChapterRecord(at, one.title, one.start, one.end) for at, one in enumerate(found)])


def test_a_new_book_waits(database: Database, book: BookRecord) -> None:
    assert book.id.startswith("bk_")
    assert (book.state, book.version, book.words, book.report) == (BookState.PENDING, None, None, None)
    assert timedelta(0) <= datetime.now(UTC) - book.created < timedelta(minutes=1)
    with database.session(read_only=True) as session:
        books = BookRepository(session)
        assert books.get(book.id) == book
        assert books.get(book.id, library="home") == book
        assert books.get(book.id, library="another") is None
        assert books.get("bk_unknown") is None


def test_the_same_content_is_the_same_book_within_a_library(add_book: AddBook) -> None:
    first = add_book(content="same")
    assert add_book(content="same", title="Another title") == first
    assert add_book(library="another", content="same").id != first.id


def test_pages_are_newest_first_and_go_on_after_a_deleted_book(database: Database, add_book: AddBook) -> None:
    ids = [add_book().id for _ in range(5)][::-1]
    add_book(library="another")
    with database.session() as session:
        books = BookRepository(session)
        assert [one.id for one in books.page(library="home", after=None, limit=2)] == ids[:2]
        books.delete(ids[1])
        assert [one.id for one in books.page(library="home", after=ids[1], limit=2)] == ids[2:4]
        assert [one.id for one in books.page(library="home", after=ids[3], limit=9)] == ids[4:]
        assert books.all_ids() >= {ids[0], *ids[2:]}


@pytest.mark.parametrize(
    ("query", "found"),
    [("emma", True), ("EMM", True), ("e_ma", False), ("%", False), ("txt", True), ("x y", False)],
)
def test_a_page_can_be_searched(database: Database, add_book: AddBook, query: str, found: bool) -> None:
    book = add_book(title="Emma")
    with database.session(read_only=True) as session:
        page = BookRepository(session).page(library="home", after=None, limit=5, query=query)
    assert page == ([book] if found else [])


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(title=TEXT, author=st.none() | TEXT, words=st.integers(0, 2**40), warning=st.text(), chapters=CHAPTERS)
def test_what_is_written_is_read(
    database: Database,
    add_book: AddBook,
    title: str,
    author: str | None,
    words: int,
    warning: str,
    chapters: list[ChapterRecord],
) -> None:
    book = add_book(content="one")
    report = {"warnings": [warning], "nested": {"share": 0.25, "none": None}}
    with database.session() as session:
        books = BookRepository(session)
        for _ in range(2):  # describing again replaces
            books.describe(
                book.id,
                title=title,
                author=author,
                language="en",
                words=words,
                report=report,
                chapters=chapters,
            )
    with database.session(read_only=True) as session:
        books = BookRepository(session)
        read = books.get(book.id)
        assert read is not None
        assert (read.title, read.author, read.language, read.words) == (title, author, "en", words)
        assert read.report == report
        assert read.created == book.created
        assert read.updated > book.updated
        assert books.chapters(book.id) == chapters


def test_what_postgres_cannot_hold_is_replaced_alike(database: Database, add_book: AddBook) -> None:
    book = add_book(title="nul\x00 and half \ud83d")
    assert book.title == "nul\ufffd and half \ufffd"
    with database.session(read_only=True) as session:
        assert BookRepository(session).get("bk_\x00") is None


def test_how_a_book_is_to_be_read_can_change(database: Database, add_book: AddBook) -> None:
    book = add_book(title="Given")
    assert book.options == ReadingOptions(title="Given")
    later = ReadingOptions(author="Ann", encoding="big5", force=True)
    with database.session() as session:
        books = BookRepository(session)
        assert books.instruct(book.id, later)
        assert not books.instruct(book.id, later)
        read = books.get(book.id)
        assert read is not None
        assert read.options == later
        assert read.title == "Given"  # until the next reading ends
        with pytest.raises(BookGone):
            books.instruct("bk_unknown", later)


def test_what_is_found_is_not_what_was_given(database: Database, book: BookRecord) -> None:
    with database.session() as session:
        books = BookRepository(session)
        books.describe(
            book.id, title="Found", author="Found", language="en", words=1, report=None, chapters=[]
        )
        read = books.get(book.id)
        assert read is not None
        assert (read.title, read.options) == ("Found", ReadingOptions())


def test_the_version_published_last_is_in_use(database: Database, book: BookRecord) -> None:
    with database.session() as session:
        books = BookRepository(session)
        assert books.versions_in_use() == set()
        for version in ("v1", "v1", "v2"):
            books.publish(book.id, version=version)
        assert books.versions_in_use() == {(book.id, "v2")}
        published = books.get(book.id)
        assert published is not None
        assert (published.state, published.version) == (BookState.READY, "v2")


def test_only_an_unpublished_book_fails_and_may_try_again(database: Database, book: BookRecord) -> None:
    with database.session() as session:
        books = BookRepository(session)
        assert books.fail(book.id)
        assert not books.fail(book.id)
        assert books.get(book.id).state is BookState.FAILED  # type: ignore[union-attr]
        assert books.retry(book.id)
        assert not books.retry(book.id)
        books.publish(book.id, version="v1")
        assert not books.fail(book.id)
        assert books.get(book.id).state is BookState.READY  # type: ignore[union-attr]


def test_everything_goes_with_the_book(database: Database, add_book: AddBook) -> None:
    keep, drop = add_book(), add_book()
    for book in (keep, drop):
        with database.session() as session:
            chapters = [ChapterRecord(0, "One", 0, 10)]
            BookRepository(session).describe(
                book.id, title="T", author=None, language="en", words=1, report=None, chapters=chapters
            )
            CharacterRepository(session).replace(book.id, [person("Emma", "Miss Woodhouse")])
            DecisionRepository(session).append(book.id, Decision(0, DecisionKind.HIDE, character="c-emma"))
            ChapterEditRepository(session).put(book.id, ChapterEdit((ChapterMark(0, "One", "It"),), "sha"))
            job = JobRepository(session).create(book.id, library=book.library)
            EventRepository(session).append(book.id, job_id=job.id, kind="queued", data={})
            PortraitRepository(session).put(
                book.id, "k", task=Task.DESCRIPTION, characters=["c-emma"], payload={}, facts=[]
            )
            PortraitRepository(session).compared(book.id, "k", made_of="r", payload={})
            CompletionRepository(session).put(book.id, "k", CompletionRecord("Emma is rich.", "stop", False))
            ReferenceRepository(session).put(
                book.id, "c-emma", Task.DESCRIPTION, name="Emma", text="Emma is rich.", source="us"
            )
            fact = FactRecord("f_1", "c-emma", "Emma is rich.", Category.ROLE, Label.UNCERTAIN, None)
            OverrulingRepository(session).put(
                book.id, fact, name="Emma", label=Label.SUPPORTED, comment=None, by=None
            )
    with database.session() as session:
        assert BookRepository(session).delete(drop.id)
        assert not BookRepository(session).delete(drop.id)
        for table in Base.metadata.sorted_tables:
            column = table.columns.get("book_id")
            if column is not None and table.name != "facts":
                owners = set(session.scalars(select(column)))
                assert owners == {keep.id}, table.name
        assert session.scalar(select(func.count()).select_from(Base.metadata.tables["books"])) == 1


def test_nothing_is_written_about_a_deleted_book(database: Database) -> None:
    gone = "bk_gone"
    writes = [
        lambda s: BookRepository(s).publish(gone, version="v"),
        lambda s: BookRepository(s).lock(gone),
        lambda s: CharacterRepository(s).replace(gone, []),
        lambda s: DecisionRepository(s).append(gone, Decision(0, DecisionKind.HIDE, character="c")),
        lambda s: EventRepository(s).append(gone, job_id=None, kind="k", data={}),
        lambda s: JobRepository(s).create(gone, library="home"),
        lambda s: PortraitRepository(s).put(gone, "k", task=Task.JOINT, characters=[], payload={}, facts=[]),
    ]
    for write in writes:
        with pytest.raises(BookGone, match="was deleted"), database.session() as session:
            write(session)
