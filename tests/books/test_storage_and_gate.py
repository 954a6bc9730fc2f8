"""A stored book is restored completely or not at all; a gated one ends at the gate."""

from __future__ import annotations

from pathlib import Path

import pytest

from books.gate import cut
from books.reading import read
from books.shape.headings.numbers import parse_number
from books.storage import STRUCTURE, TEXT, BookDamaged, load, save
from books.types import Span

SOURCE = "\n\n".join(["Chapter 1", "Rain fell. " * 40, "Chapter 2", "“Ah,” said Ned. " * 40]).encode()


def test_a_book_comes_back_as_it_was(tmp_path: Path) -> None:
    book = read(SOURCE, title="Rain")
    save(book, tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted((TEXT, STRUCTURE))
    assert load(tmp_path) == book


@pytest.mark.parametrize("name", [TEXT, STRUCTURE])
def test_a_book_with_a_file_cut_short_or_gone_is_never_served(tmp_path: Path, name: str) -> None:
    save(read(SOURCE), tmp_path)
    file = tmp_path / name
    file.write_bytes(file.read_bytes()[:100])
    with pytest.raises(BookDamaged):
        load(tmp_path)
    file.unlink()
    with pytest.raises(BookDamaged):
        load(tmp_path)


def test_another_text_than_the_structure_was_made_from_is_never_served(tmp_path: Path) -> None:
    save(read(SOURCE), tmp_path)
    (tmp_path / "text.txt").write_bytes(SOURCE.replace(b"Rain", b"Snow"))
    with pytest.raises(BookDamaged):
        load(tmp_path)


def test_past_the_gate_nothing_exists() -> None:
    book = read(SOURCE)
    gate = book.end_of_chapter(1)
    seen = cut(book, gate)
    assert seen.text == book.text[:gate]
    assert [c.title for c in seen.chapters] == ["Chapter 1"]
    assert all(p.span.end <= gate for p in seen.paragraphs)
    assert cut(book, None) is book


def test_a_gate_inside_a_paragraph_leaves_that_paragraph_out() -> None:
    book = read(SOURCE)
    last = book.paragraphs[-1]
    seen = cut(book, last.span.start + 5)
    assert last not in seen.paragraphs
    assert seen.chapters[-1].span.end == last.span.start + 5


@pytest.mark.parametrize(
    ("token", "value"),
    [("12", 12), ("XIV", 14), ("xlix", 49), ("Twenty-First", 21), ("second.", 2), ("rain", None), ("", None)],
)
def test_chapter_numbers(token: str, value: int | None) -> None:
    assert parse_number(token) == value


def test_a_span_runs_forward() -> None:
    with pytest.raises(ValueError, match="forward"):
        Span(5, 4)
