"""Front and back matter: cut by name, never the story, never too much."""

from __future__ import annotations

from textwrap import wrap

import pytest

from books.reading import read
from books.shape.body.blocks import blocks_of
from books.shape.body.matter import Trimmed, trim
from books.shape.headings.division import Division
from books.types import Book, Part, Span
from tests.books.laws import assert_lawful

PROSE = (
    "“It rained on the harbour all that morning,” said Ann, and the boats stayed in until the tide turned. "
    * 6
)
WRAPPED = "“Yes,” said Ann.\n\nTom ran.\n\nTom, who had been at sea, was silent.\n\n" + "\n".join(
    wrap(PROSE, 70)
)
CAST = ["Ann Hand, a fisherman’s daughter who keeps the light\n  on the mole.", "Tom – her son", "Bess"]
EDITORIAL = (
    "The author of this novel wrote it in a year, and the first edition was published at once. Readers of her"
    " other works will know the volume; critics praised the fiction of so young a writer. "
) * 2


def shape(*parts: str, titles: list[str], ends: bool = True) -> tuple[str, Trimmed]:
    """Return the kept text and what is trimmed; each block that is one of the titles opens a division."""
    text = "\n\n".join(parts)
    blocks = blocks_of(text, Span(0, len(text)))
    places = [(b.text, i) for i, b in enumerate(blocks) if b.text in titles]
    divisions = [Division(title, i, i + 1) for title, i in places] or [Division("", 0, 0)]
    return text, trim(blocks, divisions, ends=ends)


def cut(text: str, trimmed: Trimmed, part: Part) -> list[str]:
    assert all(e.span.of(text).strip() == e.span.of(text) for e in trimmed.excluded)
    return [e.reason for e in trimmed.excluded if e.part is part]


CHAPTERS = [p for n in range(1, 9) for p in (f"Chapter {n}", PROSE)]
NUMBERED = [f"Chapter {n}" for n in range(1, 9)]


@pytest.mark.parametrize(
    ("title", "reason"),
    [
        ("PREFACE", "preface"),
        ("Preface to the Second Edition", "preface"),
        ("AUTHOR'S PREFACE.", "preface"),
        ("Foreword by the Harbour Master", "preface"),
        ("DEDICATION", "dedication"),
        ("PREFACE--From the Harbour", "preface"),
        ("To the Reader", "note to the reader"),
        ("CONTENTS", "contents"),
        ("List of Illustrations", "illustrations"),
        ("Copyright", "copyright"),
        ("Titlepage", "title page"),
        ("VOLUME I, PREFACE", "preface"),
        ("Acknowledgments", "acknowledgements"),
        ("Biographical Note", "biographical note"),
        ("Introduction by Ann Hand", "introduction"),
        ("自序", "preface"),
        ("Dramatis Personæ", "list of characters"),
    ],
)
def test_front_matter_is_cut_by_its_title(title: str, reason: str) -> None:
    text, trimmed = shape(title, PROSE, *CHAPTERS, titles=[title, *NUMBERED])
    assert [d.title for d in trimmed.divisions] == NUMBERED
    assert cut(text, trimmed, Part.FRONT) == [reason]


@pytest.mark.parametrize(
    ("title", "reason"),
    [
        ("APPENDIX", "appendix"),
        ("Appendix A", "appendix"),
        ("Appendix: How This Was Printed", "appendix"),
        ("NOTES", "notes"),
        ("Footnotes:", "notes"),
        ("GLOSSARY", "glossary"),
        ("INDEX", "index"),
        ("About the Author", "about the author"),
        ("Also by Ann Hand", "advertisements"),
        ("BOOKS BY ANN HAND", "advertisements"),
        ("ADVERTISEMENTS", "advertisements"),
        ("Transcriber's Notes", "transcriber's note"),
        ("Colophon", "colophon"),
        ("Uncopyright", "colophon"),
        ("ERRATA", "errata"),
        ("A Note on the Text", "notes"),
    ],
)
@pytest.mark.parametrize("divides", [True, False], ids=["a division", "no division"])
def test_back_matter_is_cut_by_its_title(title: str, reason: str, divides: bool) -> None:
    text, trimmed = shape(*CHAPTERS, title, PROSE, titles=[*NUMBERED, title] if divides else NUMBERED)
    assert [d.title for d in trimmed.divisions] == NUMBERED
    assert cut(text, trimmed, Part.BACK) == [reason]


@pytest.mark.parametrize(
    "title",
    [
        "Prologue", "Prelude", "Proem", "Introduction", "Introductory", "Opening", "The Custom-House", "Note",
        "Preface Street", "Coverings: A Tale", "Indexing the Boats",
        "The Contents of the Box", "Editor Hand", "Ashes, Preface",
    ],
)  # fmt: skip
def test_a_storys_own_opening_stays(title: str) -> None:
    _, trimmed = shape(title, PROSE, *CHAPTERS, titles=[title, *NUMBERED])
    assert [d.title for d in trimmed.divisions] == [title, *NUMBERED]
    assert not trimmed.excluded


@pytest.mark.parametrize(
    "title",
    [
        "Epilogue",
        "Conclusion",
        "Postscript",
        "Finale",
        "L'Envoi",
        "NOTE",
        "Note by George Hand",
        "Notes from the Quay",
    ],
)
def test_a_storys_own_ending_stays(title: str) -> None:
    _, trimmed = shape(*CHAPTERS, title, PROSE, titles=[*NUMBERED, title])
    assert [d.title for d in trimmed.divisions] == [*NUMBERED, title]
    assert not trimmed.excluded


@pytest.mark.parametrize("title", ["Cast", "The Cast", "Characters"])
def test_a_first_chapter_named_cast_is_a_list_of_characters_only_if_it_is_a_list(title: str) -> None:
    text, trimmed = shape(title, *CAST, *CHAPTERS, titles=[title, *NUMBERED])
    assert [d.title for d in trimmed.divisions] == NUMBERED
    assert cut(text, trimmed, Part.FRONT) == ["list of characters"]
    story = [f"## {name}\n\n{WRAPPED}" for name in (title, "Harbour", "Mole", "Tide")]
    book = read("\n\n".join(story).encode())
    assert [chapter.title for chapter in book.chapters] == [title, "Harbour", "Mole", "Tide"]
    assert not book.excluded


@pytest.mark.parametrize("title", ["Introduction", "Author's Note", "Note"])
def test_what_speaks_of_editions_and_authors_is_not_the_story(title: str) -> None:
    text, trimmed = shape(title, EDITORIAL, *CHAPTERS, titles=[title, *NUMBERED])
    assert [d.title for d in trimmed.divisions] == NUMBERED
    assert len(cut(text, trimmed, Part.FRONT)) == 1


def test_several_are_cut_each_with_its_reason() -> None:
    front = ["The Tide", "Ann Hand", "PREFACE", PROSE, "Contents", "One\nTwo"]
    back = ["NOTES", "One.", "INDEX", "Tide, 3"]
    titles = ["The Tide", "PREFACE", "Contents", *NUMBERED, "NOTES", "INDEX"]
    text, trimmed = shape(*front, *CHAPTERS, *back, titles=titles)
    assert [d.title for d in trimmed.divisions] == NUMBERED
    assert cut(text, trimmed, Part.FRONT) == ["title page", "preface", "contents"]
    assert cut(text, trimmed, Part.BACK) == ["notes", "index"]


@pytest.mark.parametrize("before", ["Also by Ann Hand", "Chapter 9"])
def test_an_extract_is_the_next_book_only_after_other_back_matter(before: str) -> None:
    last = (before, "The Mole", "Extract from Rain", PROSE)
    text, trimmed = shape(*CHAPTERS, *last, titles=[*NUMBERED, before, "Extract from Rain"])
    assert cut(text, trimmed, Part.BACK) == ["advertisements"] * before.startswith("Also")


def test_one_whose_only_part_is_an_introduction_keeps_it() -> None:
    _, trimmed = shape("Introduction", EDITORIAL, titles=["Introduction"])
    assert [d.title for d in trimmed.divisions] == ["Introduction"]
    assert not trimmed.excluded


def test_more_than_a_third_is_not_cut_and_it_says_so() -> None:
    _, trimmed = shape("PREFACE", PROSE * 9, *CHAPTERS, titles=["PREFACE", *NUMBERED])
    assert [d.title for d in trimmed.divisions] == ["PREFACE", *NUMBERED]
    assert "preface" in trimmed.warnings[0]
    book = read("\n\n".join(["PREFACE", PROSE * 9, *CHAPTERS]).encode())
    assert any("it was left in the story" in warning for warning in book.report.warnings)


def test_where_a_reader_set_the_chapters_only_what_comes_before_them_is_front() -> None:
    text, trimmed = shape(
        "The Tide", "PREFACE", PROSE, *CHAPTERS, "NOTES", PROSE, titles=["PREFACE", "NOTES"], ends=False
    )
    assert [d.title for d in trimmed.divisions] == ["PREFACE", "NOTES"]
    assert [e.span.of(text) for e in trimmed.excluded] == ["The Tide"]


@pytest.mark.parametrize(
    "mark", ["THE END", "The End.", "FINIS", "_FINIS._", "Fin", "[End of The Tide]", "全书完"]
)
def test_an_end_mark_is_set_apart(mark: str) -> None:
    text, trimmed = shape(*CHAPTERS, mark, titles=NUMBERED)
    assert cut(text, trimmed, Part.BACK) == ["end mark"]


def test_what_follows_the_end_is_back_matter_unless_it_is_more_story() -> None:
    adverts = (
        "Grosset and Hand, Publishers. Illustrated, crown 8vo, cloth gilt. Price 6s. By the same author."
    )
    text, trimmed = shape(*CHAPTERS, "THE END", adverts, titles=NUMBERED)
    assert cut(text, trimmed, Part.BACK) == ["end mark", "advertisements"]
    text, trimmed = shape(*CHAPTERS, "THE END", "Printed at the harbour.", titles=NUMBERED)
    assert cut(text, trimmed, Part.BACK) == ["end mark", "back matter"]
    _, trimmed = shape(*CHAPTERS, *CHAPTERS, "THE END", PROSE, PROSE, titles=NUMBERED)
    assert not trimmed.excluded


def test_an_end_in_the_middle_is_a_volumes() -> None:
    _, trimmed = shape(*CHAPTERS, "THE END", *[PROSE] * 8, titles=NUMBERED)
    assert not trimmed.excluded


def test_a_story_that_mentions_the_words_is_kept() -> None:
    said = [
        "Notes",
        "“Notes?” said Ann.",
        "She read the index. Appendix, notes, all of it.",
        "The end was near.",
    ]
    _, trimmed = shape(*CHAPTERS[:4], *said, *CHAPTERS[4:], titles=NUMBERED)
    assert not trimmed.excluded


def test_what_stands_before_the_first_chapter_is_told_apart() -> None:
    front = [
        "THE TIDE",
        "by Ann Hand",
        "Copyright, 1911, by Ann Hand\nAll rights reserved",
        "TO\nMY BROTHER TOM",
        "“The tide waits\nfor nobody.”\n—Old saying",
        "CONTENTS",
        "1. Rain\n2. Tide",
        "PREFACE",
        PROSE,
    ]
    text, trimmed = shape(*front, *CHAPTERS, titles=NUMBERED)
    reasons = ["title page", "copyright", "dedication", "epigraph", "contents", "preface"]
    assert cut(text, trimmed, Part.FRONT) == reasons


def opening(*parts: str) -> Book:
    book = read("\n\n".join([*parts, *CHAPTERS]).encode())
    assert_lawful(book)
    return book


def test_an_opening_without_a_heading_loses_its_title_page_only() -> None:
    book = opening("THE TIDE", "by Ann Hand", PROSE, PROSE, PROSE, PROSE)
    assert [e.reason for e in book.excluded] == ["title page"]
    assert book.title == "The Tide"
    assert len(book.chapters) == 9
    assert book.slice(book.paragraphs[0].span).startswith("“It rained")


def test_a_title_page_that_looks_like_a_chapter_is_none() -> None:
    front = [
        "THE TIDE",
        "by Ann Hand",
        "_For Tom_",
        "“The tide waits for nobody.”",
        "--OLD SAYING _in the harbour_",
    ]
    text, trimmed = shape(*front, *CHAPTERS, titles=["THE TIDE", *NUMBERED])
    assert [d.title for d in trimmed.divisions] == NUMBERED
    assert cut(text, trimmed, Part.FRONT)[:2] == ["title page", "dedication"]


@pytest.mark.parametrize("numbers", [("PART I", "PART II", "PART III"), ("I", "II", "III")])
def test_a_short_first_part_in_verse_is_no_title_page(numbers: tuple[str, ...]) -> None:
    """A line of it may end as a title page's line above the author does: `… the road runs by`."""
    stanza = "And through the field the road runs by\n  To Camelot;\nAnd all the boats lie still."
    book = read("\n\n".join(["THE TIDE", *(b for n in numbers for b in (n, stanza, stanza))]).encode())
    assert [chapter.title for chapter in book.chapters] == list(numbers)
    assert [e.reason for e in book.excluded] == ["title page"]


def test_an_opening_that_is_all_front_matter_is_no_chapter() -> None:
    book = opening("THE TIDE", "by Ann Hand", "TO THE READER", PROSE, PROSE, PROSE)
    assert len(book.chapters) == 8
    assert [e.reason for e in book.excluded] == ["title page", "note to the reader"]


def test_a_book_of_one_chapter_loses_its_title_page_and_its_end_mark() -> None:
    book = read("\n\n".join(["The Tide", "by Ann Hand", PROSE, PROSE, PROSE, "THE END"]).encode())
    assert_lawful(book)
    assert [e.reason for e in book.excluded] == ["title page", "end mark"]
    assert (book.title, book.author) == ("The Tide", "Ann Hand")
    assert len(book.paragraphs) == 3


def test_without_a_name_on_it_a_first_line_may_be_the_story() -> None:
    book = read("\n\n".join(["It rained.", "Tom slept.", PROSE, PROSE]).encode())
    assert not book.excluded
