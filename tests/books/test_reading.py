"""The text reader: chapters, paragraphs, exclusions, and files that are not text."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from books.errors import BookwormError, EmptyBook, FileDamaged, NotText, UnsupportedFormat
from books.reading import read
from books.types import Book, ParagraphKind
from tests.books.laws import assert_lawful

PROSE = "It rained on the harbour all that morning, and the boats stayed in. " * 12


def text_of(*parts: str) -> bytes:
    return "\n\n".join(parts).encode()


def titles(book: Book) -> list[str]:
    return [chapter.title for chapter in book.chapters]


@pytest.mark.parametrize(
    ("headings", "expected"),
    [
        (["Chapter 1", "Chapter 2"], ["Chapter 1", "Chapter 2"]),
        (
            ["CHAPTER I.\n\nThe Tide", "CHAPTER II.\n\nThe Quay"],
            ["CHAPTER I. The Tide", "CHAPTER II. The Quay"],
        ),
        (
            ["Chapter the First", "Chapter the Twenty-Second"],
            ["Chapter the First", "Chapter the Twenty-Second"],
        ),
        (["I", "II", "III"], ["I", "II", "III"]),
        (["1. The Tide", "2. The Quay"], ["1. The Tide", "2. The Quay"]),
        (["Letter 1", "Chapter 1", "Chapter 2"], ["Letter 1", "Chapter 1", "Chapter 2"]),
        (["BOOK ONE\n\nCHAPTER I", "CHAPTER II"], ["BOOK ONE, CHAPTER I", "BOOK ONE, CHAPTER II"]),
        (["Prologue", "Chapter One", "Chapter Two"], ["Prologue", "Chapter One", "Chapter Two"]),
    ],
)
def test_common_headings_open_chapters(headings: list[str], expected: list[str]) -> None:
    book = read(text_of(*(part for heading in headings for part in (heading, PROSE))))
    assert titles(book) == expected
    assert book.report.chapters_by == "headings"


def test_a_table_of_contents_does_not_double_the_chapters() -> None:
    contents = [f"Chapter {n}" for n in range(1, 5)]
    body = [part for n in range(1, 5) for part in (f"Chapter {n}", PROSE)]
    book = read(text_of("The Quay", "by A. Hand", "Contents", *contents, *body))
    assert titles(book) == ["Chapter 1", "Chapter 2", "Chapter 3", "Chapter 4"]
    assert book.slice(book.chapters[0].span).count("rained") == 12


def test_a_very_short_chapter_is_still_one() -> None:
    book = read(text_of("Chapter 1", PROSE, "Chapter 2", "It rained.", "Chapter 3", PROSE))
    assert titles(book) == ["Chapter 1", "Chapter 2", "Chapter 3"]


def test_a_numeral_out_of_sequence_is_no_chapter() -> None:
    book = read(text_of("I", PROSE, "II", PROSE, "VII", PROSE, "III", PROSE))
    assert titles(book) == ["I", "II", "III"]


def test_a_sentence_that_begins_like_a_heading_is_no_chapter() -> None:
    book = read(text_of("Chapter 1", PROSE, "Chapter 2 was burnt by her aunt", PROSE, "Chapter 2", PROSE))
    assert titles(book) == ["Chapter 1", "Chapter 2"]


def test_without_headings_the_book_is_one_chapter_and_says_so() -> None:
    book = read(text_of(PROSE, PROSE))
    assert len(book.chapters) == 1
    assert book.report.chapters_by == "none"
    assert any("one chapter" in warning for warning in book.report.warnings)


def test_a_long_opening_before_the_first_heading_belongs_to_the_story() -> None:
    book = read(text_of(PROSE, PROSE, PROSE, "Chapter 1", PROSE, "Chapter 2", PROSE))
    assert titles(book)[0] == "Opening"
    assert not book.excluded


def test_the_licence_is_excluded_by_span_and_never_deleted() -> None:
    head = "Title: The Quay\nAuthor: A. Hand\n\n*** START OF THE PROJECT GUTENBERG EBOOK THE QUAY ***"
    foot = "*** END OF THE PROJECT GUTENBERG EBOOK THE QUAY ***\n\nlicence"
    source = text_of(head, "Chapter 1", PROSE, "Chapter 2", PROSE, foot)
    book = read(source)
    assert book.text == source.decode()
    assert (book.title, book.author) == ("The Quay", "A. Hand")
    assert [e.reason for e in book.excluded] == ["licence header", "licence footer"]
    assert "licence" not in "".join(book.slice(c.span) for c in book.chapters)


def test_a_cut_that_would_take_a_third_of_the_text_is_not_made() -> None:
    book = read(text_of(PROSE, "*** START OF THE PROJECT GUTENBERG EBOOK X ***", PROSE))
    assert not book.excluded
    assert any("nothing was cut" in warning for warning in book.report.warnings)


def test_the_title_page_names_book_and_author() -> None:
    book = read(text_of("The Tide Table", "by Ann Hand", "Chapter 1", PROSE, "Chapter 2", PROSE))
    assert (book.title, book.author) == ("The Tide Table", "Ann Hand")
    assert book.excluded[0].reason == "title page"


def test_the_title_page_gives_the_order_of_the_authors_names() -> None:
    page = "<title>Tides</title><meta name=author content='Hand, Ann'><h1>Tides</h1><p>by</p><p>{}</p>"
    chapters = "".join(f"<h2>Chapter {n}</h2><p>{PROSE}</p>" for n in (1, 2))
    found = [read(text_of(page.format(name) + chapters)).author for name in ("Ann Hand", "Bo Lee")]
    assert found == ["Ann Hand", "Hand, Ann"]


def test_what_the_uploader_says_wins_over_the_title_page() -> None:
    source = text_of("The Tide Table", "by Ann Hand", "Chapter 1", PROSE, "Chapter 2", PROSE)
    book = read(source, title="Tides", author="A. Hand")
    assert (book.title, book.author) == ("Tides", "A. Hand")


def test_the_file_name_is_the_last_resort_for_a_title() -> None:
    assert read(text_of(PROSE), name="up/the_tide_table.txt").title == "the tide table"
    assert read(text_of(PROSE)).title == "Untitled"


def test_one_line_a_paragraph_without_blank_lines() -> None:
    book = read("\n".join(f"Line {n} of it." for n in range(100)).encode())
    assert len(book.paragraphs) == 100


def test_wrapped_lines_without_blank_lines_are_parted_where_a_line_stops_short() -> None:
    paragraph = (
        "The rain came down on the harbour and on\nevery boat that lay in it until the sea\nwas grey.\n"
    )
    book = read(("Chapter 1\n\n" + paragraph * 30 + "\nChapter 2\n\n" + paragraph * 30).encode())
    prose = [p for p in book.paragraphs if p.kind is not ParagraphKind.HEADING]
    assert len(prose) == 60
    assert {book.slice(p.span) for p in prose} == {paragraph.strip()}


def test_verse_keeps_its_lines() -> None:
    verse = "The tide goes out\nThe tide comes in\nAnd nobody is counting"
    book = read(text_of("Chapter 1", verse, PROSE, "Chapter 2", PROSE))
    kinds = [p.kind for p in book.paragraphs_of(0)]
    assert kinds == [ParagraphKind.HEADING, ParagraphKind.VERSE, ParagraphKind.PROSE]


def test_line_ends_and_byte_order_marks() -> None:
    book = read(b"\xef\xbb\xbfChapter 1\r\n\r\nRain.\rMore rain.\r\n")
    assert book.text == "Chapter 1\n\nRain.\nMore rain.\n"


def test_legacy_bytes_are_read_and_reported() -> None:
    book = read("“Rain,” said the café owner.".encode("cp1252"))
    assert "café" in book.text
    assert book.report.encoding == "cp1252"
    assert book.report.warnings


def test_gzip_is_unpacked() -> None:
    assert read(gzip.compress(b"Rain.", mtime=0)).text == "Rain."


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", EmptyBook),
        (b" \n\n\t ", EmptyBook),
        (b"PK\x03\x04rest", FileDamaged),
        (b"%PDF-1.7", UnsupportedFormat),
        (b"<html><body> </body></html>", EmptyBook),
        (bytes(range(256)) * 20, NotText),
        (b"text\x01\x02\x03\x04" * 50, NotText),
        (b"\xff\xfeA\xd8", NotText),
        (b"\x1f\x8bnot gzip", NotText),
        (gzip.compress(b"Rain." * 999, mtime=0)[:40], NotText),
    ],
)
def test_what_is_not_a_text_book_is_refused_by_name(data: bytes, error: type[BookwormError]) -> None:
    with pytest.raises(error) as caught:
        read(data)
    assert caught.value.advice


CHUNK = st.sampled_from(
    [PROSE, "“Yes,” said Tom.", "Chapter 1", "II", "Contents", "a\nb\nc", "  indented", "\f"]
)


@given(st.lists(st.one_of(CHUNK, st.text(max_size=80)), min_size=1, max_size=25))
def test_spans_tile_the_story_in_order(parts: list[str]) -> None:
    source = "\n\n".join(parts).encode("utf-8", "ignore")
    try:
        book = read(source)
    except BookwormError:
        return
    assert read(source) == book
    assert_lawful(book)


def test_a_letter_and_its_accent_are_one_character_wherever_they_come_from() -> None:
    name = "Rene&#769;e"
    book = read(f"<html><title>{name}</title><body><h1>{name}</h1><p>It rained.</p></body></html>".encode())
    assert (book.title, book.text) == ("Ren\xe9e", "Ren\xe9e\n\nIt rained.")
    assert read(b"It rained.", name="Rene\u0301e.txt", author="Zoe\u0308").title == "Ren\xe9e"
    assert read(b"It rained.", author="Zoe\u0308").author == "Zo\xeb"
