"""Tables of who is who: CSV for spreadsheets, and Markdown."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from books.types import Book, Exclusion, Part, Span
from coref.doubtful_people import MANY
from coref.export.tables import escaped, plain_block, to_csv, to_markdown
from coref.types import Alias, Annotations, Mention, MentionKind, Quote, QuoteType
from tests.coref.conftest import make_book, mark, person

TEXT = """Chapter 1

The =Count[1], once
a clerk, bowed. “Come|in,” he said to Ann.

Chapter 2

Ann left the house.
"""
NAME = '=Count, the "Old"'
WHO = "A clerk of <b>Ann|s</b>."


@pytest.fixture
def made() -> tuple[Book, Annotations]:
    book = make_book(TEXT)
    note = TEXT.index("[1]")
    book = replace(book, excluded=(Exclusion(Span(note, note + 3), Part.APPARATUS, "note"),))
    nominal = Span(TEXT.index("The =Count"), TEXT.index(", bowed"))
    mentions = (
        Mention(nominal, MentionKind.NOMINAL, "count", confidence=0.75),
        mark(TEXT, "he", "count", MentionKind.PRONOUN),
        mark(TEXT, "Ann", "ann", MentionKind.PROPER),
        mark(TEXT, "Ann", "ann", MentionKind.PROPER, nth=1),
        mark(TEXT, "the house", None, MentionKind.NOMINAL),
    )
    count = replace(person("count", NAME, pronouns="he/him"), mention_count=2, first=nominal.start)
    count = replace(count, aliases=tuple(Alias(name, 1, 0) for name in (NAME, "-Clerk", "Count")))
    ann = replace(person("ann", "Ann"), mention_count=2, first=mentions[2].span.start)
    said = Span(TEXT.index("“"), TEXT.index("”") + 1)
    quote = Quote(said, "count", "ann", 0.5, QuoteType.ANAPHORIC)
    return book, Annotations("hand/1", (count, ann), mentions, (quote,))


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def test_each_row_of_the_csv_files(made: tuple[Book, Annotations]) -> None:
    book, annotations = made
    clerk = Span(TEXT.index("a clerk"), TEXT.index(", bowed"))
    files = to_csv(book, annotations, {"count": (WHO, (clerk, annotations.mentions[3].span))})
    assert all(text.startswith("\ufeff") for text in files.values())
    assert rows(files["characters.csv"]) == [
        ["name", "other_names", "pronouns", "mentions", "first_chapter", "last_chapter", "who", "where",
         "id", "kind", "doubt"],
        [f"'{NAME}", "'-Clerk; Count", "he/him", "2", "1", "1", WHO, "chapter 1, p:1; chapter 2, p:3",
         "count", "person", ""],
        ["Ann", "", "", "2", "1", "2", "", "", "ann", "person", ""],
    ]  # fmt: skip
    head, *mentions = rows(files["mentions.csv"])
    assert head == ["words", "character", "character_id", "kind", "category", "confidence", "chapter",
                    "paragraph", "start", "end"]  # fmt: skip
    assert [m[:8] for m in mentions] == [
        ["The =Count, once a clerk", f"'{NAME}", "count", "NOM", "PER", "0.75", "1", "1"],
        ["he", f"'{NAME}", "count", "PRON", "PER", "1.0", "1", "1"],
        ["Ann", "Ann", "ann", "PROP", "PER", "1.0", "1", "1"],
        ["Ann", "Ann", "ann", "PROP", "PER", "1.0", "2", "3"],
        ["the house", "", "", "NOM", "PER", "1.0", "2", "3"],
    ]
    assert [TEXT[int(m[8]) : int(m[9])] for m in mentions[1:]] == [m[0] for m in mentions[1:]]
    span = annotations.quotes[0].span
    assert rows(files["quotes.csv"]) == [
        ["words", "speaker", "speaker_id", "addressee", "addressee_id", "quote_type", "confidence",
         "chapter", "paragraph", "start", "end"],
        ["“Come|in,”", f"'{NAME}", "count", "Ann", "ann", "anaphoric", "0.5", "1", "1", str(span.start),
         str(span.end)],
    ]  # fmt: skip


def test_only_what_needs_it_is_quoted(made: tuple[Book, Annotations]) -> None:
    lines = to_csv(*made, {})["characters.csv"].split("\r\n")
    assert lines[1].startswith('"\'=Count, the ""Old""",\'-Clerk; Count,he/him,2,')
    assert lines[2:] == ["Ann,,,2,1,2,,,ann,person,", ""]


def test_the_cast_in_markdown(made: tuple[Book, Annotations]) -> None:
    place = made[1].mentions[3].span
    assert to_markdown(*made, {"count": (WHO, (place,))}).splitlines() == [
        "| Name | Other names | Pronouns | Mentions | First chapter | Last chapter | Who | Where |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
        '| =Count, the "Old" | -Clerk; Count | he/him | 2 | 1 | 1 | A clerk of \\<b>Ann\\|s\\</b>. '
        "| chapter 2, p:3 |",
        "| Ann |  |  | 2 | 1 | 2 |  |  |",
    ]


def test_somebody_doubtful_is_told_as_such(made: tuple[Book, Annotations]) -> None:
    book, annotations = made
    he = mark(TEXT, "he", "ann", MentionKind.PRONOUN)
    unsure = replace(annotations, mentions=(*annotations.mentions, *[he] * (MANY + 1)))
    told = {row[0]: row[-1] for row in rows(to_csv(book, unsure, {})["characters.csv"])}
    assert told == {
        "name": "doubt",
        f"'{NAME}": "",
        "Ann": f"The book names this person only twice, but {MANY + 1} pronouns are taken to mean them.",
    }


@pytest.mark.parametrize("name", ["=1+1", "  -1", "@sum", "＝1+1", "＋1"])
def test_no_name_is_a_formula(made: tuple[Book, Annotations], name: str) -> None:
    book, annotations = made
    (count, _) = annotations.characters
    alone = Annotations("hand/1", (replace(count, name=name),), (), ())
    assert rows(to_csv(book, alone, {})["characters.csv"])[1][0] == f"'{name}"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("*never* _once_ __at__\n~~all~~ &lt;", r"\*never\* \_once\_ \_\_at\_\_ \~\~all\~\~ \&lt;"),
        ("Smith & Sons of my_book.txt", "Smith & Sons of my_book.txt"),
    ],
)
def test_only_what_is_markup_is_escaped(text: str, shown: str) -> None:
    assert escaped(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("# 7, said he", r"\# 7, said he"),
        ("- and went", r"\- and went"),
        ("+ one", r"\+ one"),
        ("> there", r"\> there"),
        ("1. Ann", r"1\. Ann"),
        ("1857) he", r"1857\) he"),
        ("---", r"\---"),
        ("1.5 miles, -- no # more - than +1", "1.5 miles, -- no # more - than +1"),
        ("--Come", "--Come"),
    ],
)
def test_a_paragraph_is_no_heading_list_or_quotation(text: str, shown: str) -> None:
    assert plain_block(text) == shown
