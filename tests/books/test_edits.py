"""A reader's chapters: checked, stored, and found again in a text that was read differently."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from books.edits import MOST_CHAPTERS, MOST_TITLE, ChapterEdit, ChapterMark, begins_line, make_edit, placed
from books.errors import ChaptersInvalid
from books.reading import read
from books.types import Book, ChaptersBy, Part, text_sha256
from tests.books.laws import assert_lawful

TEXT = (
    "It rained on the harbour all that morning, and the boats stayed in.\n\n"
    "   Nobody came down to the quay before noon, and then only the dog.\n\n"
    "“Who is there?” asked the pilot’s wife from the window above it.\n"
    "The café was closed. She waited, and no answer came from below.\n\n"
    "In the evening the wind turned, and the boats went out at last.\n"
)
STARTS = [TEXT.index(word) for word in ("It rained", "Nobody", "“Who", "In the evening")]


def edit_of(book: Book, *marks: tuple[int, str]) -> ChapterEdit:
    return make_edit(book, [ChapterMark(start, title) for start, title in marks])


@pytest.fixture(scope="module")
def book() -> Book:
    return read(TEXT.encode())


def test_chapters_begin_where_the_reader_says(book: Book) -> None:
    assert len(book.chapters) == 1
    edit = edit_of(book, (STARTS[0], "Rain"), (STARTS[2], "The  Pilot's\nWife"))
    corrected = read(TEXT.encode(), edit=edit)
    assert_lawful(corrected)
    assert [(c.span.start, c.title) for c in corrected.chapters] == [
        (STARTS[0], "Rain"),
        (STARTS[2], "The Pilot's Wife"),
    ]
    assert corrected.report.chapters_by == ChaptersBy.READER
    assert corrected.sha256 == book.sha256


def test_a_chapter_may_begin_on_any_line_of_a_paragraph(book: Book) -> None:
    start = TEXT.index("The café")
    corrected = read(TEXT.encode(), edit=edit_of(book, (0, "One"), (start, "Two")))
    assert_lawful(corrected)
    assert corrected.chapters[1].span.start == start


@pytest.mark.parametrize(
    ("marks", "complaint"),
    [
        ([], "1 to 5,000 chapters"),
        ([ChapterMark(n, "x") for n in range(MOST_CHAPTERS + 1)], "not 5,001"),
        ([ChapterMark(STARTS[2], "b"), ChapterMark(STARTS[0], "a")], "does not begin after"),
        ([ChapterMark(STARTS[0], "a"), ChapterMark(STARTS[0], "b")], "does not begin after"),
        ([ChapterMark(STARTS[0], "  ")], "has no title"),
        ([ChapterMark(STARTS[0], "\x00\x07")], "has no title"),
        ([ChapterMark(STARTS[0], "x" * (MOST_TITLE + 1))], "over 300 characters"),
        ([ChapterMark(STARTS[0] + 3, "x")], "No line of the text begins at 3"),
        ([ChapterMark(STARTS[1] - 1, "x")], "No line"),
        ([ChapterMark(len(TEXT), "x")], "No line"),
        ([ChapterMark(-1, "x")], "No line"),
    ],
)
def test_what_makes_no_chapters_is_refused(book: Book, marks: list[ChapterMark], complaint: str) -> None:
    with pytest.raises(ChaptersInvalid, match=complaint):
        make_edit(book, marks)


PROSE = "It rained on the harbour all that morning, and the boats stayed in. " * 6
MATTER = f"""THE QUAY

by Ann Hand

PREFACE

{PROSE}

CHAPTER I

{PROSE}

{PROSE}

CHAPTER II

{PROSE}

{PROSE}

ADVERTISEMENTS

{"Buy our soap. " * 12}
"""
LICENSED = (
    f"*** START OF THE PROJECT GUTENBERG EBOOK X ***\n\n{MATTER * 3}\n\n"
    "*** END OF THE PROJECT GUTENBERG EBOOK X ***\n\nLicence words.\n"
)


def test_other_titles_change_neither_the_storys_ends_nor_the_books_title() -> None:
    book = read(MATTER.encode())
    assert [e.part for e in book.excluded][-1] == Part.BACK
    edit = edit_of(book, *((c.span.start, f"{c.title} again") for c in book.chapters))
    corrected = read(MATTER.encode(), edit=edit)
    assert_lawful(corrected)
    assert [c.span for c in corrected.chapters] == [c.span for c in book.chapters]
    assert corrected.excluded == book.excluded
    assert corrected.paragraphs == book.paragraphs
    assert corrected.title == book.title == "The Quay"


def test_a_chapter_of_another_name_keeps_its_heading_apart() -> None:
    text = "\n\n".join(["CHAPTER I", "The Tide", PROSE, PROSE, "CHAPTER II", "The Quay", PROSE, PROSE])
    book = read(text.encode())
    edit = edit_of(book, *((c.span.start, f"Part {c.number}") for c in book.chapters))
    corrected = read(text.encode(), edit=edit)
    assert [c.title for c in corrected.chapters] == ["Part 1", "Part 2"]
    assert corrected.paragraphs == book.paragraphs
    within = edit_of(book, (0, "One"), (text.index("The Tide"), "Two"))
    assert_lawful(read(text.encode(), edit=within))


def test_what_was_set_apart_may_be_a_chapter() -> None:
    book = read(MATTER.encode())
    places = [MATTER.index(word) for word in ("THE QUAY", "PREFACE", "CHAPTER I", "ADVERT")]
    corrected = read(MATTER.encode(), edit=edit_of(book, *((at, f"Part {at}") for at in places)))
    assert_lawful(corrected)
    assert [c.span.start for c in corrected.chapters] == places
    assert not [e for e in corrected.excluded if e.part != Part.APPARATUS]
    assert (corrected.title, corrected.author) == (book.title, book.author)


def test_no_chapter_begins_in_a_licence() -> None:
    book = read(LICENSED.encode())
    for at in (0, LICENSED.index("Licence words")):
        with pytest.raises(ChaptersInvalid, match="in a licence"):
            edit_of(book, (at, "x"))


@given(places=st.sets(st.integers(0, LICENSED.count("\n")), min_size=1, max_size=12))
def test_wherever_chapters_begin_the_book_is_lawful(places: set[int]) -> None:
    """Marks stored for another text may be anywhere, so none is checked here."""
    starts = [match.start() for match in re.finditer(r"(?m)^(?=\S)", LICENSED)]
    marks = tuple(ChapterMark(starts[n], f"Chapter {n}") for n in sorted(places) if n < len(starts))
    edit = ChapterEdit(marks or (ChapterMark(0, "All"),), text_sha256(LICENSED))
    corrected = read(LICENSED.encode(), edit=edit)
    assert_lawful(corrected)
    assert 0 < len(corrected.chapters) <= len(edit.marks)


def test_an_indented_line_begins_at_its_first_word() -> None:
    assert begins_line(TEXT, STARTS[1])
    assert not begins_line(TEXT, STARTS[1] - 3)


def test_places_are_found_again_in_another_text(book: Book) -> None:
    """Another encoding, an added preface, other line breaks: the words of each place are still there."""
    edit = edit_of(book, *((start, f"Chapter {n}") for n, start in enumerate(STARTS)))
    other = "A preface that was not there.\n\n" + TEXT.replace("boats stayed in", "boats\nstayed in")
    found = placed(edit, text=other, sha256=text_sha256(other))
    assert found is not None
    assert [other[mark.start : mark.start + 5] for mark in found] == ["It ra", "Nobod", "“Who ", "In th"]
    assert [mark.title for mark in found] == [mark.title for mark in edit.marks]


def test_places_are_found_again_when_the_encoding_was_wrong() -> None:
    garbled = TEXT.encode().decode("cp437")
    book = read(garbled.encode())
    wife = garbled.index("The caf")
    edit = edit_of(book, (0, "One"), (garbled.index("“".encode().decode("cp437")), "Two"), (wife, "Three"))
    corrected = read(TEXT.encode(), edit=edit)
    assert [c.span.start for c in corrected.chapters] == [0, STARTS[2], TEXT.index("The café")]


def test_words_that_say_nothing_are_not_a_place() -> None:
    text = "他走了很久。\n\n她来了。\n"
    edit = ChapterEdit((ChapterMark(0, "One", "ä»–èµ°äº†å¾ˆä¹…"),), "other")
    assert placed(edit, text=text, sha256="this") is None


def test_of_several_places_the_nearest_is_taken() -> None:
    text = "".join(f"* * *\n\nSo it went on, {'and on ' * 30}\n\n" for _ in range(9))
    stars = [at for at in range(len(text)) if text.startswith("* * *", at)]
    marks = tuple(ChapterMark(stars[n], str(n), "* * *") for n in (2, 3, 7))
    other = "Much was put before it. " * 4 + "\n\n" + text
    shift = len(other) - len(text)
    found = placed(ChapterEdit(marks, "other"), text=other, sha256="this")
    assert found is not None
    assert [mark.start for mark in found] == [stars[n] + shift for n in (2, 3, 7)]


def test_one_lost_place_loses_them_all(book: Book) -> None:
    edit = edit_of(book, (STARTS[0], "One"), (STARTS[3], "Two"))
    other = TEXT.replace("the wind turned", "a wind rose")
    assert placed(edit, text=other, sha256=text_sha256(other)) is None
    again = read(other.encode(), edit=edit)
    assert again.report.chapters_by != ChaptersBy.READER
    assert any("set them again" in warning for warning in again.report.warnings)


def test_a_long_line_of_the_same_word_takes_no_long_time() -> None:
    text = "ha " * 400_000
    began = time.process_time()
    marks = (ChapterMark(0, "One", "ha ha"), ChapterMark(3, "Two", "ha ha"))
    assert placed(ChapterEdit(marks, "other"), text=text, sha256="this") is None
    assert not begins_line(text, len(text) - 3)
    assert time.process_time() - began < 5
