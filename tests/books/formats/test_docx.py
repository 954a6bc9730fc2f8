"""Word files: their styles, text that is not printed, and the locator of each paragraph."""

from __future__ import annotations

import pytest

from books.errors import EmptyBook, FileDamaged, FileHostile
from books.formats.docx import read as read_docx
from books.limits import Limits
from books.reading import read
from books.source import Role, Source
from tests.books.hostile.carriers import PROSE, XML, document, docx_parts, run
from tests.books.hostile.zips import entry, of, zipped

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
CHOICE = "http://schemas.openxmlformats.org/markup-compatibility/2006"


def styled(style: str, text: str, more: str = "") -> str:
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/>{more}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>'


def style(key: str, name: str, inside: str = "") -> str:
    return f'<w:style w:type="paragraph" w:styleId="{key}"><w:name w:val="{name}"/>{inside}</w:style>'


def part(root: str, inside: str) -> bytes:
    return f'{XML}<w:{root} xmlns:w="{WORD}">{inside}</w:{root}>'.encode()


def word(body: str, **parts: bytes) -> Source:
    """Build the body, and other parts by name: `styles`, `footnotes`."""
    members = docx_parts(document(body))
    extra = [entry(f"word/{name}.xml", data) for name, data in parts.items()]
    return read_docx(zipped([*of(members), *extra]), limits=Limits(), encoding=None)


def told(source: Source) -> list[tuple[str, Role]]:
    return [(block.text, block.role) for block in source.blocks or ()]


def texts(source: Source) -> list[str]:
    return [text for text, _ in told(source)]


def test_headings_are_known_by_their_outline_level_in_any_language() -> None:
    styles = part(
        "styles",
        style("berschrift1", "heading 1", '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>')
        + style("Kapitel", "Kapitel", '<w:pPr><w:outlineLvl w:val="1"/></w:pPr>')
        + style("Mine", "My own", '<w:basedOn w:val="Kapitel"/>')
        + style("Leib", "Leib", '<w:pPr><w:outlineLvl w:val="9"/></w:pPr>'),
    )
    names = ("berschrift1", "Kapitel", "Mine", "Leib")
    source = word("".join(styled(name, "The Tide") for name in names), styles=styles)
    assert [(b.role, b.level) for b in source.blocks or ()] == [
        (Role.HEADING, 1),
        (Role.HEADING, 2),
        (Role.HEADING, 2),
        (Role.UNKNOWN, 0),
    ]


def test_an_outline_level_of_its_own_makes_a_heading_or_unmakes_one() -> None:
    makes = styled("Normal", "The Tide", '<w:outlineLvl w:val="2"/>')
    unmakes = styled("Heading1", "The Tide", '<w:outlineLvl w:val="9"/>')
    blocks = word(makes + unmakes).blocks or ()
    assert [(b.role, b.level) for b in blocks] == [(Role.HEADING, 3), (Role.UNKNOWN, 0)]


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("caption", Role.CAPTION),
        ("toc 2", Role.CONTENTS),
        ("TOC Heading", Role.CONTENTS),
        ("footnote text", Role.NOTE),
        ("Poem", Role.VERSE),
        ("My Verse", Role.VERSE),
        ("Quote", Role.TEXT),
        ("Normal", Role.UNKNOWN),
    ],
)
def test_styles_give_roles(name: str, role: Role) -> None:
    source = word(run(PROSE) + styled("s", "A short line"), styles=part("styles", style("s", name)))
    assert told(source)[1] == ("A short line", role)


def test_a_heading_in_no_style_may_still_be_found_by_its_words() -> None:
    assert told(word(run("Chapter 1") + run(PROSE))) == [
        ("Chapter 1", Role.UNKNOWN),
        (PROSE.strip(), Role.TEXT),
    ]


def test_a_letter_and_its_accent_are_one_character() -> None:
    source = word("<w:p><w:r><w:t>Rene\u0301e</w:t></w:r></w:p><w:p><w:r><w:t>wept.</w:t></w:r></w:p>")
    assert texts(source) == ["Ren\xe9e", "wept."]
    assert source.text == "Ren\xe9e\n\nwept."


def test_what_is_not_printed_is_left_out() -> None:
    source = word(
        "<w:p><w:r><w:t>He </w:t></w:r>"
        "<w:del><w:r><w:delText>ran</w:delText><w:t>ran</w:t></w:r></w:del>"
        "<w:ins><w:r><w:t>walked</w:t></w:r></w:ins>"
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t> unseen</w:t></w:r>"
        '<w:r><w:rPr><w:vanish w:val="false"/></w:rPr><w:t> home</w:t></w:r>'
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r>'
        "<w:moveFrom><w:r><w:t> gone</w:t></w:r></w:moveFrom>"
        "<w:r><w:softHyphen/><w:t>ward</w:t><w:noBreakHyphen/><w:t>bound.</w:t></w:r></w:p>"
    )
    assert texts(source) == ["He walked homeward\u2011bound."]


def test_a_style_of_characters_can_hide_them() -> None:
    hidden = (
        '<w:style w:type="character" w:styleId="h"><w:name w:val="H"/><w:rPr><w:vanish/></w:rPr></w:style>'
    )
    body = (
        '<w:p><w:r><w:t>Seen</w:t></w:r><w:r><w:rPr><w:rStyle w:val="h"/></w:rPr><w:t> not</w:t></w:r></w:p>'
    )
    assert texts(word(body, styles=part("styles", hidden))) == ["Seen"]


def test_a_paragraph_whose_end_was_deleted_goes_on_in_the_next() -> None:
    body = "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>He went </w:t></w:r></w:p>" + run("home.")
    assert texts(word(body)) == ["He went home."]
    assert texts(word(body.removesuffix(run("home.")))) == ["He went"]


def test_line_breaks_keep_lines_and_page_breaks_part_blocks() -> None:
    body = (
        "<w:p><w:r><w:t>One</w:t><w:br/><w:t>two</w:t><w:tab/><w:t>three</w:t>"
        '<w:br w:type="page"/><w:t>four</w:t><w:br/><w:br/><w:t>five</w:t></w:r></w:p>'
    )
    assert texts(word(body)) == ["One\ntwo three", "four", "five"]


def test_long_lines_are_paragraphs_whichever_key_parted_them() -> None:
    body = f"<w:p><w:r><w:t>{PROSE}</w:t><w:br/><w:t>{PROSE}</w:t></w:r></w:p>"
    assert texts(word(body)) == [PROSE.strip()] * 2


def test_the_lines_of_a_stanza_are_one_block() -> None:
    lines = ["The tide is out,", "the tide is in,"]
    verse = "".join(styled("Verse", line) for line in lines)
    assert told(word(verse + "<w:p/>" + verse)) == [("\n".join(lines), Role.VERSE)] * 2


def test_plain_text_that_was_opened_in_word_has_its_paragraphs_again() -> None:
    lines = ["It rained on the harbour all that", "morning, and nobody came to see the", "boats."]
    body = ("".join(map(run, lines)) + "<w:p/>") * 9
    assert texts(word(body)) == ["\n".join(lines)] * 9


def test_notes_come_last_in_the_order_of_their_marks() -> None:
    notes = "".join(
        f'<w:footnote w:id="{n}"{kind}><w:p><w:r><w:footnoteRef/><w:t> Note {n}.</w:t></w:r></w:p>'
        "</w:footnote>"
        for n, kind in ((0, ' w:type="separator"'), (1, ""), (2, ""), (3, ""))
    )
    ends = '<w:endnote w:id="1"><w:p><w:r><w:t>The end of it.</w:t></w:r></w:p></w:endnote>'
    body = (
        '<w:p><w:r><w:t>First</w:t><w:footnoteReference w:id="2"/><w:t>, then</w:t></w:r>'
        '<w:r><w:endnoteReference w:id="1"/><w:footnoteReference w:id="1"/></w:r></w:p>' + run("After.")
    )
    source = word(body, footnotes=part("footnotes", notes), endnotes=part("endnotes", ends))
    assert told(source) == [
        ("First, then", Role.UNKNOWN),
        ("After.", Role.UNKNOWN),
        ("Note 2.", Role.NOTE),
        ("The end of it.", Role.NOTE),
        ("Note 1.", Role.NOTE),
    ]
    assert [b.locator for b in source.blocks or ()] == [
        "paragraph 1",
        "paragraph 2",
        "footnote 1",
        "endnote 1",
        "footnote 2",
    ]


def test_a_text_box_is_read_once() -> None:
    box = f"<w:txbxContent>{run('In the box.')}</w:txbxContent>"
    body = (
        f'<w:p><w:r><w:t>Before </w:t><mc:AlternateContent xmlns:mc="{CHOICE}">'
        f"<mc:Choice><x><w:drawing>{box}</w:drawing></x></mc:Choice>"
        f"<mc:Fallback><w:pict>{box}</w:pict></mc:Fallback></mc:AlternateContent>"
        "<w:t>and after.</w:t></w:r></w:p>"
    )
    beside = told(word(run(PROSE) + body))[1:]
    assert beside == [("Before and after.", Role.UNKNOWN), ("In the box.", Role.ASIDE)]
    alone = body.replace("Before ", "").replace("and after.", "")
    assert told(word(alone)) == [("In the box.", Role.UNKNOWN)], "such as a title, or a letter"


def test_text_boxes_and_tables_are_set_apart_from_the_story() -> None:
    box = f"<w:pict><w:txbxContent>{run('A word from Mr. Ford.')}</w:txbxContent></w:pict>"
    cells = "".join(f"<w:tc>{run(cell)}</w:tc>" for cell in ("High tide", "six"))
    told = f"<w:p><w:r><w:t>{PROSE}</w:t>{box}</w:r></w:p>"
    body = f"{run(PROSE) * 8}{told}{run(PROSE)}<w:tbl><w:tr>{cells}</w:tr></w:tbl>"
    book = read(zipped(of(docx_parts(document(body)))))
    apart = {book.slice(each.span).strip(): each.reason for each in book.excluded}
    assert apart == {"A word from Mr. Ford.": "aside", "High tide\tsix": "aside"}


def test_a_text_box_is_glued_to_no_paragraph() -> None:
    box = f"<w:txbxContent>{run('In the box.')}</w:txbxContent>"
    cut = "<w:pPr><w:rPr><w:del/></w:rPr></w:pPr>"
    body = f"<w:p>{cut}<w:r><w:t>He went </w:t><w:pict>{box}</w:pict></w:r></w:p>{run('home.')}"
    assert texts(word(body)) == ["In the box.", "He went home."]


def test_tables_are_read_row_by_row() -> None:
    def row(*cells: str) -> str:
        return f"<w:tr>{''.join(f'<w:tc>{cell}</w:tc>' for cell in cells)}</w:tr>"

    short = row(run("High tide"), run("six"))
    layout = row(run("Chapter 1") + run(PROSE))
    gone = f"<w:tr><w:trPr><w:del/></w:trPr><w:tc>{run('gone')}</w:tc></w:tr>"
    cut = "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>He went</w:t></w:r></w:p>"
    assert told(word(f"{cut}<w:tbl>{short}</w:tbl><w:tbl>{layout}{gone}</w:tbl>")) == [
        ("He went", Role.UNKNOWN),
        ("High tide\tsix", Role.ASIDE),
        ("Chapter 1", Role.UNKNOWN),
        (PROSE.strip(), Role.TEXT),
    ]
    speech = row(run("Tom"), run(PROSE))
    play = told(word(f"{run(PROSE)}<w:tbl>{short}{speech}{short}</w:tbl>"))
    assert Role.ASIDE not in dict(play).values(), "a table with long paragraphs holds the story"
    assert told(word(f"<w:tbl>{short * 2}</w:tbl>{run('The end.')}"))[0][1] is Role.UNKNOWN, "or most of it"


def test_the_pronunciation_over_a_character_is_not_read() -> None:
    over, under = (f"<w:r><w:t>{text}</w:t></w:r>" for text in ("cháo", "潮"))
    ruby = f"<w:ruby><w:rt>{over}</w:rt><w:rubyBase>{under}</w:rubyBase></w:ruby>"
    assert texts(word(f"<w:p><w:r>{ruby}</w:r><w:r><w:t>水</w:t></w:r></w:p>")) == ["潮水"]


@pytest.mark.parametrize(
    ("title", "creator", "expected"),
    [
        ("The Quay", "A. Hand", ("The Quay", "A. Hand")),
        ("Microsoft Word - quay.doc", "Microsoft Office User", (None, None)),
    ],
)
def test_the_book_says_who_wrote_it(title: str, creator: str, expected: tuple[str | None, ...]) -> None:
    core = (
        f'{XML}<cp:coreProperties xmlns:cp="x" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:title>{title}</dc:title><dc:creator>{creator}</dc:creator><dc:language>en-GB</dc:language>"
        "</cp:coreProperties>"
    )
    members = [*of(docx_parts()), entry("docProps/core.xml", core.encode())]
    source = read_docx(zipped(members), limits=Limits(), encoding=None)
    assert (source.title, source.author, source.language) == (*expected, "en")


def test_the_printed_title_is_the_books_when_it_has_no_other() -> None:
    source = word(styled("Title", "The Quay") + styled("Subtitle", "A story") + run("Chapter 1") + run(PROSE))
    assert source.title == "The Quay"
    assert [role for _, role in told(source)] == [Role.FRONT, Role.FRONT, Role.UNKNOWN, Role.TEXT]


def test_the_styled_title_page_names_the_author() -> None:
    page = styled("Title", "The Quay") + styled("Subtitle", "by Ann Hand")
    chapters = "".join(run(f"Chapter {n}") + run(PROSE) for n in (1, 2))
    book = read(zipped(of(docx_parts(document(page + chapters)))))
    assert (book.title, book.author) == ("The Quay", "Ann Hand")


def test_many_titles_are_the_chapters() -> None:
    source = word("".join(styled("Title", f"Chapter {n}") + run(PROSE) for n in (1, 2, 3)))
    assert source.title is None
    assert [role for _, role in told(source)] == [Role.HEADING, Role.TEXT] * 3


def test_the_strict_kind_of_file_is_read_too() -> None:
    main = document(run("Chapter 1") + run(PROSE)).replace(WORD, STRICT)
    source = read_docx(zipped(of(docx_parts(main))), limits=Limits(), encoding=None)
    assert texts(source) == ["Chapter 1", PROSE.strip()]


def test_the_text_may_lie_in_a_part_of_another_name() -> None:
    members = docx_parts()
    members["word/document2.xml"] = members.pop("word/document.xml")
    members["_rels/.rels"] = members["_rels/.rels"].replace(b"word/document.xml", b"/word/document2.xml")
    source = read_docx(zipped(of(members)), limits=Limits(), encoding=None)
    assert texts(source)[0] == "Chapter 1"


def test_what_is_broken_or_empty_is_said_to_be() -> None:
    with pytest.raises(EmptyBook):
        word("<w:p/>")
    with pytest.raises(FileDamaged):
        word("<w:p>")
    with pytest.raises(FileHostile):
        word("<w:x>" * 300 + run(PROSE) + "</w:x>" * 300)
