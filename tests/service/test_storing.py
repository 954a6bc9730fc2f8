"""Uploading to and deleting from a store that fails."""

from __future__ import annotations

import errno
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from db.errors import BookGone, DatabaseAway, StorageFull
from db.repositories import BookRepository, EventRepository
from db.store import ArtefactStore, FolderNotWritable, files
from db.types import BookState
from service.assembly import assembled
from service.errors import BookFailed
from service.library import Library
from service.settings import Settings
from service.usecases import books
from tests.service.conftest import HOME, STORY

DATA = STORY.encode()


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    settings = Settings(data_dir=tmp_path, embedder="hashing", resolver="rules")
    with assembled(settings, jobs_here=False) as services:
        yield Library(services, HOME)


def full(*_: Any) -> None:
    raise StorageFull("The disk that holds the books is full.")


def home_of(library: Library, book_id: str) -> Path:
    return Path(library.services.settings.artefacts) / book_id


def away(*_: Any) -> None:
    raise DatabaseAway("The database does not answer.")


def test_a_new_book_that_cannot_be_stored_is_not_added(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(ArtefactStore, "put_source", full)
        with pytest.raises(StorageFull):
            books.upload(library, data=DATA)
    assert library.books() == []
    assert books.upload(library, data=DATA).created


def test_a_book_that_waited_and_cannot_be_stored_has_failed(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    with library.services.database.session() as session:  # an upload that was killed before its job existed
        book, _ = BookRepository(session).ensure(
            library=HOME,
            content_sha256=hashlib.sha256(DATA).hexdigest(),
            filename=None,
            size=len(DATA),
        )
    with monkeypatch.context() as patch:
        patch.setattr(ArtefactStore, "put_source", full)
        with pytest.raises(StorageFull):
            books.upload(library, data=DATA)
    assert library.book(book.id).state is BookState.FAILED
    with pytest.raises(BookFailed, match="disk that holds the books is full") as caught:
        library.open(book.id)
    assert "Upload the book again" in caught.value.advice
    with library.services.database.session(read_only=True) as session:
        events = EventRepository(session).since(book.id, after=0, limit=9)
    assert [event.kind for event in events] == ["job.failed"]
    again = books.upload(library, data=DATA)
    assert (again.created, again.book.id) == (False, book.id)
    assert library.book(book.id).state is BookState.PENDING


def test_an_upload_without_a_job_is_taken_back(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise KeyError("a bug")

    with monkeypatch.context() as patch:
        patch.setattr(books, "order", broken)
        with pytest.raises(KeyError):
            books.upload(library, data=DATA)
    assert library.books() == []
    assert list(Path(library.services.settings.artefacts).iterdir()) == []


def test_a_book_that_another_upload_is_processing_stays(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = books.upload(library, data=DATA)
    with monkeypatch.context() as patch:
        patch.setattr(books, "active", lambda *_, **__: None)  # its job appears after we looked
        patch.setattr(ArtefactStore, "put_source", full)
        with pytest.raises(StorageFull):
            books.upload(library, data=DATA)
    assert taken.job is not None
    assert not library.job(taken.job.id).state.ended
    assert library.services.store.source(taken.book.id).read_bytes() == DATA


def test_a_book_that_is_deleted_during_its_upload_leaves_no_files(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = library.services.store
    put = store.put_source

    def slowly(book_id: str, data: bytes) -> None:
        books.delete(library, book_id=book_id)
        put(book_id, data)

    monkeypatch.setattr(store, "put_source", slowly)
    with pytest.raises(BookGone):
        books.upload(library, data=DATA)
    assert list(Path(library.services.settings.artefacts).iterdir()) == []


def test_a_book_that_is_deleted_while_its_file_is_written_is_gone(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without_folder(book_id: str, data: bytes) -> None:
        books.delete(library, book_id=book_id)
        raise FileNotFoundError(errno.ENOENT, "No such file or directory")

    monkeypatch.setattr(library.services.store, "put_source", without_folder)
    with pytest.raises(BookGone):
        books.upload(library, data=DATA)
    assert list(Path(library.services.settings.artefacts).iterdir()) == []


def test_a_deletion_that_is_interrupted_is_completed_by_the_sweep(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def killed(*_: Any) -> None:
        raise Killed

    services = library.services
    kept, gone = (books.upload(library, data=DATA + name).book.id for name in (b"kept", b"gone"))
    with monkeypatch.context() as patch:
        patch.setattr(ArtefactStore, "delete", killed)
        with pytest.raises(Killed):
            books.delete(library, book_id=gone)
    assert home_of(library, gone).exists()
    services.store.sweep(set(), known={kept}, grace=0)
    assert not home_of(library, gone).exists()
    services.store.sweep(set(), known=set(), grace=0)
    assert home_of(library, kept).exists()


def test_a_book_is_deleted_from_a_full_disk(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    book_id = books.upload(library, data=DATA).book.id
    monkeypatch.setattr(ArtefactStore, "mark_deleted", full)
    books.delete(library, book_id=book_id)
    assert library.books() == []
    assert not home_of(library, book_id).exists()


def test_files_that_cannot_be_removed_are_left_to_the_sweep(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: Any) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    book_id = books.upload(library, data=DATA).book.id
    with monkeypatch.context() as patch:
        patch.setattr(files, "remove", refused)
        books.delete(library, book_id=book_id)
    assert library.books() == []
    assert home_of(library, book_id).exists()
    library.services.store.sweep(set(), known=set(), grace=0)
    assert not home_of(library, book_id).exists()


def test_a_book_whose_folder_cannot_be_marked_is_not_deleted(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: Any) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    book_id = books.upload(library, data=DATA).book.id
    monkeypatch.setattr(files, "write", refused)
    with pytest.raises(FolderNotWritable):
        books.delete(library, book_id=book_id)
    (job,) = library.jobs()
    assert library.book(book_id).id == book_id
    assert not job.state.ended


def test_a_job_that_cannot_be_cancelled_leaves_no_mark(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    book_id = books.upload(library, data=DATA).book.id
    monkeypatch.setattr(library.services.jobs, "cancel", away)
    with pytest.raises(DatabaseAway):
        books.delete(library, book_id=book_id)
    library.services.store.sweep(set(), known=set(), grace=0)
    assert library.services.store.source(book_id).read_bytes() == DATA


def test_a_book_whose_row_stays_loses_its_mark(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    book_id = books.upload(library, data=DATA).book.id
    monkeypatch.setattr(BookRepository, "delete", away)
    with pytest.raises(DatabaseAway):
        books.delete(library, book_id=book_id)
    library.services.store.sweep(set(), known=set(), grace=0)
    assert library.services.store.source(book_id).read_bytes() == DATA
