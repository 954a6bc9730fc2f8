"""Only what is surely Bookworm's own is removed from a store, whatever else is in it."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import fsspec
import pytest

from db.identity import make_id
from db.store import ArtefactStore, StoreAway
from db.store.mirror import Mirror
from db.store.sweeping import Folder
from tests.db.test_store import BOOK, GONE, OTHER, V1, V2, build

OTHERS_FILES = (
    "accounts.xlsx",
    "bookworm.sqlite3",
    "photos/2019/cat.jpg",
    "my-epubs/source",
    "bk_short/source",
    ".tmp-mine/letter.txt",
    "0123456789abcdef/thesis.txt",
)


@dataclass(frozen=True)
class Shared:
    """A store, and the same place as its owner has it."""

    store: ArtefactStore
    files: Any
    base: str

    def put(self, name: str) -> None:
        path = f"{self.base}/{name}"
        self.files.makedirs(path.rpartition("/")[0], exist_ok=True)
        self.files.pipe_file(path, b"mine")

    def holds(self, name: str) -> bool:
        return bool(self.files.exists(f"{self.base}/{name}"))


@pytest.fixture(params=["folder", "file", "memory"])
def shared(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Shared]:
    url = {
        "folder": str(tmp_path / "books"),
        "file": f"file://{tmp_path}/remote",
        "memory": f"memory://{uuid.uuid4().hex}/books",
    }[request.param]
    files, base = fsspec.core.url_to_fs(url)
    yield Shared(ArtefactStore(url, workspace=tmp_path / "workspace"), files, base)
    if request.param == "memory":
        files.rm(base.rpartition("/")[0], recursive=True)


def add(store: ArtefactStore, book: str) -> None:
    store.put_source(book, b"source")
    build(store, V1, book=book)


def test_files_of_others_stay(shared: Shared) -> None:
    for name in OTHERS_FILES:
        shared.put(name)
    assert shared.store.sweep(set(), known=set(), grace=0).removed == ()
    assert [name for name in OTHERS_FILES if not shared.holds(name)] == []


def test_file_that_is_named_like_a_book_stays(shared: Shared) -> None:
    shared.put(GONE)
    assert shared.store.sweep(set(), known=set(), grace=0).removed == ()
    assert shared.holds(GONE)


@pytest.mark.parametrize("known", [True, False])
def test_files_of_others_in_the_folder_of_a_book_stay(shared: Shared, known: bool) -> None:
    build(shared.store, V1)
    shared.put(f"{BOOK}/notes.txt")
    shared.put(f"{BOOK}/.hidden")
    shared.store.sweep(set(), known={BOOK} if known else set(), grace=0)
    assert shared.holds(f"{BOOK}/notes.txt")
    assert shared.holds(f"{BOOK}/.hidden")
    assert shared.holds(f"{BOOK}/{V1}/text.txt") is not known


def test_deleting_a_book_leaves_what_others_put_there(shared: Shared) -> None:
    add(shared.store, BOOK)
    shared.put(f"{BOOK}/notes.txt")
    shared.store.delete(BOOK)
    assert list(dict(shared.store.sizes(BOOK))) == ["notes.txt"]


def test_uploads_that_the_database_does_not_know_stay(shared: Shared) -> None:
    """An empty database over the books of another one, and one that is older than its books."""
    newer = make_id("bk")
    for book in (BOOK, OTHER, newer):
        add(shared.store, book)
    swept = shared.store.sweep(set(), known=set(), grace=0)
    assert (swept.removed, swept.unknown) == ((), 3)
    swept = shared.store.sweep({(BOOK, V1), (OTHER, V1)}, known={BOOK, OTHER}, grace=0)
    assert (swept.removed, swept.unknown) == ((), 1)
    for book in (BOOK, OTHER, newer):
        assert shared.store.source(book).read_bytes() == b"source"
        assert shared.store.versions(book) == [V1]


def test_fresh_uploads_are_not_counted_as_unknown(shared: Shared) -> None:
    add(shared.store, BOOK)
    assert shared.store.sweep(set(), known=set(), grace=3600).unknown == 0


def test_work_for_a_book_without_upload_and_row_goes(shared: Shared) -> None:
    build(shared.store, V1)
    assert shared.store.sweep(set(), known=set(), grace=0).removed != ()
    assert not shared.holds(BOOK)


@pytest.mark.parametrize("after", range(4))
def test_interrupted_removal_is_completed(
    shared: Shared, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    add(shared.store, GONE)
    build(shared.store, V2, book=GONE)
    add(shared.store, BOOK)
    shared.store.mark_deleted(GONE)
    place = Mirror if shared.store._mirror else Folder
    real, calls = place.remove, []

    def killed(self: Any, key: str) -> None:
        calls.append(key)
        if len(calls) > after:
            raise StoreAway("gone")
        real(self, key)

    with monkeypatch.context() as patch:
        patch.setattr(place, "remove", killed)
        with pytest.raises(StoreAway):
            shared.store.delete(GONE)
    assert shared.holds(GONE)
    shared.store.sweep({(BOOK, V1)}, known={BOOK}, grace=0)
    assert not shared.holds(GONE)
    assert list(shared.store.sizes(GONE)) == []
    assert shared.store.source(BOOK).read_bytes() == b"source"


def test_mark_of_a_book_that_was_not_deleted_after_all_goes(shared: Shared) -> None:
    add(shared.store, BOOK)
    shared.store.mark_deleted(BOOK)
    shared.store.sweep({(BOOK, V1)}, known={BOOK}, grace=0)
    shared.store.sweep(set(), known=set(), grace=0)
    assert shared.store.source(BOOK).read_bytes() == b"source"


def test_half_written_upload_goes_and_the_upload_stays(shared: Shared) -> None:
    shared.store.put_source(BOOK, b"source")
    half = shared.store.source(BOOK).with_name(".tmp-source-4711-0a1b2c3d")
    half.write_bytes(b"sou")
    shared.store.sweep(set(), known={BOOK}, grace=0)
    assert not half.exists()
    assert shared.store.source(BOOK).read_bytes() == b"source"


def test_folder_that_an_older_version_was_removing_goes(tmp_path: Path) -> None:
    store = ArtefactStore(str(tmp_path), workspace=tmp_path)
    aside = tmp_path / f".tmp-{GONE}-4711-0a1b2c3d" / V1
    aside.mkdir(parents=True)
    store.sweep(set(), known=set(), grace=0)
    assert not aside.parent.exists()


def test_copies_of_a_book_that_another_machine_deleted_go(tmp_path: Path) -> None:
    one, two = (ArtefactStore(f"file://{tmp_path}/remote", workspace=tmp_path / n) for n in ("one", "two"))
    for book in (GONE, BOOK):
        add(one, book)
        two.source(book).read_bytes()
        two.open(book, V1)
    one.delete(GONE)
    two.sweep(set(), known=set(), grace=0)
    assert not (tmp_path / "two" / GONE).exists()
    assert (tmp_path / "two" / BOOK / "source").exists()
