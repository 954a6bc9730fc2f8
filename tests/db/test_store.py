"""The store: complete versions or nothing, however the writer is stopped, here and at a remote address."""

from __future__ import annotations

import errno
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from db.errors import StorageFull
from db.store import ArtefactStore, FolderNotWritable, SourceMissing, StoreAway, files
from db.store.mirror import Mirror
from retrieval import manifest as manifests
from retrieval.errors import IndexMissing, IndexStale
from retrieval.types import Manifest, StageStamp

BOOK, OTHER, GONE = (f"bk_1kfz2vq04ac8t3hm{n}" for n in ("01", "02", "03"))
V1, V2, V3 = (f"0123456789abcde{n}" for n in (1, 2, 3))
ROOT = Path(__file__).parents[2]


@pytest.fixture(params=["folder", "file", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ArtefactStore]:
    name = uuid.uuid4().hex
    urls = {
        "folder": str(tmp_path / "books"),
        "file": f"file://{tmp_path}/remote",
        "memory": f"memory://{name}/books",
    }
    yield ArtefactStore(urls[request.param], workspace=tmp_path / "workspace")
    if request.param == "memory":
        import fsspec

        fsspec.filesystem("memory").rm(f"/{name}", recursive=True) if fsspec.filesystem("memory").exists(
            f"/{name}"
        ) else None


@pytest.fixture
def local(tmp_path: Path) -> ArtefactStore:
    return ArtefactStore(str(tmp_path / "books"), workspace=tmp_path / "workspace")


def stamp(stage: str, key: str = "k") -> StageStamp:
    return StageStamp(stage=stage, version=1, engine="test/1", key=key)


def build(store: ArtefactStore, version: str, *, text: str = "call me", book: str = BOOK) -> Path:
    builder = store.builder(book, version)
    with builder.stage(stamp("read")) as out:
        (out / "text.txt").write_text(text)
    with builder.stage(stamp("index")) as out:
        (out / "index" / "bm25").mkdir(parents=True)
        (out / "index" / "bm25" / "data.npy").write_bytes(b"\x01\x02")
    return builder.publish(manifest(store, version, book=book))


def manifest(store: ArtefactStore, version: str, *, book: str = BOOK) -> Manifest:
    builder = store.builder(book, version)
    stamps = [builder.finished(stage, "k") for stage in ("read", "index")]
    return Manifest(
        format=manifests.FORMAT,
        text_sha256="0" * 64,
        stages=tuple(s for s in stamps if s is not None),
        created="2026-11-20T00:00:00Z",
    )


def everything(folder: Path) -> list[str]:
    return [p.relative_to(folder).as_posix() for p in sorted(folder.rglob("*")) if p.is_file()]


def test_source_comes_back_as_it_was(store: ArtefactStore) -> None:
    store.put_source(BOOK, b"\x00bytes")
    store.put_source(BOOK, b"\x00other")
    assert store.source(BOOK).read_bytes() == b"\x00other"


def test_missing_source_says_what_to_do(store: ArtefactStore) -> None:
    with pytest.raises(SourceMissing, match="Upload the book again"):
        store.source(BOOK).read_bytes()


def test_published_version_holds_what_the_stages_wrote_and_nothing_else(store: ArtefactStore) -> None:
    build(store, V1)
    folder = store.open(BOOK, V1)
    assert everything(folder) == ["index/bm25/data.npy", "manifest.json", "text.txt"]
    assert store.versions(BOOK) == [V1]
    assert not list(folder.parent.glob(".*"))


def test_nothing_is_served_before_publishing(store: ArtefactStore) -> None:
    builder = store.builder(BOOK, V1)
    with builder.stage(stamp("read")) as out:
        (out / "text.txt").write_text("call me")
    with pytest.raises(IndexMissing):
        store.open(BOOK, V1)
    assert store.versions(BOOK) == []


def test_publishing_twice_is_publishing_once(store: ArtefactStore) -> None:
    first = build(store, V1)
    before = (first / "manifest.json").stat().st_mtime_ns
    store.builder(BOOK, V1).publish(manifest(store, V1))
    assert (first / "manifest.json").stat().st_mtime_ns == before


def test_finished_stage_is_found_under_its_key_only(store: ArtefactStore) -> None:
    builder = store.builder(BOOK, V1)
    assert builder.finished("read", "k") is None
    with builder.stage(stamp("read")) as out:
        (out / "text.txt").write_text("call me")
    found = store.builder(BOOK, V1).finished("read", "k")
    assert found is not None
    assert list(found.files) == ["text.txt"]
    assert store.builder(BOOK, V1).finished("read", "another") is None


def test_stage_that_fails_leaves_nothing(store: ArtefactStore) -> None:
    builder = store.builder(BOOK, V1)

    def fail() -> None:
        with builder.stage(stamp("read")) as out:
            (out / "text.txt").write_text("call")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert builder.finished("read", "k") is None
    assert everything(builder.folder.parent) == []


def test_stage_done_again_replaces_its_files_and_folders(store: ArtefactStore) -> None:
    builder = store.builder(BOOK, V1)
    for content in (b"1", b"22"):
        with builder.stage(stamp("index")) as out:
            (out / "index").mkdir()
            (out / "index" / "data").write_bytes(content)
    assert (builder.folder / "index" / "data").read_bytes() == b"22"
    assert builder.finished("index", "k") is not None


def test_damaged_unfinished_artefact_is_done_again(local: ArtefactStore) -> None:
    builder = local.builder(BOOK, V1)
    with builder.stage(stamp("read")) as out:
        (out / "text.txt").write_text("call me")
    (builder.folder / "text.txt").write_text("call mE")
    assert builder.finished("read", "k") is None


def test_damaged_receipt_is_no_receipt(local: ArtefactStore) -> None:
    builder = local.builder(BOOK, V1)
    with builder.stage(stamp("read")) as out:
        (out / "text.txt").write_text("call me")
    receipt = next((builder.folder / ".receipts").iterdir())
    for content in (b"", b"{", b"[]", b'{"files": {}}'):
        receipt.write_bytes(content)
        assert builder.finished("read", "k") is None


@pytest.mark.parametrize("damage", ["change", "truncate", "remove", "manifest"])
def test_damage_is_told_not_served(local: ArtefactStore, damage: str) -> None:
    folder = build(local, V1)
    target = folder / ("manifest.json" if damage == "manifest" else "text.txt")
    if damage == "remove":
        target.unlink()
    else:
        target.write_bytes(b"" if damage == "truncate" else b"call mE")
    with pytest.raises(IndexStale):
        local.open(BOOK, V1)


def test_damaged_version_is_replaced_by_building_it_again(local: ArtefactStore) -> None:
    folder = build(local, V1)
    (folder / "text.txt").write_text("damaged")
    build(local, V1)
    assert (local.open(BOOK, V1) / "text.txt").read_text() == "call me"
    assert not list(folder.parent.glob(".*"))


def test_damaged_copy_of_a_remote_version_is_fetched_again(tmp_path: Path) -> None:
    store = ArtefactStore(f"file://{tmp_path}/remote", workspace=tmp_path / "here")
    folder = build(store, V1)
    (folder / "text.txt").write_text("damaged")
    assert (store.open(BOOK, V1) / "text.txt").read_text() == "call me"


def test_damaged_remote_version_is_told(tmp_path: Path) -> None:
    store = ArtefactStore(f"file://{tmp_path}/remote", workspace=tmp_path / "here")
    build(store, V1)
    (tmp_path / "remote" / BOOK / V1 / "text.txt").write_text("damaged")
    elsewhere = ArtefactStore(f"file://{tmp_path}/remote", workspace=tmp_path / "there")
    with pytest.raises(IndexStale):
        elsewhere.open(BOOK, V1)
    assert not (tmp_path / "there" / BOOK / V1).exists()


def test_another_machine_goes_on_and_reads(tmp_path: Path) -> None:
    """One machine finishes a stage and dies; another, with an empty disk, publishes; a third reads."""
    url = f"file://{tmp_path}/remote"
    one, two, three = (ArtefactStore(url, workspace=tmp_path / n) for n in ("one", "two", "three"))
    one.put_source(BOOK, b"source")
    with one.builder(BOOK, V1).stage(stamp("read")) as out:
        (out / "text.txt").write_text("call me")
    shutil.rmtree(tmp_path / "one")
    taken = two.builder(BOOK, V1)
    assert taken.finished("read", "k") is not None
    with taken.stage(stamp("index")) as out:
        (out / "index").mkdir()
        (out / "index" / "data").write_bytes(b"1")
    taken.publish(manifest(two, V1))
    assert everything(three.open(BOOK, V1)) == ["index/data", "manifest.json", "text.txt"]
    assert three.source(BOOK).read_bytes() == b"source"
    assert not (tmp_path / "remote" / BOOK / V1 / ".receipts").exists()


def test_stage_done_for_another_version_is_copied_not_done_again(store: ArtefactStore) -> None:
    build(store, V1)
    builder = store.builder(BOOK, V2)
    assert builder.finished("read", "another key") is None
    assert builder.finished("index", "k") is not None
    (store.open(BOOK, V1) / "index" / "bm25" / "data.npy").write_bytes(b"later damage")
    assert (builder.folder / "index" / "bm25" / "data.npy").read_bytes() == b"\x01\x02"


def test_damaged_stage_of_another_version_is_not_copied(local: ArtefactStore) -> None:
    (build(local, V1) / "text.txt").write_text("damaged")
    assert local.builder(BOOK, V2).finished("read", "k") is None


def test_discarded_work_is_gone_and_what_is_published_stays(store: ArtefactStore) -> None:
    build(store, V1)
    with store.builder(BOOK, V2).stage(stamp("read", "other")) as out:
        (out / "text.txt").write_text("call me")
    store.discard(BOOK)
    assert store.builder(BOOK, V2).finished("read", "other") is None
    assert store.versions(BOOK) == [V1]
    store.open(BOOK, V1)


def test_the_bytes_of_each_file(store: ArtefactStore) -> None:
    store.put_source(BOOK, b"source")
    folder = build(store, V1)
    sizes = dict(store.sizes(BOOK))
    assert sizes["source"] == 6
    published = {name: size for name, size in sizes.items() if name.startswith(f"{V1}/")}
    assert published[f"{V1}/text.txt"] == (folder / "text.txt").stat().st_size
    assert published[f"{V1}/manifest.json"] > 0
    assert list(store.sizes("bk_none")) == []


def test_deleting_a_book_takes_everything(store: ArtefactStore) -> None:
    store.put_source(BOOK, b"source")
    build(store, V1)
    store.delete(BOOK)
    store.delete(BOOK)
    assert list(store.sizes(BOOK)) == []
    assert store.versions(BOOK) == []
    with pytest.raises(SourceMissing):
        store.source(BOOK).read_bytes()


def test_sweep_takes_what_nothing_points_at(store: ArtefactStore) -> None:
    for book in (BOOK, OTHER, GONE):
        store.put_source(book, b"source")
        build(store, V1, book=book)
    build(store, V2, text="call him")
    with store.builder(BOOK, V3).stage(stamp("read", "other")) as out:
        (out / "text.txt").write_text("orphan")
    store.mark_deleted(GONE)
    swept = store.sweep({(BOOK, V2), (OTHER, V1)}, known={BOOK, OTHER}, grace=0)
    assert store.versions(BOOK) == [V2]
    assert store.versions(OTHER) == [V1]
    assert list(store.sizes(GONE)) == []
    assert store.builder(BOOK, V3).finished("read", "other") is None
    assert store.source(BOOK).read_bytes() == b"source"
    assert f"{BOOK}/{V1}" in swept.removed
    assert store.sweep({(BOOK, V2), (OTHER, V1)}, known={BOOK, OTHER}, grace=0).removed == ()


def test_sweep_leaves_live_work_and_fresh_things_alone(store: ArtefactStore) -> None:
    build(store, V1)
    with store.builder(BOOK, V2).stage(stamp("read")) as out:
        (out / "text.txt").write_text("in hand")
    assert store.sweep(set(), known={BOOK}, busy={BOOK}, grace=0).removed == ()
    assert store.sweep(set(), known=set(), grace=3600).removed == ()
    assert store.versions(BOOK) == [V1]
    assert store.builder(BOOK, V2).finished("read", "k") is not None


@pytest.mark.parametrize("name", ["", "..", "../up", "a/b", ".hidden", "x" * 101])
def test_ids_cannot_climb_out(local: ArtefactStore, name: str) -> None:
    with pytest.raises(ValueError, match="not the id"):
        local.put_source(name, b"")
    with pytest.raises(ValueError, match="not the id"):
        local.builder(BOOK, name)


def test_store_that_does_not_answer_is_worth_another_try() -> None:
    mirror = Mirror("memory://away")

    class Away:
        def __getattr__(self, name: str) -> object:
            raise ConnectionError("no route")

    mirror._fs = Away()
    with pytest.raises(StoreAway) as caught:
        mirror.read("x")
    assert caught.value.retryable


def test_store_that_is_not_installed_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "s3fs", None)
    with pytest.raises(StoreAway, match=re.escape("pip install 'bookworm[s3]'")):
        Mirror("s3://bucket/books")


def test_kind_of_store_that_there_is_not_is_told() -> None:
    with pytest.raises(StoreAway, match=r"of this kind.*BOOKWORM_ARTEFACTS_URL"):
        Mirror("nosuch://user:secret@bucket/books")


def test_probe_leaves_nothing(store: ArtefactStore, tmp_path: Path) -> None:
    store.probe()
    assert everything(tmp_path) == []


@pytest.mark.parametrize("code", [errno.EACCES, errno.EPERM, errno.EROFS, errno.EIO])
def test_folder_that_cannot_be_written_to_is_told(
    local: ArtefactStore, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code), "/srv/secret/path")

    local.put_source(BOOK, b"source")
    builder = local.builder(BOOK, V1)
    for name in ("mkdir", "open", "rename", "unlink", "write_bytes"):
        monkeypatch.setattr(Path, name, refuse)
    calls = (
        lambda: local.put_source(OTHER, b"source"),
        lambda: local.mark_deleted(BOOK),
        lambda: local.delete(BOOK),
        local.probe,
        lambda: builder.stage(stamp("read")).__enter__(),
    )
    for call in calls:
        with pytest.raises(FolderNotWritable, match="cannot be written to") as caught:
            call()
        assert "/srv" not in str(caught.value)


# A full disk.


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Return a real file system of one megabyte, where we may mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    done = mount and subprocess.run(
        [mount, "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)], capture_output=True
    )
    if not done or done.returncode != 0:
        pytest.skip("mounting needs privileges; the same is tested with a double")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_full_disk_keeps_the_old_version_serving(small_disk: Path) -> None:
    store = ArtefactStore(str(small_disk), workspace=small_disk)
    build(store, V1)
    builder = store.builder(BOOK, V2)
    with pytest.raises(StorageFull), builder.stage(stamp("read")) as out:
        (out / "text.txt").write_bytes(b"x" * 2_000_000)
    with pytest.raises(StorageFull):
        store.put_source(OTHER, b"x" * 2_000_000)
    assert (store.open(BOOK, V1) / "text.txt").read_text() == "call me"
    assert sum(p.stat().st_size for p in small_disk.rglob("*") if p.is_file()) < 10_000


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        OSError(errno.EDQUOT, "Disk quota exceeded"),
        RuntimeError("Error in write: 3 != 10 (No space left on device)"),
    ],
)
def test_full_disk_is_told_whoever_meets_it(local: ArtefactStore, error: Exception) -> None:
    builder = local.builder(BOOK, V1)
    with pytest.raises(StorageFull, match="is full"), builder.stage(stamp("read")):
        raise error
    assert everything(builder.folder.parent) == []


def test_disk_that_fills_up_while_publishing(local: ArtefactStore, monkeypatch: pytest.MonkeyPatch) -> None:
    build(local, V1)

    def full(new: Path, old: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        builder = local.builder(BOOK, V2)
        with builder.stage(stamp("read")) as out:
            (out / "text.txt").write_text("call him")
        patch.setattr(files, "replace", full)
        with pytest.raises(StorageFull):
            builder.publish(manifest(local, V2))
    assert local.versions(BOOK) == [V1]
    builder.publish(manifest(local, V2))
    assert local.versions(BOOK) == [V1, V2]


# A killed writer.

KILLED = """
    import os, signal, sys
    from pathlib import Path
    from db.store import ArtefactStore, files
    from tests.db.test_store import BOOK, V2, build, manifest, stamp

    store = ArtefactStore(sys.argv[1], workspace=Path(sys.argv[1]))
    steps, after = {"count": 0}, int(sys.argv[2])

    def counted(real):
        def call(*args, **kwargs):
            if steps["count"] == after:
                os.kill(os.getpid(), signal.SIGKILL)
            steps["count"] += 1
            return real(*args, **kwargs)
        return call

    for name in ("rename", "replace", "write_bytes", "write_text", "unlink", "mkdir"):
        setattr(Path, name, counted(getattr(Path, name)))
    build(store, V2, text="call him")
    print("done", steps["count"])
"""


def test_writer_killed_at_any_step_loses_nothing(tmp_path: Path) -> None:
    """A process is killed before each of its file operations in turn; the next one repairs everything."""
    script = tmp_path / "writer.py"
    script.write_text(textwrap.dedent(KILLED))
    kills = 0
    for after in range(0, 60, 3):
        home = tmp_path / f"books-{after}"
        store = ArtefactStore(str(home), workspace=home)
        build(store, V1)
        ended = subprocess.run(
            [sys.executable, str(script), str(home), str(after)],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=60,
        )
        kills += ended.returncode == -signal.SIGKILL
        assert (store.open(BOOK, V1) / "text.txt").read_text() == "call me"
        build(store, V2, text="call him")
        assert everything(store.open(BOOK, V2)) == ["index/bm25/data.npy", "manifest.json", "text.txt"]
        store.sweep({(BOOK, V1), (BOOK, V2)}, known={BOOK}, grace=0)
        assert not list((home / BOOK).glob(".*"))
        if "done" in ended.stdout:
            break
    assert kills >= 5
    assert "done" in ended.stdout
