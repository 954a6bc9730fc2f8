"""HTML: everything that a browser would show is read, block by block."""

from __future__ import annotations

import gzip
from contextlib import suppress

import pytest

from books.errors import FileHostile, FileLocked, UnsupportedFormat
from books.formats.detect import detect, glance, unwrapped
from books.limits import Limits
from books.reading import extract, read
from books.source import Role, Source
from books.types import EncodingBy, ParagraphKind
from tests.books.formats.making import PROSE, zipped
from tests.books.laws import assert_lawful


def source_of(html: str | bytes, *, encoding: str | None = None) -> Source:
    data = html.encode() if isinstance(html, str) else html
    assert_lawful(read(data, encoding=encoding, force=True))
    return extract(data, encoding=encoding, limits=Limits())


def blocks_of(body: str) -> list[str]:
    return [
        block.text for block in source_of(f"<!DOCTYPE html><html><body>{body}</body></html>").blocks or ()
    ]


def roles_of(body: str) -> list[tuple[Role, str]]:
    source = source_of(f"<!DOCTYPE html><html><body>{body}</body></html>")
    return [(block.role, block.text) for block in source.blocks or ()]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>one\n  two</p><p>three</p>", ["one two", "three"]),
        ("<p>&nbsp;</p><p>&nbsp;&nbsp;a&nbsp;b &mdash; c&#8217;s</p>", ["a b — c’s"]),
        ("AT&T <b>bold</b><i>er</i> &unheard; &amp;lt;", ["AT&T bolder &unheard; &lt;"]),
        ("<p><span class=dropcap>O</span>nce</p>", ["Once"]),
        ("<p><img alt='T' src='t.png'>HE moon</p>", ["THE moon"]),
        ("<p><img alt='I' src='i.png'> was there</p>", ["I was there"]),
        ("<p><img alt='A castle' src='x'>It rained</p>", ["It rained"]),
        ("<p>co&shy;oper\u00adation</p>", ["cooperation"]),
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>字", ["漢字"]),
        ("<p>one<br>two</p>", ["one\ntwo"]),
        ("one<br><br>two<hr>three<div>four</div>five", ["one", "two", "three", "four", "five"]),
        ("<table><tr><td>a<td>b<tr><td>c</table>", ["a\tb", "c"]),
        ("<ul><li>a<li>b</ul><dl><dt>c<dd>d</dl>", ["a", "b", "c", "d"]),
        ("<script>x()</script><style>p{}</style><template>t</template><p hidden>h</p>seen", ["seen"]),
        ("<p style='display: none'>no</p><p>yes</p><!-- comment -->", ["yes"]),
        ("<p>one<p>two <b>three<p>four", ["one", "two three", "four"]),
        ("<div>a<p>b</p>c</div>", ["a", "b", "c"]),
    ],
)
def test_text_is_taken_out_as_a_browser_shows_it(body: str, expected: list[str]) -> None:
    assert blocks_of(body) == expected


def test_text_after_the_end_of_the_page_is_still_text() -> None:
    source = source_of("<html><body><p>one</p></body></html><html><body><p>two</p></body></html> three")
    assert source.text == "one\n\ntwo\n\nthree"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<h2>CHAPTER I<br><br>The Tide</h2>", [(Role.HEADING, "CHAPTER I\nThe Tide")]),
        ("<p class='chapter-title'>One</p><p>x</p>", [(Role.HEADING, "One"), (Role.TEXT, "x")]),
        ("<p class='chapter'>" + PROSE + "</p>", [(Role.TEXT, PROSE.strip())]),
        ("<pre>a b\n  c\n\nd</pre>", [(Role.VERSE, "a b\n  c"), (Role.VERSE, "d")]),
        ("<p>The tide<br>goes out<br>again</p>", [(Role.VERSE, "The tide\ngoes out\nagain")]),
        (
            "<div class=poem><div class=stanza><div class=line>a</div>\n<div class=line>b</div></div>"
            "<div class=stanza><span class=i0>c<br></span><span class=i2>d<br></span></div></div>",
            [(Role.VERSE, "a\nb"), (Role.VERSE, "c\nd")],
        ),
        ("<div class=footnote><p>[1] So.</p></div>", [(Role.NOTE, "[1] So.")]),
        ("<figure><figcaption>Boats</figcaption></figure>", [(Role.CAPTION, "Boats")]),
        ("<p class=caption>Boats</p>", [(Role.CAPTION, "Boats")]),
        ("<nav><a href='x'>Home</a></nav>", [(Role.CONTENTS, "Home")]),
        ("<span class=pagenum>[12]</span><p>x</p>", [(Role.PAGE, "[12]"), (Role.TEXT, "x")]),
        ("<p><span class=pagenum>12</span>x</p>", [(Role.PAGE, "12"), (Role.TEXT, "x")]),
        ("<h2>One<span class=pagenum>12</span></h2>", [(Role.HEADING, "One"), (Role.PAGE, "12")]),
        (f"<div class=pagebreak>{PROSE}</div>", [(Role.UNKNOWN, PROSE.strip())]),
        ("<div class=dedication><h2>To</h2><p>Mum</p></div>", [(Role.FRONT, "To"), (Role.FRONT, "Mum")]),
    ],
)
def test_what_the_markup_says_of_a_block(body: str, expected: list[tuple[Role, str]]) -> None:
    assert roles_of(body) == expected


def test_levels_of_headings() -> None:
    source = source_of("<html><h1>Book</h1><h3>Chapter</h3><p>x</p></html>")
    assert [block.level for block in source.blocks or ()] == [1, 3, 0]


@pytest.mark.parametrize(
    ("mark", "reason"),
    [
        ("<span class=pagenum><a id=p12>[Pg 12]</a></span>", "page number"),
        ("<a class=fnanchor href='#f'>[1]</a>", "mark of a footnote"),
        ("<sup><a href='#f'>1</a></sup>", "mark of a footnote"),
        ("<a href='#f'><sup>a</sup></a>", "mark of a footnote"),
        ("<a href='#f'>*</a>", "mark of a footnote"),
        ("<span class=footnote>So it was.</span>", "footnote"),
    ],
)
def test_marks_inside_a_paragraph_are_kept_and_set_apart(mark: str, reason: str) -> None:
    source = source_of(f"<html><p>It rained{mark} and</p><p>rained.</p></html>")
    [exclusion] = source.excluded
    assert exclusion.reason == reason
    kept = source.text[: exclusion.span.start] + source.text[exclusion.span.end :]
    assert kept == "It rained and\n\nrained."


def test_a_link_that_is_no_mark_stays_in_the_text() -> None:
    assert not source_of(
        "<html><p>In <a href='#c1'>1</a> and <a href='http://x/#y'>there</a>.</p></html>"
    ).excluded


def test_links_in_a_row_are_a_table_of_contents_and_lead_to_the_chapters() -> None:
    entries = "".join(f"<p><a href='#c{n}'>Chapter {n}</a></p>" for n in (1, 2, 3))
    chapters = "".join(f"<h2><a name='c{n}'></a>Chapter {n}</h2><p>{PROSE}</p>" for n in (1, 2, 3))
    html = f"<!DOCTYPE html><html><body><h1>The Quay</h1>{entries}{chapters}</body></html>"
    source = source_of(html)
    assert [b.text for b in source.blocks or () if b.role is Role.CONTENTS] == [
        "Chapter 1",
        "Chapter 2",
        "Chapter 3",
    ]
    assert [anchor.title for anchor in source.anchors] == ["Chapter 1", "Chapter 2", "Chapter 3"]
    for anchor in source.anchors:
        assert source.text[anchor.offset :].startswith(f"{anchor.title}\n\nIt rained")
    book = read(html.encode())
    assert [chapter.title for chapter in book.chapters] == ["Chapter 1", "Chapter 2", "Chapter 3"]


def test_an_entry_that_is_but_a_page_number_takes_the_title_of_the_heading() -> None:
    entries = "".join(f"<tr><td>x<td><a href='#c{n}'>{n}</a></tr>" for n in (1, 2, 3))
    chapters = "".join(f"<h3 id='c{n}'>Tide {n}</h3><p>{PROSE}</p>" for n in (1, 2, 3))
    anchors = source_of(f"<html><table>{entries}</table>{chapters}</html>").anchors
    assert [anchor.title for anchor in anchors] == ["Tide 1", "Tide 2", "Tide 3"]


def test_links_back_and_links_in_the_text_are_no_table_of_contents() -> None:
    chapters = "".join(f"<h2 id='c{n}'>{n}</h2><p>{PROSE} <a href='#c1'>up</a></p>" for n in (1, 2, 3))
    assert source_of(f"<html>{chapters}</html>").anchors == ()


@pytest.mark.parametrize(
    ("head", "title", "author"),
    [
        ("<title>The Quay</title>", "The Quay", None),
        ("<title>The Project Gutenberg eBook of The Quay, by Ann Hand</title>", "The Quay", "Ann Hand"),
        (
            "<title>The Quay | Project Gutenberg</title><meta name=author content='Ann Hand'>",
            "The Quay",
            "Ann Hand",
        ),
        ("<title>Down by the River</title>", "Down by the River", None),
        ("<title>x</title><meta property='og:title' content='The Quay'>", "The Quay", None),
        (
            "<meta name='DC.Creator' content='Ann Hand'><meta name='DC.Creator' content='Bo Lee'>",
            None,
            "Ann Hand, Bo Lee",
        ),
        ("<title>Untitled</title>", None, None),
        ("<title/>", None, None),
    ],
)
def test_title_and_author(head: str, title: str | None, author: str | None) -> None:
    source = source_of(f"<html lang='en-GB'><head>{head}</head><body><p>It rained.</p></body></html>")
    assert (source.title, source.author, source.language) == (title, author, "en")
    assert source.text == "It rained."


@pytest.mark.parametrize(
    "declaration",
    [
        "<meta charset=windows-1251>",
        "<meta http-equiv='Content-Type' content='text/html; charset=windows-1251'>",
    ],
)
def test_the_declared_encoding_is_heard_and_an_order_wins_over_it(declaration: str) -> None:
    text = "Вечером шёл дождь, и лодки стояли у причала. " * 9
    page = f"<html><head>{declaration}</head><body><p>{text}</p></body></html>".encode("cp1251")
    source = source_of(page)
    assert source.text == text.strip()
    assert source.encoding_by is EncodingBy.DECLARED
    ordered = source_of(page, encoding="koi8-r")
    assert ordered.encoding_by is EncodingBy.GIVEN
    assert ordered.text != source.text


def test_locators_name_the_element() -> None:
    source = source_of("<html><body><p id='a'>one</p><div><p>two</p><p>thr<i>ee</i></p></div></body></html>")
    assert [b.locator for b in source.blocks or ()] == ["#a", "body/div[1]/p[1]", "body/div[1]/p[2]"]


def test_verse_in_the_markup_is_verse_in_the_book() -> None:
    book = read(f"<html><h2>Chapter 1</h2><p>{PROSE}</p><p>The tide<br>goes<br>out</p></html>".encode())
    assert book.paragraphs[-1].kind is ParagraphKind.VERSE


@pytest.mark.parametrize("opened", ["<div>", "<b>", "<font>", "<blockquote><p>"])
def test_what_is_nested_too_deep_is_refused_or_read_whole(opened: str) -> None:
    html = f"<html><body>{opened * 5000}deep</body></html>"
    with suppress(FileHostile):
        assert "deep" in read(html.encode()).text
    shallow = f"<html><body>{opened * 60}deep</body></html>"
    assert "deep" in read(shallow.encode()).text


def test_entities_are_never_expanded() -> None:
    subset = '<!ENTITY a "ha"><!ENTITY b "&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">'
    html = (
        f'<?xml version="1.0"?><!DOCTYPE html [{subset}]>'
        '<html xmlns="http://www.w3.org/1999/xhtml"><p>It &b; &x;</p></html>'
    )
    assert source_of(html).text == "It &b; &x;"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"<!DOCTYPE html><p>x", "html"),
        (b"\xef\xbb\xbf\n<HTML><p>x", "html"),
        (b"<?xml version='1.0'?><!DOCTYPE html PUBLIC 'x' 'y'><html><p>x</p></html>", "html"),
        (b"<!-- saved -->\n<!-- again --><html><p>x", "html"),
        (b"<!-- saved --><p>one</p><p>two<br>three</p>", "html"),
        (b"<h1>One</h1>\n<p>two</p><p>three</p>", "html"),
        ("<html><p>x</p></html>".encode("utf-16"), "html"),
        (b"<sigh> It rained.", "text"),
        (b"He wrote <b> on it.\n\n* * *\n\n_Yes_, he *did*.", "text"),
        (b"# One\n\nrain\n\n# Two\n\nrain", "markdown"),
        (b"# One\n\nrain", "text"),
        (b"---\ntitle: Rain\n---\n\nrain", "markdown"),
        (b"One\n===\n\nrain **hard**\n\nTwo\n---\n\nrain", "markdown"),
        (b"CHAPTER I\n---------\n\nrain\n\nCHAPTER II\n----------\n\nrain", "text"),
        (b"#!/bin/sh\n# one\n# two\n", "text"),
    ],
)
def test_what_a_file_is_is_told_by_its_content(data: bytes, expected: str) -> None:
    assert detect(data) == expected
    glance(data)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"%PDF-1.7", "PDF"),
        (b"{\\rtf1 x}", "RTF"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old Word"),
        (b"x" * 60 + b"BOOKMOBI", "Kindle"),
        (b"<?xml version='1.0'?><FictionBook xmlns='x'><body/></FictionBook>", "FB2"),
        (b"<?xml version='1.0'?><TEI/>", "XML file"),
        (b"\x89PNG\r\n\x1a\n", "picture"),
        (b"SQLite format 3\x00", "SQLite"),
        (b"\x7fELF", "program"),
        (b"MZ\x90\x00\x03\x00\x00\x00", "program"),
        (b"7z\xbc\xaf\x27\x1c", "7z"),
        (zipped({"1.jpg": b"x", "2.jpg": b"y"}), "CBZ"),
        (zipped({"a.bin": b"x", "b.bin": b"y"}), "no book"),
        (zipped({"a.txt": b"x", "b.txt": b"y"}), "no book"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_book_is_called_by_its_name(data: bytes, said: str) -> None:
    with pytest.raises(UnsupportedFormat, match=said) as caught:
        extract(data, encoding=None, limits=Limits())
    assert "Convert" in caught.value.advice
    with pytest.raises(UnsupportedFormat):
        glance(data)


def test_a_word_file_with_a_password_is_not_called_an_old_word_file() -> None:
    data = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\xff" * 504 + "EncryptedPackage".encode("utf-16-le")
    for look in (detect, glance):
        with pytest.raises(FileLocked, match="has a password") as caught:
            look(data)
        assert "without a password" in caught.value.advice


def test_a_zip_with_one_text_in_it_is_that_text() -> None:
    data = zipped({"pg1/pg1.txt": PROSE, "pg1/cover.jpg": b"x", "__MACOSX/._pg1.txt": b"y"})
    glance(data)
    assert read(data).text == PROSE


def test_packed_files_in_packed_files_are_refused() -> None:
    with pytest.raises(FileHostile):
        read(zipped({"a.zip": zipped({"a.txt": PROSE})}))
    with pytest.raises(FileHostile):
        read(zipped({"a.txt": zipped({"a.txt": PROSE})}))
    with pytest.raises(FileHostile):
        read(gzip.compress(gzip.compress(PROSE.encode())))


def test_gzip_of_several_members_and_with_padding_is_read_whole() -> None:
    data = gzip.compress(b"It rained. ") + gzip.compress(b"It stopped.") + b"\x00" * 512
    assert unwrapped(data, Limits()) == b"It rained. It stopped."
    with pytest.raises(FileHostile, match="pieces"):
        unwrapped(gzip.compress(b"") * 2000, Limits())
