"""The calculations of `make bench-coref`; its measurements are made there."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest

from benchmarks import texts
from benchmarks.booknlp_shapes import SHAPES, Timing, reading_of, timed
from benchmarks.coref import Resolving, growth, source_of
from benchmarks.ingest import Clock
from books.reading import read
from books.types import Book


def found(words: int, seconds: float) -> Resolving:
    return Resolving(words, seconds, round(words / seconds), 1.0, 1.0, 1, 1, 1)


@pytest.mark.parametrize("exponent", [1.0, 2.0])
def test_growth_is_the_exponent(exponent: float) -> None:
    assert growth([found(n, 3 * n**exponent / 1e6) for n in (1_000, 10_000, 1_000_000)]) == exponent
    assert growth([found(1_000, 1.0)]) is None


def test_a_text_is_repeated_to_the_length() -> None:
    assert texts.repeated("one two\n\nthree", 8) == "one two\n\nthree\n\none two\n\nthree\n\none two"
    assert texts.repeated("one two\n\nthree", 2) == "one two"


def test_a_folder_is_its_novels(tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt", "c.md"):
        (tmp_path / name).write_text(f"It was {name}.", "utf-8")
    assert source_of([tmp_path]).text == "It was a.txt.\n\nIt was b.txt."
    assert "2 novels" in source_of([tmp_path]).told
    assert "novella" in source_of([]).told


def book(text: str) -> Book:
    return read(text.encode(), name="book.txt")


def test_windows_hold_whole_sentences_up_to_their_size() -> None:
    sentences = " ".join(["The old man went home to the sea."] * 150)
    reading = reading_of(book(sentences))
    sizes = [sum(window) for window in reading.windows]
    assert sum(sizes) == 150 * 10, "eight words, a stop, a capital"
    assert all(size < 500 for size in sizes)
    assert all(size >= 500 - 10 for size in sizes[:-1]), "no more fits"
    assert reading.pronouns == 0


def test_around_a_quote_only_what_nobody_says_counts() -> None:
    told = " ".join(["she went home"] * 40)
    reading = reading_of(book(f'{told}.\n\n"Go to the sea, and go at once," he said, and {told}.'))
    assert reading.quotes == (50 + 1 + 50 + 2,)


def test_every_network_takes_its_time() -> None:
    reading = reading_of(book('"Come in," she said. He came in, and she looked at him.'))
    taken = timed(reading, SHAPES["small"])
    assert min(taken.entities, taken.coreference, taken.pronouns, taken.speakers) > 0
    assert taken.total == sum((taken.entities, taken.coreference, taken.pronouns, taken.speakers))
    assert Timing(1, 2, 3, 4).total == 10


def test_each_part_of_an_ingest_has_its_own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = count()
    monkeypatch.setattr("benchmarks.ingest.time.perf_counter", lambda: float(next(now)))
    clock = Clock()
    with clock.part("link"):
        with clock.part("encode"):
            pass
        with clock.part("encode"):
            pass
    assert clock.taken == {"link": 3, "encode": 2}


def test_what_another_thread_does_meanwhile_is_not_taken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    now = count()
    monkeypatch.setattr("benchmarks.ingest.time.perf_counter", lambda: float(next(now)))
    clock = Clock()

    def encode() -> None:
        with clock.part("encode"):
            pass

    with clock.part("link"), ThreadPoolExecutor(1) as another:
        another.submit(encode).result()
    assert clock.taken == {"link": 3, "encode": 1}
