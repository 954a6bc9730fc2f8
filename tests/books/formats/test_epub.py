"""EPUB: the spine's order, chapters where the table of contents points, and files as people have them."""

from __future__ import annotations

import pytest

from books.errors import EncodingUnknown, FileDamaged, FileHostile, FileLocked, UnsupportedFormat
from books.formats.detect import detect, glance
from books.limits import Limits
from books.reading import extract, read
from books.source import Anchor, Role, Source
from books.types import Book, Part
from tests.books.formats.making import CONTAINER, METADATA, PROSE, Toc, epub, page, zipped
from tests.books.laws import assert_lawful


def chapter(number: int, *, name: str = "Chapter") -> str:
    return page(f"<h2>{name} {number}</h2><p>{PROSE}</p><p>Number {number}.</p>")


THREE = {f"c{n}.xhtml": chapter(n) for n in (1, 2, 3)}
LISTED = [Toc(f"Chapter {n}", f"c{n}.xhtml") for n in (1, 2, 3)]
TITLES = ["Chapter 1", "Chapter 2", "Chapter 3"]


def source_of(data: bytes) -> Source:
    return extract(data, encoding=None, limits=Limits())


def book_of(data: bytes) -> Book:
    book = read(data)
    assert_lawful(book)
    return book


def titles(book: Book) -> list[str]:
    return [each.title for each in book.chapters]


def test_epub_2_with_its_ncx() -> None:
    data = epub(THREE, ncx=LISTED)
    glance(data)
    book = book_of(data)
    assert (book.title, book.author, book.report.format) == ("The Quay", "Ann Hand", "epub")
    assert titles(book) == TITLES
    assert book.report.chapters_by == "contents"
    assert not book.report.warnings


def test_epub_3_with_its_navigation_which_is_no_part_of_the_text() -> None:
    data = epub(THREE, nav=LISTED, spine=["nav.xhtml", *THREE], extra={})
    book = book_of(data)
    assert titles(book) == TITLES
    assert "Contents" not in book.text


def test_the_order_is_the_spines_and_what_is_not_linear_comes_last() -> None:
    source = source_of(epub(THREE, spine=["c3.xhtml", "c1.xhtml", "c2.xhtml"]))
    assert [b.text for b in source.blocks or () if b.role is Role.HEADING] == [
        "Chapter 3",
        "Chapter 1",
        "Chapter 2",
    ]
    data = epub(THREE)
    opf = _opf(data).replace('<itemref idref="ic1-xhtml"/>', '<itemref idref="ic1-xhtml" linear="no"/>')
    assert source_of(epub(THREE, extra={"OEBPS/content.opf": opf})).text.index("Number 1.") > 900


def _opf(data: bytes) -> str:
    from books.formats.archive import open_archive

    return open_archive(data, Limits()).read("OEBPS/content.opf").decode()


def test_several_chapters_in_one_file_are_parted_at_their_fragments() -> None:
    body = "".join(f'<a id="c{n}"></a><p class="x"><b>{n}</b></p><p>{PROSE}</p>' for n in (1, 2, 3))
    listed = [
        Toc(f"The {word} tide", f"all.xhtml#c{n}") for n, word in enumerate(("first", "next", "last"), 1)
    ]
    data = epub({"all.xhtml": page(body)}, ncx=listed)
    source = source_of(data)
    assert [source.text[a.offset] for a in source.anchors] == ["1", "2", "3"]
    book = book_of(data)
    assert len(book.chapters) == 3
    for number, each in enumerate(book.chapters, 1):
        assert book.slice(each.span).startswith(f"{number}\n\nIt rained")


def test_nested_contents_keep_their_depth() -> None:
    listed = [
        Toc("Part One", "p1.xhtml", [Toc("Chapter 1", "c1.xhtml"), Toc("Chapter 2", "c2.xhtml")]),
        Toc("Part Two", None, [Toc("Chapter 3", "c3.xhtml")]),
    ]
    pages = {"p1.xhtml": page("<h1>Part One</h1>"), **THREE}
    for data in (epub(pages, nav=listed), epub(pages, ncx=listed)):
        source = source_of(data)
        assert [(a.title, a.depth) for a in source.anchors] == [
            ("Part One", 0),
            ("Chapter 1", 1),
            ("Chapter 2", 1),
            ("Part Two", 0),
            ("Chapter 3", 1),
        ]
        assert source.anchors[3].offset == source.anchors[4].offset
        assert len(book_of(data).chapters) == 3


def test_anchors_stand_at_the_start_of_blocks() -> None:
    pages = {
        "a.xhtml": page(f"<p>{PROSE}<a id='x'/></p><h2>T<a id='y'/>wo</h2><p>{PROSE} <i id='z'>z</i></p>")
    }
    source = source_of(epub(pages, ncx=[Toc(t, f"a.xhtml#{t}") for t in "xyz"]))
    starts = {block.span.start for block in source.blocks or ()}
    assert {anchor.offset for anchor in source.anchors} <= starts
    assert [source.text[a.offset :][:3] for a in source.anchors] == ["Two", "Two", "It "]


def test_a_fragment_that_is_not_there_leads_to_its_file_and_a_lost_file_nowhere() -> None:
    source = source_of(epub(THREE, ncx=[Toc("Two", "c2.xhtml#gone"), Toc("Gone", "gone.xhtml")]))
    assert source.anchors == (Anchor("Two", source.text.index("Chapter 2")),)


@pytest.mark.parametrize("href", ["kapitel%201.xhtml", "Kapitel 1.xhtml", "./x/../kapitel 1.xhtml"])
def test_names_in_percents_in_the_wrong_case_and_by_detours(href: str) -> None:
    data = epub({"kapitel 1.xhtml": chapter(1)}, manifest={"kapitel 1.xhtml": href}, ncx=[Toc("One", href)])
    source = source_of(data)
    assert "Number 1." in source.text
    assert source.anchors == (Anchor("One", 0),)
    assert not source.warnings


def test_a_missing_file_is_a_warning() -> None:
    data = epub({"c1.xhtml": chapter(1)}, spine=["c1.xhtml", "c2.xhtml"])
    assert source_of(data).warnings == ("Files of the book are missing: c2.xhtml.",)


@pytest.mark.parametrize(
    "container", [None, "", "<container/>", CONTAINER.replace("content.opf", "gone.opf"), "<broken", b"\x00"]
)
def test_without_a_container_the_package_is_found_all_the_same(container: str | bytes | None) -> None:
    data = epub(THREE, ncx=LISTED, extra={"META-INF/container.xml": container, "mimetype": None})
    assert detect(data) == "epub"
    assert titles(book_of(data)) == TITLES


def test_without_a_package_it_is_damaged() -> None:
    with pytest.raises(FileDamaged, match="package"):
        read(zipped({"mimetype": "application/epub+zip", "a.xhtml": chapter(1)}))


@pytest.mark.parametrize(
    "broken",
    [
        f"<html><body><h2>Chapter 1</h2><p>one<br>two & three<p>{PROSE}</body>",
        f"<html><head><title/><meta name=x></head><h2>Chapter 1</h2><p>one<br>two &amp; three</b></p>{PROSE}",
        f"<html><section epub:type='x'><h2>Chapter 1</h2><p>one<br/>two &amp; three</p>{PROSE}</section>",
    ],
)
def test_a_page_of_broken_xml_is_read_as_html(broken: str) -> None:
    text = book_of(epub({"a.xhtml": broken})).text
    assert text == f"Chapter 1\n\none\ntwo & three\n\n{PROSE.strip()}"


def test_named_characters_under_a_doctype() -> None:
    doctype = (
        '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">'
    )
    body = f'{doctype}<html xmlns="http://www.w3.org/1999/xhtml"><body><p>a&nbsp;b&mdash;c&eacute;</p></body></html>'
    assert source_of(epub({"a.xhtml": body})).text == "a b—cé"


def test_elements_that_are_closed_at_once_hold_nothing() -> None:
    source = source_of(epub({"a.xhtml": page('<p><a id="x"/>one <i/>two</p><div/>three', head="<title/>")}))
    assert source.text == "one two\n\nthree"


def test_the_cover_is_left_out_but_not_a_page_that_is_only_called_so() -> None:
    pages = {"cover.xhtml": page("<img src='c.jpg' alt='Cover'/><p>The Quay</p>"), **THREE}
    assert not source_of(epub(pages)).text.startswith("The Quay")
    guide = '<reference type="cover" href="front.xhtml"/>'
    fronted = {"front.xhtml": page("<p>The Quay</p>"), **THREE}
    assert source_of(epub(fronted)).text.startswith("The Quay")
    assert not source_of(epub(fronted, guide=guide)).text.startswith("The Quay")
    story = {"cover.xhtml": chapter(1)}
    assert "Number 1." in source_of(epub(story)).text


def test_what_the_types_of_sections_say() -> None:
    pages = {
        "d.xhtml": page(
            "<section epub:type='dedication'><p>For Mum</p></section>", attributes="epub:type='frontmatter'"
        ),
        "p.xhtml": page(
            f"<section epub:type='prologue'><h2>Prologue</h2><p>{PROSE}</p></section>",
            attributes="epub:type='frontmatter'",
        ),
        **THREE,
        "n.xhtml": page("<section role='doc-endnotes'><h2>Notes</h2><ol><li id='n1'>So.</li></ol></section>"),
        "a.xhtml": page("<h2>Afterword</h2><p>Thanks.</p>", attributes="epub:type='backmatter afterword'"),
    }
    roles = {b.text: b.role for b in source_of(epub(pages)).blocks or ()}
    assert roles["For Mum"] is Role.FRONT
    assert roles["Prologue"] is Role.HEADING
    assert roles["Notes"] is roles["So."] is Role.NOTE
    assert roles["Afterword"] is roles["Thanks."] is Role.BACK


def test_the_guide_says_what_whole_files_are() -> None:
    guide = '<reference type="copyright-page" href="r.xhtml"/><reference type="text" href="c1.xhtml"/>'
    blocks = source_of(epub({"r.xhtml": page("<p>All rights</p>"), **THREE}, guide=guide)).blocks or ()
    assert [b.text for b in blocks if b.role is Role.FRONT] == ["All rights"]


def test_footnotes_their_marks_and_page_numbers() -> None:
    body = (
        f"<h2>Chapter 1</h2><p>It rained<a epub:type='noteref' href='#n'>1</a>"
        f"<span epub:type='pagebreak' title='9'/> on<span class='pagenum'>[10]</span> us. {PROSE}</p>"
        "<aside epub:type='footnote' id='n'><p>So it did.</p></aside>"
    )
    book = book_of(epub({"a.xhtml": page(body), "b.xhtml": chapter(2)}))
    apparatus = {book.slice(e.span): e.reason for e in book.excluded if e.part is Part.APPARATUS}
    assert apparatus["1"] == "mark of a footnote"
    assert apparatus["[10]"] == "page number"
    assert "So it did." in apparatus
    assert not any("So it did" in book.slice(p.span) for p in book.paragraphs)


def test_locators_name_file_and_element() -> None:
    source = source_of(epub({"t/a.xhtml": page("<div><p>one</p><p id='two'>two</p></div>")}))
    assert [b.locator for b in source.blocks or ()] == [
        "OEBPS/t/a.xhtml/body/div[1]/p[1]",
        "OEBPS/t/a.xhtml#two",
    ]


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        (METADATA, ("The Quay", "Ann Hand", "en")),
        ("<dc:title> The\n Quay </dc:title><dc:language>eng</dc:language>", ("The Quay", None, "en")),
        (
            '<dc:creator opf:role="ill">Bo</dc:creator><dc:creator opf:role="aut">Ann</dc:creator>',
            (None, "Ann", None),
        ),
        (
            '<dc:creator id="a">Ann</dc:creator><meta refines="#a" property="role">aut</meta>'
            "<dc:creator>Bo</dc:creator>",
            (None, "Ann", None),
        ),
        ("<dc:creator>Ann</dc:creator><dc:creator>Bo</dc:creator>", (None, "Ann, Bo", None)),
        ("<dc:title>Unknown</dc:title><dc:creator>Unknown</dc:creator>", (None, None, None)),
        ('<dc:creator opf:file-as="Hand, Ann">Hand, Ann</dc:creator>', (None, "Ann Hand", None)),
        (
            '<dc:creator id="a">Hand, Ann</dc:creator><meta refines="#a" property="file-as">Hand, Ann</meta>',
            (None, "Ann Hand", None),
        ),
        ("<dc:creator>Hand, Ann</dc:creator>", (None, "Hand, Ann", None)),
        ("<dc:title>Microsoft Word - quay.doc</dc:title>", (None, None, None)),
        ("<dc:language>pt-BR</dc:language>", (None, None, "pt")),
    ],
)
def test_title_author_and_language(
    metadata: str, expected: tuple[str | None, str | None, str | None]
) -> None:
    source = source_of(epub(THREE, metadata=metadata))
    assert (source.title, source.author, source.language) == expected


def _encryption(algorithm: str, uri: str) -> str:
    return (
        '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><EncryptedData>'
        f'<EncryptionMethod Algorithm="{algorithm}"/><CipherData><CipherReference URI="{uri}"/></CipherData>'
        "</EncryptedData></encryption>"
    )


def test_copy_protection_is_called_so_and_hidden_fonts_are_no_lock() -> None:
    aes = "http://www.w3.org/2001/04/xmlenc#aes128-cbc"
    with pytest.raises(FileLocked):
        read(epub(THREE, extra={"META-INF/encryption.xml": _encryption(aes, "OEBPS/c1.xhtml")}))
    fonts = _encryption("http://www.idpf.org/2008/embedding", "OEBPS/font.otf")
    assert titles(book_of(epub(THREE, extra={"META-INF/encryption.xml": fonts}))) == TITLES


def test_a_page_that_is_not_text_is_left_out_with_a_warning() -> None:
    source = source_of(epub({"bad.xhtml": bytes(range(1, 32)) * 50, **THREE}))
    assert "Number 3." in source.text
    assert any("bad.xhtml" in warning for warning in source.warnings)


def test_a_page_in_another_encoding_is_named() -> None:
    odd = page(f"<p>{PROSE} The café was naïve.</p>").encode("cp1252")
    source = source_of(epub({**THREE, "odd.xhtml": odd}))
    (warning,) = source.warnings
    assert source.encoding == "utf-8"
    assert warning.startswith("OEBPS/odd.xhtml: The file is not valid UTF-8")


def test_the_given_encoding_is_for_the_pages_that_have_none_of_their_own() -> None:
    russian, greek = "Он вошёл в комнату и сел к окну, не говоря ни слова.", "Καλημέρα, είπε ο γέρος."
    pages = {
        "utf.xhtml": page(f"<p>{russian}</p>"),
        "bare.xhtml": f"<html><body><p>{russian}</p></body></html>".encode("koi8-u"),
        "told.xhtml": f"<meta charset=iso-8859-7><body><p>{greek * 5}</p></body>".encode("iso-8859-7"),
    }
    text = extract(epub(pages), encoding="koi8-u", limits=Limits()).text
    assert (text.count(russian), text.count(greek)) == (2, 5)
    kept = extract(epub(pages), encoding="ascii", limits=Limits()).text
    assert kept.count(greek) == 5, "where it does not fit, a page is guessed and not left out"
    assert len(kept) == len(text)
    wide = {"wide.xhtml": f"<html><body><p>{russian}</p></body></html>".encode("utf-32-le")}
    told = extract(epub({**pages, **wide}), encoding="utf-32-le", limits=Limits()).text
    assert told.count(russian) == 3, "where none can be guessed, the given one is tried"
    with pytest.raises(EncodingUnknown):
        extract(epub(THREE), encoding="no-such", limits=Limits())


def test_an_epub_cut_short_is_damaged_and_a_deep_one_hostile() -> None:
    whole = epub(THREE, ncx=LISTED)
    with pytest.raises(FileDamaged):
        read(whole[: len(whole) // 2])
    with pytest.raises(FileHostile):
        read(epub({"a.xhtml": page("<div>" * 400 + "x" + "</div>" * 400)}))
    deep = Toc("x", "c1.xhtml")
    for _ in range(400):
        deep = Toc("x", "c1.xhtml", [deep])
    with pytest.raises(FileHostile):
        read(epub(THREE, ncx=[deep]))


def test_a_zip_of_something_else_is_no_epub() -> None:
    with pytest.raises(UnsupportedFormat):
        read(zipped({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": "<x/>"}))


def test_reading_is_deterministic() -> None:
    data = epub(THREE, ncx=LISTED)
    assert read(data) == read(data)
