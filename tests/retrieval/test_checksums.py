"""A file is read once for its checksum, and again as soon as it may have changed."""

from __future__ import annotations

import os
import zlib
from pathlib import Path

import pytest

from retrieval.checksums import Checksums


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "counts.npy"
    path.write_bytes(b"once upon a time")
    return path


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the sizes of the blocks that were read."""
    seen: list[int] = []
    real = zlib.crc32

    def crc32(block: bytes, check: int = 0) -> int:
        seen.append(len(block))
        return real(block, check)

    monkeypatch.setattr("retrieval.checksums.zlib.crc32", crc32)
    return seen


def test_size_and_crc(file: Path) -> None:
    assert Checksums().of(file) == [16, zlib.crc32(b"once upon a time")]


def test_what_stays_the_same_is_read_once(file: Path, reads: list[int]) -> None:
    checksums = Checksums(settled=0)
    assert checksums.of(file) == checksums.of(file) == Checksums().of(file)
    assert reads == [16, 16]


def test_what_was_written_just_now_is_read_again(file: Path, reads: list[int]) -> None:
    """Another write within the same tick of the clock would not show."""
    checksums = Checksums()
    assert checksums.of(file) == checksums.of(file)
    assert reads == [16, 16]


def test_a_change_is_seen_though_size_and_time_are_put_back(file: Path) -> None:
    checksums = Checksums(settled=0)
    before, was = checksums.of(file), file.stat()
    file.write_bytes(b"once upon a timf")
    os.utime(file, ns=(was.st_atime_ns, was.st_mtime_ns))
    assert checksums.of(file)[0] == before[0]
    assert checksums.of(file) != before


def test_another_file_in_its_place_is_another_file(file: Path, tmp_path: Path) -> None:
    checksums = Checksums(settled=0)
    before = checksums.of(file)
    (tmp_path / "new").write_bytes(b"once upon a timf")
    (tmp_path / "new").replace(file)
    assert checksums.of(file) != before


def test_only_so_many_are_remembered(tmp_path: Path, reads: list[int]) -> None:
    checksums = Checksums(kept=2, settled=0)
    files = [tmp_path / name for name in "abc"]
    for size, path in enumerate(files, start=1):
        path.write_bytes(b"x" * size)
    for path in (*files, files[2], files[1], files[0]):
        checksums.of(path)
    assert reads == [1, 2, 3, 1]


def test_a_lost_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Checksums().of(tmp_path / "nowhere")
