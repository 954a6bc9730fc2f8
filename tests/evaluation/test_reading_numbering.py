"""Chapter numbers are read from titles, and a break in the count is detected."""

from __future__ import annotations

import pytest

from books.types import ChaptersBy
from evaluation.reading.numbering import numbering, place_of
from evaluation.reading.types import NumberingVerdict


@pytest.mark.parametrize(
    ("title", "number"),
    [
        ("CHAPTER I. THE PRISON DOOR", 1),
        ("Chapter the Fifth", 5),
        ("The First Chapter", 1),
        ("LETTER LXXXIV.", 84),
        ("01 My Early Home", 1),
        ("XXI The Departure", 21),
        ("VII. ONE O'CLOCK", 7),
        ("_Thirty-eight_. ATONEMENT", 38),
        ("PART ONE--The Old Buccaneer, 1. The Old Sea-dog", 1),
        ("Volume II, Chapter One Hundred and Two", 102),
        ("ADVENTURE I. A SCANDAL IN BOHEMIA", 1),
        ("第十二回 林黛玉", 12),
        ("PART II", 2),
        ("I The Old Pyncheon Family", 1),
        ("II, 4", 4),
        ("Part III, 05 A Fair Start", 5),
        ("II, 7. IN THE HEART OF THE CITY", 7),
        ("FIRST PERIOD. THE LOSS (1848), CHAPTER V", 5),
    ],
)
def test_the_number_that_a_title_gives(title: str, number: int) -> None:
    place = place_of(title)
    assert place is not None
    assert place.number == number


@pytest.mark.parametrize(
    "title",
    ["Prologue", "Chapter the Last", "DUBLIN. ONE NIGHT", "", "TWO GALLANTS", "PARIS (1848)"],
)
def test_titles_without_a_number(title: str) -> None:
    assert place_of(title) is None


def test_a_count_without_a_break_is_right() -> None:
    found = numbering(["Prologue", "Chapter 1", "Chapter 2", "Interlude", "Chapter 3"], ChaptersBy.HEADINGS)
    assert found.verdict is NumberingVerdict.RIGHT
    assert (found.numbered, found.longest_run, found.breaks) == (3, 3, ())


def test_a_new_part_may_begin_from_one() -> None:
    found = numbering(["Book One, I", "Book One, II", "Book Two, I", "Book Two, II"], ChaptersBy.HEADINGS)
    assert found.verdict is NumberingVerdict.RIGHT
    assert found.longest_run == 4


def test_chapters_after_letters_begin_from_one() -> None:
    found = numbering(["Letter 1", "Letter 2", "Chapter 1", "Chapter 2"], ChaptersBy.HEADINGS)
    assert found.verdict is NumberingVerdict.RIGHT


def test_a_count_may_run_on_through_parts() -> None:
    assert (
        numbering(["Part I, 1", "Part I, 2", "Part II, 3"], ChaptersBy.HEADINGS).verdict
        is NumberingVerdict.RIGHT
    )


def test_a_gap_is_a_break() -> None:
    found = numbering([f"Chapter {n}" for n in (1, 2, 3, 5, 6)], ChaptersBy.HEADINGS)
    assert found.verdict is NumberingVerdict.WRONG
    assert found.breaks == ("3 → 5",)
    assert found.longest_run == 3


def test_a_count_that_begins_again_in_the_same_part_is_a_break() -> None:
    found = numbering([f"Chapter {n}" for n in (1, 2, 1, 2, 3)], ChaptersBy.HEADINGS)
    assert found.breaks == ("2 → 1",)
    assert found.longest_run == 3


def test_a_chapter_that_comes_twice_is_a_break() -> None:
    assert numbering(["Chapter 1", "Chapter 1", "Chapter 2"], ChaptersBy.HEADINGS).breaks == ("1 → 1",)


def test_a_count_that_does_not_begin_with_one_is_a_break() -> None:
    assert numbering(["Chapter 2", "Chapter 3"], ChaptersBy.HEADINGS).breaks == ("begins with 2",)


def test_titles_alone_are_believed_when_the_contents_gave_them() -> None:
    stories = ["Araby", "Eveline", "Clay"]
    assert numbering(stories, ChaptersBy.CONTENTS).verdict is NumberingVerdict.RIGHT
    assert numbering(stories, ChaptersBy.HEADINGS).verdict is NumberingVerdict.UNTOLD


def test_a_book_of_one_chapter_tells_nothing() -> None:
    found = numbering([""], ChaptersBy.NONE)
    assert (found.verdict, found.longest_run) == (NumberingVerdict.UNTOLD, 0)


def test_a_part_without_chapters_amid_parts_that_have_them_does_not_count() -> None:
    titles = ["Book I, 1", "Book I, 2", "Book II. A Letter", "Book III, 1", "Book III, Chapter the Last"]
    found = numbering(titles, ChaptersBy.HEADINGS)
    assert (found.numbered, found.breaks) == (3, ())


def test_parts_count_where_they_are_all_there_is() -> None:
    found = numbering(["Part I", "Part II", "Part IV"], ChaptersBy.HEADINGS)
    assert found.breaks == ("2 → 4",)
