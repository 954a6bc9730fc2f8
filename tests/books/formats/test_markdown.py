"""Markdown: the markup is understood and removed."""

from __future__ import annotations

import pytest

from books.errors import EmptyBook, FileHostile
from books.formats.markdown import read as read_markdown
from books.limits import Limits
from books.source import Role, Source
from tests.books.hostile.carriers import PROSE


def markdown(text: str) -> Source:
    return read_markdown(text.encode(), limits=Limits(), encoding=None)


def told(text: str) -> list[tuple[str, Role]]:
    return [(block.text, block.role) for block in markdown(text).blocks or ()]


def texts(text: str) -> list[str]:
    return [block.text for block in markdown(text).blocks or ()]


def test_headings_of_both_kinds() -> None:
    blocks = markdown(
        f"# The *Tide* {{#one .chapter}}\n\n{PROSE}\n\nThe Quay\n--------\n\n### 3. Ebb ###\n"
    ).blocks
    assert [(b.text, b.level) for b in blocks or () if b.role is Role.HEADING] == [
        ("The Tide", 1),
        ("The Quay", 2),
        ("3. Ebb", 3),
    ]


def test_a_line_of_dashes_right_under_a_paragraph_is_a_change_of_scene() -> None:
    assert told(f"{PROSE}\n---\n{PROSE}\n") == [(PROSE.strip(), Role.TEXT)] * 2


def test_lines_that_were_wrapped_are_one_and_lines_that_were_ended_are_kept() -> None:
    assert texts("It rained\non the *har*bour.  \nNobody came,\\\nor _ever_ would.") == [
        "It rained on the harbour.\nNobody came,\nor ever would."
    ]


def test_marks_for_programs_are_no_text() -> None:
    assert texts("[TOC]\n\n[[_TOC_]]\n\nIt ~~rained~~ poured [on Tom].") == ["It rained poured [on Tom]."]


@pytest.mark.parametrize(
    "source",
    [
        "> The tide is out,  \n> the tide is in.",
        "> The tide is out,\\\n> the tide is in.",
        "| The tide is out,\n| the tide is in.",
        "> The tide is out,<br>the tide is in.\n>\n> The tide is out,  \n> the tide is in.",
    ],
)
def test_verse_keeps_its_lines(source: str) -> None:
    assert told(source)[-1] == ("The tide is out,\nthe tide is in.", Role.VERSE)


def test_quoted_prose_is_prose() -> None:
    assert told(f"> {PROSE}\n> {PROSE}")[0][1] is Role.TEXT


def test_indented_lines_keep_their_ends_but_an_indented_paragraph_is_no_code() -> None:
    assert texts("    The tide is out,\n    the tide is in.") == ["The tide is out,\nthe tide is in."]
    assert texts("    It rained on the\nharbour.") == ["It rained on the harbour."]


def test_what_is_set_off_as_code_is_read_line_by_line() -> None:
    assert texts("```\nCLOSED\n  *today*\n\nThe owner\n```\n") == ["CLOSED\n*today*", "The owner"]


def test_a_short_paragraph_may_be_a_heading_all_the_same() -> None:
    assert told(f"**Chapter 1**\n\n{PROSE}") == [("Chapter 1", Role.UNKNOWN), (PROSE.strip(), Role.TEXT)]


def test_numbers_and_dashes_of_lists_are_part_of_what_is_written() -> None:
    assert texts("4. The Black Bird\n") == ["4. The Black Bird"]
    assert texts(f"12.\n\n{PROSE}") == ["12.", PROSE.strip()]
    assert texts("- Come in, he said.\n- No.\n") == ["- Come in, he said.", "- No."]
    assert texts("* oil\n* rope\n") == ["oil", "rope"]


def test_tables_are_read_row_by_row() -> None:
    assert texts("| Tide | Hour |\n|---|---|\n| high | *six* |\n") == ["Tide\tHour", "high\tsix"]


def test_notes_come_last_and_their_marks_are_gone() -> None:
    notes = "[^1]: On\nfoot.\n[^long]: By *boat*,\n\n    and late.\n"
    source = f"He left.[^1] He [^x] came.[^long]\n\n{notes}\nThe end.\n"
    assert told(source) == [
        ("He left. He [^x] came.", Role.UNKNOWN),
        ("The end.", Role.UNKNOWN),
        ("On foot.", Role.NOTE),
        ("By boat,", Role.NOTE),
        ("and late.", Role.NOTE),
    ]


def test_a_note_that_is_one_word_is_no_link() -> None:
    assert told("He left.[^1]\n\n[^1]: Soon.\n")[-1] == ("Soon.", Role.NOTE)


def test_pictures_rules_and_links_leave_only_what_is_read() -> None:
    line = "The [harbour](http://192.0.2.1/ 'there') was <b>still</b> &amp; [grey]."
    source = f"![The sea](sea.png)\n\n---\n\n{line}\n\n[grey]: x\n"
    assert texts(source) == ["The harbour was still & grey."]


def test_what_pandoc_marks_is_not_printed() -> None:
    assert texts("::: {.chapter}\nThe [tide]{.smallcaps} was out.[]{#p7}\n:::\n") == ["The tide was out."]


def test_html_is_read_as_html_and_its_scripts_are_not() -> None:
    source = (
        "<script>\nsteal()\n\nsteal()\n</script>\n\n<h2>The Tide</h2>\n\n"
        "<p align=center>It <i>rained</i>.<br>Ever.</p>\n\n"
        "He <script>steal()</script>stayed<!-- steal -->.<br/>Here <span hidden='steal'>too</span>.\n"
    )
    assert told(source) == [
        ("The Tide", Role.HEADING),
        ("It rained.\nEver.", Role.TEXT),
        ("He stayed.\nHere too.", Role.UNKNOWN),
    ]


@pytest.mark.parametrize(
    "matter",
    [
        "---\ntitle: 'The Quay'\nauthor:\n  - A. Hand\nlang: en-GB\n---\n",
        '---\r\ntitle: "The Quay"\r\nauthor: [A. Hand]\r\nlanguage: en\r\n...\r\n',
        '+++\ntitle = "The Quay"\nauthors = ["A. Hand"]\nlanguage = "en"\n+++\n',
    ],
)
def test_front_matter_names_the_book_and_is_no_text(matter: str) -> None:
    source = markdown(f"{matter}\n# One\n\n{PROSE}")
    assert (source.title, source.author, source.language) == ("The Quay", "A. Hand", "en")
    assert source.text.startswith("One")


def test_pandocs_three_lines_name_the_book_too() -> None:
    source = markdown(f"% The Quay\n% A. Hand\n% 1903\n\n# One\n\n{PROSE}")
    assert (source.title, source.author, source.text[:3]) == ("The Quay", "A. Hand", "One")


def test_a_rule_at_the_top_is_no_front_matter() -> None:
    assert texts(f"---\n\n{PROSE}\n\n---\n\n{PROSE}") == [PROSE.strip()] * 2


def test_blocks_know_their_lines() -> None:
    source = markdown(f"---\ntitle: x\n---\n# One\n\n{PROSE}\n\n> a  \n> b\n\n[^1]: Soon.\n")
    assert [b.locator for b in source.blocks or ()] == ["line 4", "line 6", "line 8", "line 11"]


def test_a_long_book_is_read_in_parts_that_fit_together() -> None:
    source = "".join(f"# Chapter {n}\n\n{PROSE}\n\n> a  \n> b\n\n1. one\n\n2. two\n\n" for n in range(900))
    blocks = markdown(source).blocks or ()
    assert len(blocks) == 900 * 5
    lines = source.split("\n")
    headings = [b for b in blocks if b.role is Role.HEADING]
    assert [lines[int((b.locator or "")[5:]) - 1] for b in headings] == [f"# {b.text}" for b in headings]


def test_code_that_is_never_closed_loses_nothing() -> None:
    source = "```\n" + f"{PROSE}\n\n" * 500
    assert len(texts(source)) == 500


def test_nothing_to_read_and_nesting_without_end_are_refused() -> None:
    with pytest.raises(EmptyBook):
        markdown("---\n\n![sea](sea.png)\n")
    with pytest.raises(FileHostile):
        markdown("> " * 200 + PROSE)
    with pytest.raises(FileHostile):
        markdown("<div>" * 2_000 + PROSE)
