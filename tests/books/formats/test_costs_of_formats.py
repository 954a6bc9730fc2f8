"""The cost of a novel of 100,000 words in each format: less than half a second, and five times its size."""

from __future__ import annotations

import time
import tracemalloc

import pytest

from books.reading import read
from tests.books.formats.making import epub, page
from tests.books.hostile.carriers import document, docx, run
from tests.books.test_costs import NOVELS

CHAPTERS = [chapter.split("\n\n") for chapter in NOVELS["a line a paragraph"].decode().split("CHAPTER ")[1:]]
SECONDS = 0.5
MULTIPLE = 5.5
SHORTEST = 0.01
"""Seconds: what takes less is noise."""
FEW, MANY = 2_000, 60_000
TIMES = 120
"""As long as the few, the many may take: 30 times without noise, 900 if each looks at all others."""


def _html(chapter: list[str]) -> str:
    number, *paragraphs = filter(None, chapter)
    return f"<h2>Chapter {number}</h2>" + "".join(f"<p>{p}</p>\n" for p in paragraphs)


def _novels() -> dict[str, tuple[bytes, int]]:
    """Return each with its unpacked size."""
    pages = [_html(chapter) for chapter in CHAPTERS]
    html = f"<!DOCTYPE html><html><head><title>x</title></head><body>{''.join(pages)}</body></html>".encode()
    xhtml = page("".join(pages)).encode()
    named = html.replace("“".encode(), b"&ldquo;").replace("”".encode(), b"&rdquo;")
    markdown = "\n\n".join("# Chapter " + "\n\n".join(filter(None, c)) for c in CHAPTERS).encode()
    word = document(
        "".join(
            map(run, ["Chapter " + part if part.isdigit() else part for c in CHAPTERS for part in c if part])
        )
    )
    ebook = {f"{number}.xhtml": page(inside) for number, inside in enumerate(pages)}
    packed = sum(len(inside.encode()) for inside in ebook.values())
    novels = {
        name: (data, len(data))
        for name, data in (("html", html), ("xhtml", xhtml), ("references", named), ("markdown", markdown))
    }
    return novels | {"docx": (docx(word), len(word.encode())), "epub": (epub(ebook), packed)}


FORMATS = _novels()


@pytest.mark.parametrize("form", FORMATS)
def test_a_novel_in_any_format_is_read_in_half_a_second(form: str) -> None:
    data, _ = FORMATS[form]
    assert len(read(data).chapters) == len(CHAPTERS)
    assert any(_seconds(data) < SECONDS for _ in range(3))


@pytest.mark.soak
@pytest.mark.parametrize("form", FORMATS)
def test_a_novel_in_any_format_takes_little_more_than_five_times_its_size(form: str) -> None:
    data, size = FORMATS[form]
    read(data)  # one-time imports belong to no book
    tracemalloc.start()
    try:
        read(data)
        assert tracemalloc.get_traced_memory()[1] < MULTIPLE * size
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("beginning", "each"),
    [(b"", b"<p>a b</p>\n"), (b"<p>It rained.</p>", b"<![CDATA[")],
    ids=["paragraphs", "sections that nobody closed"],
)
def test_what_there_is_very_much_of_takes_time_in_proportion(beginning: bytes, each: bytes) -> None:
    few, many = (b"<html><body>" + beginning + each * count + b"</body></html>" for count in (FEW, MANY))
    read(few)  # one-time imports belong to neither
    assert _seconds(many) < TIMES * max(min(_seconds(few) for _ in range(3)), SHORTEST)


def _seconds(data: bytes) -> float:
    start = time.process_time()
    read(data)
    return time.process_time() - start
