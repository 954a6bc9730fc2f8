"""Licence frames: every marker of thirty years, frames without one, and stories that must not be cut."""

from __future__ import annotations

import time

import pytest

from books.shape.frame.boilerplate import frame, licences_within
from books.types import Part

STORY = "\n\n".join(
    ["CHAPTER I", *["It rained on the harbour all that morning, and the boats stayed in."] * 99]
)
FIELDS = "Title: The Quay\n       and the Tide\n\nAuthor: Ann Hand\n\nRelease Date: May, 1998 [EBook #12]\n"
LICENCE = (
    "START: FULL LICENSE\n\nSection 1. General Terms of Use and Redistributing Project Gutenberg\n\n"
    "Updated editions will replace the previous one.\n\n" + "No fee is charged for a copy of this.\n\n" * 250
)


def story_of(text: str) -> str:
    return frame(text).story.of(text).strip()


@pytest.mark.parametrize(
    "header",
    [
        "*** START OF THE PROJECT GUTENBERG EBOOK THE QUAY ***",
        "*** START OF THIS PROJECT GUTENBERG EBOOK THE QUAY ***",
        "***START OF THE PROJECT GUTENBERG ETEXT THE QUAY***",
        "*** start of this project gutenberg ebook the quay ***",
        "*** START OF THE PROJECT GUTENBERG EBOOK THE QUAY",
        "*** START OF THE PROJECT GUTENBERG EBOOK THE QUAY AND\nTHE TIDE ***",
        "*** START OF THE\nPROJECT GUTENBERG EBOOK THE QUAY ***",
        "START OF THE PROJECT GUTENBERG EBOOK THE QUAY",
        "***START**THE SMALL PRINT!**FOR PUBLIC DOMAIN ETEXTS**START***\nLawyers!\n\n"
        "*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*",
        "*END THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.10.04.01*END*",
        "*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*\n\n*** START OF THE PROJECT GUTENBERG EBOOK X ***",
        "*** START OF THIS PROJECT GUTENBERG EBOOK THE QUAY ***\n\n\nProduced by Ann Hand and the Online\n"
        "Distributed Proofreading Team",
        "This Etext prepared by Ann Hand, ann@quay.example",
        "A Project Gutenberg of Australia eBook\n\neBook No.:  0100021.txt\n\nDate first posted:  May 2001",
        "This eBook is made available at no cost and with very few restrictions.",
    ],
)
def test_a_header_ends_where_its_marker_and_credits_end(header: str) -> None:
    text = f"{FIELDS}\n{header}\n\n\n{STORY}\n"
    framing = frame(text)
    assert story_of(text) == STORY
    assert [e.part for e in framing.excluded] == [Part.FRONT]
    assert (framing.title, framing.author) == ("The Quay and the Tide", "Ann Hand")


@pytest.mark.parametrize(
    "footer",
    [
        "*** END OF THE PROJECT GUTENBERG EBOOK THE QUAY ***\n\nlicence",
        "*** END OF THIS PROJECT GUTENBERG EBOOK THE QUAY ***",
        "***END OF THE\nPROJECT GUTENBERG EBOOK THE QUAY***",
        "End of the Project Gutenberg EBook of The Quay, by Ann Hand\n\n"
        "*** END OF THIS PROJECT GUTENBERG EBOOK THE QUAY ***\n\n***** This file is quay.txt *****",
        "End of Project Gutenberg's The Quay, by Ann Hand",
        "End of The Project Gutenberg Etext of The Quay",
        "The end of Project Gutenberg etext of The Quay",
        "*** START: FULL LICENSE ***\n\nTHE FULL PROJECT GUTENBERG LICENSE\nPLEASE READ THIS",
        "Updated editions will replace the previous one--the old editions\nwill be renamed.",
        "***START**THE SMALL PRINT!**FOR PUBLIC DOMAIN ETEXTS**START***\nLawyers!\n\n"
        "*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*",
        "This site is full of FREE ebooks - Project Gutenberg Australia",
        "This is a digital copy of a book that was preserved for generations on library shelves.",
        "May you do good and not evil.\n\nMay you find forgiveness for yourself and forgive others.",
    ],
)
def test_a_footer_begins_with_the_first_of_its_markers(footer: str) -> None:
    text = f"{STORY}\n\n\n{footer}\n"
    assert story_of(text) == STORY
    assert [e.part for e in frame(text).excluded] == [Part.BACK]


@pytest.mark.parametrize(
    ("line", "title", "author"),
    [
        ("The Project Gutenberg EBook of The Quay, by Ann Hand", "The Quay", "Ann Hand"),
        ("**The Project Gutenberg Etext of The Quay**", "The Quay", None),
        ("Project Gutenberg's Etext of The Quay by Ann Hand", "The Quay", "Ann Hand"),
        ("Title: The Quay\n\nAuthor: Anonymous\n\nTranslator: B. Hand", "The Quay", "Anonymous"),
    ],
)
def test_the_header_names_the_book(line: str, title: str, author: str | None) -> None:
    framing = frame(f"{line}\n\n*** START OF THE PROJECT GUTENBERG EBOOK THE QUAY ***\n\n{STORY}")
    assert (framing.title, framing.author) == (title, author)


def test_further_fields_are_kept() -> None:
    fields = "Title: The Quay\nTranslator: B. Hand\nLanguage: English\n"
    framing = frame(f"{fields}\n*** START OF THE PROJECT GUTENBERG EBOOK THE QUAY ***\n\n{STORY}")
    assert framing.fields == {"title": "The Quay", "translator": "B. Hand", "language": "English"}


def test_a_story_that_names_project_gutenberg_is_not_cut() -> None:
    told = STORY + "\n\nThe end of Project Gutenberg was much talked of at the quay.\n\n" + STORY
    assert not frame(told).excluded
    scanned = "Scanned by the guard, she went aboard.\n\n" + STORY
    assert not frame(scanned).excluded


def test_a_cut_of_a_third_is_not_made_and_the_other_side_is_still_cut() -> None:
    marker = "*** START OF THE PROJECT GUTENBERG EBOOK X ***"
    text = f"{STORY[:3000]}\n\n{marker}\n\n{STORY}\n\n*** END OF THE PROJECT GUTENBERG EBOOK X ***"
    framing = frame(text)
    assert [e.part for e in framing.excluded] == [Part.BACK]
    assert any("nothing was cut" in warning for warning in framing.warnings)


def test_a_short_story_loses_a_licence_longer_than_itself() -> None:
    text = f"{STORY[:3000]}\n\n*** END OF THE PROJECT GUTENBERG EBOOK X ***\n\n{LICENCE}"
    assert story_of(text) == STORY[:3000].strip()
    assert not frame(text).warnings


def test_of_two_books_in_one_file_both_stories_are_kept_and_the_licence_between_is_told() -> None:
    one = (
        f"*** START OF THE PROJECT GUTENBERG EBOOK X ***\n\n{STORY}\n\n"
        f"*** END OF THE PROJECT GUTENBERG EBOOK X ***\n\nlicence\n\n"
    )
    text = one + FIELDS + "\n" + one
    story = frame(text).story
    assert story.of(text).count("CHAPTER I") == 2
    between = licences_within(text, story)
    assert [span.of(text).split("\n")[0] for span in between] == [
        "*** END OF THE PROJECT GUTENBERG EBOOK X ***"
    ]
    assert "rained" not in between[0].of(text)


@pytest.mark.parametrize("hostile", ["x Gutenberg " * 200_000, "\n" * 2_000_000, "Gutenberg\n" * 100_000])
def test_time_grows_with_the_length_only(hostile: str) -> None:
    began = time.process_time()
    frame(hostile)
    assert time.process_time() - began < 3
