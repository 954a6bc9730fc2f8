"""The numbers that Word gives to headings: they are printed, and stored in another part of the file."""

from __future__ import annotations

import pytest

from books.formats.word_numerals import printed_number
from books.reading import read
from books.shape.headings.numbers import parse_number
from books.source import Role, Source
from tests.books.formats.test_docx import part, style, styled, told, word
from tests.books.hostile.carriers import PROSE, document, docx_parts, run
from tests.books.hostile.zips import entry, of, zipped

HEADING = '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>'
STYLES = part("styles", style("Heading1", "heading 1", HEADING))


def level(at: int, text: str, kind: str = "decimal", more: str = "", start: int = 1) -> str:
    return (
        f'<w:lvl w:ilvl="{at}"><w:start w:val="{start}"/><w:numFmt w:val="{kind}"/>{more}'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
    )


def definition(*levels: str, key: int = 7) -> str:
    return f'<w:abstractNum w:abstractNumId="{key}">{"".join(levels)}</w:abstractNum>'


def instance(key: int = 1, inside: str = "", of: int = 7) -> str:
    return f'<w:num w:numId="{key}"><w:abstractNumId w:val="{of}"/>{inside}</w:num>'


def numbering(*definitions: str) -> bytes:
    return part("numbering", "".join(definitions))


def listed(at: int, key: int = 1) -> str:
    return f'<w:numPr><w:ilvl w:val="{at}"/><w:numId w:val="{key}"/></w:numPr>'


def heading(text: str, at: int = 0, key: int = 1) -> str:
    return styled("Heading1", text, listed(at, key))


def titles(source: Source) -> list[str]:
    return [block.text for block in source.blocks or () if block.role is Role.HEADING]


def numbered(body: str, *levels: str) -> list[str]:
    return titles(word(body, numbering=numbering(definition(*levels), instance())))


def test_a_heading_reads_as_it_is_printed() -> None:
    empty = '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr></w:p>'
    body = styled("Heading1", "The Quay") + run(PROSE) + empty + run(PROSE) + styled("Heading1", "The Storm")
    numbers = numbering(definition(level(0, "Chapter %1")), instance())
    source = word(body, styles=STYLES, numbering=numbers)
    assert titles(source) == ["Chapter 1 The Quay", "Chapter 2", "Chapter 3 The Storm"]


def test_chapters_are_found_by_numbers_that_only_word_prints() -> None:
    empty = '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr></w:p>'
    members = docx_parts(document((empty + run(PROSE) * 4) * 3))
    numbers = numbering(definition(level(0, "Chapter %1", "cardinalText")), instance())
    parts = [entry("word/styles.xml", STYLES), entry("word/numbering.xml", numbers)]
    book = read(zipped([*of(members), *parts]))
    assert [chapter.title for chapter in book.chapters] == ["Chapter One", "Chapter Two", "Chapter Three"]


@pytest.mark.parametrize(
    ("kind", "number", "text"),
    [
        ("decimal", 12, "12"),
        ("decimalZero", 7, "07"),
        ("upperRoman", 1949, "MCMXLIX"),
        ("lowerRoman", 44, "xliv"),
        ("upperLetter", 28, "BB"),
        ("lowerLetter", 26, "z"),
        ("ordinal", 13, "13th"),
        ("ordinal", 22, "22nd"),
        ("cardinalText", 21, "Twenty-one"),
        ("cardinalText", 10, "Ten"),
        ("cardinalText", 100, "One hundred"),
        ("ordinalText", 1, "First"),
        ("ordinalText", 112, "One hundred twelfth"),
        ("ordinalText", 30, "Thirtieth"),
        ("ordinalText", 200, "Two hundredth"),
        ("chineseCounting", 12, "十二"),
        ("chineseCountingThousand", 105, "一百零五"),
        ("chineseCountingThousand", 1010, "一千零一十"),
        ("ideographDigital", 10, "一〇"),
        ("upperRoman", 0, "0"),
        ("upperRoman", 1_000_000, "1000000"),
        ("bullet", 3, ""),
        ("none", 3, ""),
        ("nobody's", 3, "3"),
    ],
)
def test_numbers_are_printed_in_many_ways(kind: str, number: int, text: str) -> None:
    assert printed_number(number, kind) == text


@pytest.mark.parametrize("kind", ["decimal", "upperRoman", "cardinalText", "ordinalText", "chineseCounting"])
def test_what_is_printed_is_understood_again(kind: str) -> None:
    assert [parse_number(printed_number(n, kind)) for n in range(1, 200)] == list(range(1, 200))


def test_levels_count_by_themselves_and_start_again_under_the_next_one_above() -> None:
    body = "".join(heading("x", at) for at in (0, 1, 1, 0, 1))
    levels = level(0, "Part %1:", "upperRoman"), level(1, "%1.%2", "decimal")
    assert numbered(body, *levels) == ["Part I: x", "I.1 x", "I.2 x", "Part II: x", "II.1 x"]


def test_chapters_may_count_on_through_the_parts() -> None:
    body = "".join(heading("x", at) for at in (0, 1, 0, 1))
    on = level(1, "Chapter %2", more='<w:lvlRestart w:val="0"/>')
    assert numbered(body, level(0, "Part %1"), on) == ["Part 1 x", "Chapter 1 x", "Part 2 x", "Chapter 2 x"]


def test_a_level_may_start_again_only_under_a_high_one() -> None:
    body = "".join(heading("x", at) for at in (0, 1, 2, 1, 2, 0, 2))
    deep = level(2, "c%3", more='<w:lvlRestart w:val="1"/>')
    got = numbered(body, level(0, "a%1"), level(1, "b%2"), deep)
    assert got == ["a1 x", "b1 x", "c1 x", "b2 x", "c2 x", "a2 x", "c1 x"]


def test_a_legal_level_has_all_its_numbers_in_digits() -> None:
    body = heading("x", 0) + heading("x", 1)
    levels = level(0, "%1", "upperRoman"), level(1, "%1-%2", "lowerLetter", "<w:isLgl/>")
    assert numbered(body, *levels) == ["I x", "1-1 x"]


def test_a_count_starts_where_it_is_told_to() -> None:
    assert numbered(heading("x") + heading("y"), level(0, "%1.", start=9)) == ["9. x", "10. y"]


def test_lists_of_one_definition_count_on_and_may_be_told_to_start_again() -> None:
    again = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
    numbers = numbering(definition(level(0, "%1")), instance(), instance(2), instance(3, again))
    body = "".join(heading("x", key=key) for key in (1, 2, 3, 3, 1))
    assert titles(word(body, numbering=numbers)) == ["1 x", "2 x", "1 x", "2 x", "3 x"]


def test_a_list_may_have_a_level_of_its_own() -> None:
    own = f'<w:lvlOverride w:ilvl="0">{level(0, "Book %1", "upperLetter")}</w:lvlOverride>'
    numbers = numbering(definition(level(0, "%1")), instance(1, own))
    assert titles(word(heading("x"), numbering=numbers)) == ["Book A x"]


def test_a_definition_may_lie_in_a_style() -> None:
    linked = '<w:abstractNum w:abstractNumId="8"><w:numStyleLink w:val="Mine"/></w:abstractNum>'
    numbers = numbering(linked, definition(level(0, "§ %1")), instance(1, of=8), instance(2))
    mine = HEADING.replace('"1"', '"2"')
    styles = part("styles", style("Mine", "Mine", mine) + style("Heading1", "heading 1"))
    assert titles(word(heading("x"), styles=styles, numbering=numbers)) == ["§ 1 x"]


def test_a_style_has_the_level_that_is_linked_to_it_and_else_that_of_the_style_below() -> None:
    linked = level(1, "b%2", more='<w:pStyle w:val="Heading2"/>')
    second = '<w:basedOn w:val="Heading1"/>'
    third = '<w:basedOn w:val="Heading1"/><w:pPr><w:numPr><w:ilvl w:val="2"/></w:numPr></w:pPr>'
    styles = part(
        "styles",
        style("Heading1", "heading 1", HEADING)
        + style("Heading2", "heading 2", second)
        + style("Heading3", "heading 3", third)
        + style("Mine", "mine", '<w:basedOn w:val="Heading2"/>'),
    )
    names = ("Heading1", "Heading2", "Heading3", "Mine")
    numbers = numbering(definition(level(0, "a%1"), linked, level(2, "c%3")), instance())
    body = "".join(styled(name, "x") for name in names)
    assert titles(word(body, styles=styles, numbering=numbers)) == ["a1 x", "b1 x", "c1 x", "b2 x"]


def test_a_paragraph_may_take_the_number_of_its_style_away() -> None:
    body = styled("Heading1", "Prologue", listed(0, 0)) + styled("Heading1", "x")
    numbers = numbering(definition(level(0, "%1.")), instance())
    assert titles(word(body, styles=STYLES, numbering=numbers)) == ["Prologue", "1. x"]


def test_items_of_a_plain_list_have_no_number_and_chapters_that_are_one_do() -> None:
    numbers = numbering(definition(level(0, "%1."), level(1, "Chapter %2")), instance())
    body = styled("List", "Eggs", listed(0)) + styled("List", "The Quay", listed(1)) + heading("x")
    assert [text for text, _ in told(word(body, numbering=numbers))] == ["Eggs", "Chapter 1 The Quay", "2. x"]


def test_what_is_deleted_or_hidden_is_not_counted() -> None:
    gone = styled("Heading1", "He ", listed(0) + "<w:rPr><w:del/></w:rPr>")
    hidden = styled("Heading1", "", listed(0) + "<w:rPr><w:vanish/></w:rPr>")
    assert numbered(gone + heading("ran") + hidden + heading("x"), level(0, "%1.")) == ["1. He ran", "2. x"]


def test_a_number_stands_on_the_page_of_its_heading() -> None:
    broken = (
        f'<w:p><w:pPr><w:pStyle w:val="Heading1"/>{listed(0)}</w:pPr>'
        '<w:r><w:br w:type="page"/><w:t>The Storm</w:t></w:r></w:p>'
    )
    assert numbered(broken, level(0, "Chapter %1")) == ["Chapter 1 The Storm"]


@pytest.mark.parametrize("after", ["tab", "space", "nothing"])
def test_what_comes_after_a_number_is_a_space_or_nothing(after: str) -> None:
    got = numbered(heading("风暴"), level(0, "第%1章", "chineseCounting", f'<w:suff w:val="{after}"/>'))
    assert got == ["第一章风暴" if after == "nothing" else "第一章 风暴"]


def test_a_label_beyond_all_measure_is_none() -> None:
    assert numbered(heading("x"), level(0, "a" * 201)) == ["x"]
    assert numbered(heading("x"), level(0, "%1" * 90, "upperRoman", start=3888)) == ["x"]


def test_numbers_that_lead_nowhere_are_left_out() -> None:
    numbers = numbering(instance(1, of=3), definition(level(0, "%1")), '<w:num w:numId="2"/>', "<w:num/>")
    body = heading("x", key=1) + heading("y", key=2) + heading("z", key=9) + heading("w", 40)
    assert titles(word(body, numbering=numbers)) == ["x", "y", "z", "w"]
