"""Valid files broken at random, a bounded number of times; `fuzz/read.py` continues without a limit."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from books.errors import BookwormError
from books.reading import read
from tests.books.fuzz.seeds import PACKED, PLAIN, with_part
from tests.books.laws import assert_lawful

ROOT = Path(__file__).parents[2]
_TELLING = (
    *(bytes([c]) for c in b"<>&#%[]{}\"'\x00\f"),
    *(b"\xff", b"\n", b"\n\n", b"\xef\xbb\xbf", b"PK\x03\x04", b"PK\x01\x02", b"9" * 30),
    *(b"</p>", b"<![CDATA[", b"]]>", b"<!--", b"-->", b"&x;", b"<script>", b"<!DOCTYPE x [<!ENTITY x 'y'>]>"),
    *(
        b"../",
        b"http://192.0.2.1/",
        b"[1]",
        b"[^1]: ",
        b"```",
        b"> ",
        b"* * *\n",
        b"ANNA.\n",
        b"Chapter 3\n\n",
    ),
    *(b"[Illustration: ", b"*** START OF THE PROJECT GUTENBERG EBOOK X ***\n", b"*** END OF THE PROJECT"),
)


@dataclass(frozen=True, slots=True)
class Change:
    """One way to break a file: at a share of its length, for a number of bytes."""

    kind: str
    at: float
    size: int
    put: bytes

    def made(self, data: bytes) -> bytes:
        start = int(self.at * len(data))
        end = min(len(data), start + self.size)
        piece = data[start:end]
        match self.kind:
            case "cut":
                return data[:start]
            case "leave out":
                return data[:start] + data[end:]
            case "double":
                return data[:end] + piece * 3 + data[end:]
            case "flip":
                return data[:start] + bytes(b ^ (1 << self.size % 8) for b in piece) + data[end:]
            case "move":
                return data[:start] + data[end:] + piece
            case _:
                return data[:start] + self.put + data[end:]


def changes() -> st.SearchStrategy[list[Change]]:
    kinds = st.sampled_from(("cut", "leave out", "double", "flip", "move", "put", "put", "put"))
    at = st.floats(0, 1, allow_nan=False)
    size = st.one_of(st.just(0), st.integers(1, 4), st.integers(1, 400))
    put = st.one_of(st.sampled_from(_TELLING), st.binary(max_size=12))
    return st.lists(st.builds(Change, kinds, at, size, put), min_size=1, max_size=6)


def broken(data: bytes, ways: Sequence[Change]) -> bytes:
    for way in ways:
        data = way.made(data)
    return data


def assert_read_or_refused(data: bytes) -> None:
    try:
        book = read(data, force=True)
    except BookwormError:
        return
    assert_lawful(book)


@pytest.mark.parametrize("seed", PLAIN)
def test_every_seed_is_read(seed: str) -> None:
    assert_lawful(read(PLAIN[seed], force=True))


@pytest.mark.parametrize("seed", PLAIN)
@settings(max_examples=60)
@given(ways=changes())
def test_a_broken_file_is_read_or_refused(seed: str, ways: list[Change]) -> None:
    assert_read_or_refused(broken(PLAIN[seed], ways))


@pytest.mark.parametrize("seed", PACKED)
@settings(max_examples=120)
@given(part=st.floats(0, 0.999), ways=changes())
def test_an_archive_with_a_broken_part_is_read_or_refused(seed: str, part: float, ways: list[Change]) -> None:
    parts = PACKED[seed]()
    name = list(parts)[int(part * len(parts))]
    assert_read_or_refused(with_part(parts, name, broken(parts[name], ways)))


@pytest.mark.parametrize(
    "encoding", ["utf-8", "gb18030", "big5", "utf-16", "utf-7", "idna", "shift_jis", "rot13"]
)
@settings(max_examples=30)
@given(data=st.binary(max_size=300))
def test_an_order_to_read_by_an_encoding_is_followed_or_refused(encoding: str, data: bytes) -> None:
    try:
        book = read(data, encoding=encoding, force=True)
    except BookwormError:
        return
    assert_lawful(book)


@pytest.mark.parametrize("data", [b"5", b"~", b"1\n\n7", b"I", b"[", b"***", b"A.", b"# \n\n# a"])
def test_what_fuzzing_found_once_is_read_or_refused(data: bytes) -> None:
    """The first two broke the search for chapters and for the title; the others are similar."""
    assert_read_or_refused(data)


@pytest.mark.soak
@pytest.mark.timeout(1200)
@pytest.mark.skipif(find_spec("atheris") is None, reason="atheris has no wheel for this machine")
def test_what_coverage_finds_is_refused_or_read(tmp_path: Path) -> None:
    """In a process of its own: atheris must see the readers' imports first, and ends the process itself.

    The run has a number of inputs instead of a time, and no limit on memory: the instrumented process alone
    takes more than 2 GiB. `hostile` measures the memory of the readers as they are.
    """
    (tmp_path / "corpus").mkdir()
    bounds = ["-runs=1000", "-rss_limit_mb=0", "-timeout=120", f"-artifact_prefix={tmp_path}/"]
    command = [sys.executable, "-m", "tests.books.fuzz.read", str(tmp_path / "corpus"), *bounds]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=1100, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "DONE" in done.stderr
    assert len(list((tmp_path / "corpus").iterdir())) > 20
