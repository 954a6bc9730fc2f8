"""A manifest is compared, not merely read."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from retrieval.errors import IndexMissing, IndexStale
from retrieval.manifest import FILE, FORMAT, read, stamp_files, verify, write
from retrieval.types import FileStamp, Manifest, StageStamp


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "index" / "bm25").mkdir(parents=True)
    (tmp_path / "index" / "bm25" / "a.npy").write_bytes(b"abc")
    (tmp_path / "text.txt").write_text("Once.")
    return tmp_path


@pytest.fixture
def manifest(folder: Path) -> Manifest:
    files = stamp_files(folder, ["index", "text.txt"])
    stage = StageStamp(stage="index", version=1, engine="hashing/1", key="k", files=files)
    return Manifest(FORMAT, text_sha256="ab", stages=(stage,), created="2026-11-20T00:00:00Z")


def test_what_is_written_is_read(folder: Path, manifest: Manifest) -> None:
    write(folder, manifest)
    assert read(folder) == manifest
    assert [p.name for p in folder.iterdir() if p.name.startswith(".")] == []


def test_the_same_manifest_is_the_same_bytes(folder: Path, manifest: Manifest) -> None:
    write(folder, manifest)
    before = (folder / FILE).read_bytes()
    stage = manifest.stages[0]
    write(folder, replace(manifest, stages=(replace(stage, files=dict(reversed(stage.files.items()))),)))
    assert (folder / FILE).read_bytes() == before


def test_a_folder_stands_for_its_files(folder: Path) -> None:
    stamps = stamp_files(folder, ["index"])
    assert list(stamps) == ["index/bm25/a.npy"]
    assert stamps["index/bm25/a.npy"].size == 3


def test_no_manifest_is_missing(tmp_path: Path) -> None:
    with pytest.raises(IndexMissing, match="again"):
        read(tmp_path)
    with pytest.raises(IndexMissing):
        read(tmp_path / "nowhere")


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": 1}', '{"format": 1, "stages": 3}', "\udcff"])
def test_a_damaged_manifest_is_stale(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(IndexStale):
        read(tmp_path)


def test_another_format_is_stale(folder: Path, manifest: Manifest) -> None:
    write(folder, replace(manifest, format=FORMAT + 1))
    with pytest.raises(IndexStale, match="format"):
        read(folder)


def test_a_whole_folder_verifies(folder: Path, manifest: Manifest) -> None:
    verify(folder, manifest)


@pytest.mark.parametrize("damage", [b"abd", b"ab", b""])
def test_a_changed_file_is_stale(folder: Path, manifest: Manifest, damage: bytes) -> None:
    (folder / "index" / "bm25" / "a.npy").write_bytes(damage)
    with pytest.raises(IndexStale, match=r"a\.npy"):
        verify(folder, manifest)


def test_a_lost_file_is_stale(folder: Path, manifest: Manifest) -> None:
    (folder / "text.txt").unlink()
    with pytest.raises(IndexStale, match="missing"):
        verify(folder, manifest)


@pytest.mark.parametrize("name", ["../secret", "/etc/hosts"])
def test_a_manifest_cannot_point_outside(folder: Path, manifest: Manifest, name: str) -> None:
    stage = replace(manifest.stages[0], files={name: FileStamp(1, "x")})
    with pytest.raises(IndexStale, match="outside"):
        verify(folder, replace(manifest, stages=(stage,)))


def test_a_failed_write_leaves_the_old_manifest(
    folder: Path, manifest: Manifest, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder, manifest)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("retrieval.manifest.os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        write(folder, replace(manifest, text_sha256="cd"))
    assert json.loads((folder / FILE).read_text())["text_sha256"] == "ab"
    assert sorted(p.name for p in folder.iterdir()) == ["index", FILE, "text.txt"]
