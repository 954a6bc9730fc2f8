"""EPUB, HTML, Markdown and DOCX that are valid archives with hostile content."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tests.books.hostile.attacks import ATTACKS, Attack
from tests.books.hostile.carriers import (
    CONTAINER,
    PROSE,
    XML,
    chapter,
    document,
    docx,
    docx_parts,
    epub,
    epub_parts,
    package,
    page,
    run,
)
from tests.books.hostile.zips import entry, of, zipped

Build = Callable[[], bytes]
MIB = 1 << 20


def in_chapter(attack: Attack) -> bytes:
    body = f"<h1>Chapter 1</h1><p>{PROSE}</p><p>{attack.used}</p>"
    return epub({"one.xhtml": page(body, before=attack.doctype("html")), "two.xhtml": chapter(2)})


def in_package(attack: Attack) -> bytes:
    opf = package(["one.xhtml"], before=attack.doctype("package"), title=f"The Quay {attack.used}")
    return epub({"one.xhtml": chapter(1)}, opf=opf)


def in_container(attack: Attack) -> bytes:
    told = CONTAINER.replace("<rootfiles>", f"<note>{attack.used}</note><rootfiles>")
    return zipped(of(epub_parts(container=XML + attack.doctype("container") + told)))


def in_html(attack: Attack) -> bytes:
    body = f"<html><body><h1>Chapter 1</h1><p>{PROSE}</p><p>{attack.used}</p></body></html>"
    return (attack.doctype("html") + body).encode()


def in_docx(attack: Attack) -> bytes:
    body = run("Chapter 1") + run(PROSE) + run(attack.used)
    return docx(document(body, before=attack.doctype("w:document")))


def in_docx_styles(attack: Attack) -> bytes:
    styles = f"{XML}{attack.doctype('s')}<s>{attack.used}</s>"
    return zipped([*of(docx_parts()), entry("word/styles.xml", styles.encode())])


def html(body: str) -> bytes:
    return f"<!DOCTYPE html><html><body><h1>Chapter 1</h1><p>{PROSE}</p>{body}</body></html>".encode()


def scripts() -> bytes:
    return html(
        "<script>steal('cookie')</script><iframe src='http://192.0.2.1/frame'>steal</iframe>"
        "<p onclick='steal()'>He <b onload=\"steal()\">stayed</b>.</p><style>p{color:steal}</style>"
        "<object data='steal'></object><template>steal</template>"
        '<svg><script>steal()</script></svg><!-- steal --><a href="javascript:steal()">the tide</a>'
        "<img src=x onerror=steal()><base href='http://192.0.2.1/'><link rel=stylesheet href='http://192.0.2.1/'>"
    )


def deep_html(depth: int = 200_000) -> bytes:
    return html("<div>" * depth + "Here it ends." + "</div>" * depth)


def deep_unclosed_html(depth: int = 200_000) -> bytes:
    return html("<b><i>" * (depth // 2) + "Here it ends.")


def deep_chapter(depth: int = 200_000) -> bytes:
    return epub({"one.xhtml": page("<div>" * depth + PROSE + "</div>" * depth)})


def deep_docx(depth: int = 200_000) -> bytes:
    return docx(document("<w:x>" * depth + run(PROSE) + "</w:x>" * depth))


def many_elements() -> bytes:
    return html("<p>a</p>" * 50_000)


def many_attributes() -> bytes:
    return html("<p " + " ".join(f"a{n}='x'" for n in range(100_000)) + ">It rained.</p>")


def misnested() -> bytes:
    """Makes an HTML parser copy its open elements again and again."""
    return html("<p><b><i><a href=x><table>" * 5_000)


def tables() -> bytes:
    return html("<table><tr><td>" * 20_000 + "Here it ends.")


def spine_of_itself() -> bytes:
    """One chapter, a hundred thousand times."""
    opf = package(["one.xhtml"], spine=[0] * 100_000)
    return epub({"one.xhtml": chapter(1)}, opf=opf)


def spine_item_missing() -> bytes:
    return epub({"one.xhtml": chapter(1)}, opf=package(["one.xhtml", "gone.xhtml"]))


def spine_all_missing() -> bytes:
    return epub({}, opf=package(["gone.xhtml", "lost.xhtml"]))


def no_spine() -> bytes:
    opf = package(["one.xhtml"], spine=[]).replace("<spine></spine>", "")
    return epub({"one.xhtml": chapter(1)}, opf=opf)


def no_package() -> bytes:
    return zipped([e for e in of(epub_parts()) if e.name != b"OEBPS/book.opf"])


def package_of_itself() -> bytes:
    """The package is its own first chapter."""
    return epub({}, opf=package(["book.opf"]))


def elsewhere() -> bytes:
    """Chapters with addresses on the network and on the machine."""
    hrefs = ["http://192.0.2.1/one.xhtml", "file:///etc/passwd", "../../../../../etc/passwd", "/etc/passwd"]
    return epub({"one.xhtml": chapter(1)}, opf=package([*hrefs, "one.xhtml"]))


def included() -> bytes:
    """XInclude, which a reader of books does not need."""
    body = '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd" parse="text"/>'
    return epub({"one.xhtml": page(f"<h1>Chapter 1</h1><p>{PROSE}</p>{body}"), "two.xhtml": chapter(2)})


def _with_ncx(points: str) -> bytes:
    ncx = f'{XML}<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>{points}</navMap></ncx>'
    opf = package(["one.xhtml", "two.xhtml"])
    item = '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/></manifest>'
    opf = opf.replace("</manifest>", item).replace("<spine>", '<spine toc="ncx">')
    return epub(opf=opf, extra=[entry("OEBPS/toc.ncx", ncx.encode())])


def _point(target: str, inside: str = "") -> str:
    label = "<navLabel><text>Chapter 1</text></navLabel>"
    return f'<navPoint>{label}<content src="{target}"/>{inside}</navPoint>'


def deep_contents(depth: int = 100_000) -> bytes:
    opening = _point("one.xhtml").removesuffix("</navPoint>")
    return _with_ncx(opening * depth + "</navPoint>" * depth)


def long_contents() -> bytes:
    return _with_ncx(_point("one.xhtml#nowhere") * 100_000)


def contents_of_nowhere() -> bytes:
    wrong = (
        "one.xhtml#nowhere",
        "gone.xhtml",
        "http://192.0.2.1/",
        "file:///etc/passwd",
        "#",
        "",
        "%%%",
        "%00",
    )
    return _with_ncx("".join(map(_point, wrong)))


def empty_paragraphs() -> bytes:
    return docx(document(run("Chapter 1") + "<w:p/>" * 300_000 + run(PROSE)))


def tiny_paragraphs() -> bytes:
    return docx(document((run("Chapter 1") + run("It rained.")) * 10_000))


def styles_in_a_ring() -> bytes:
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="s{n}"><w:name w:val="n{n}"/>'
        f'<w:basedOn w:val="s{(n + 1) % 50}"/></w:style>'
        for n in range(50)
    )
    word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    told = f'{XML}<w:styles xmlns:w="{word}">{styles}</w:styles>'
    body = run("Chapter 1") + f'<w:p><w:pPr><w:pStyle w:val="s7"/></w:pPr><w:r><w:t>{PROSE}</w:t></w:r></w:p>'
    return zipped([*of(docx_parts(document(body))), entry("word/styles.xml", told.encode())])


def not_xml() -> bytes:
    return docx("<w:document <<< & nothing else")


def markdown(piece: str, size: int = MIB // 4) -> bytes:
    inside = piece * (size // len(piece))
    told = f"# Chapter 1\n\n{PROSE}\n\n{inside}\n\n# Chapter 2\n\n{PROSE}\n"
    return f"---\ntitle: The Quay\n---\n{told}".encode()


MARKDOWN = {
    "brackets": "[",
    "brackets_in_pairs": "[a](",
    "pictures": "![",
    "emphasis": "*a **a ",
    "underscores": "_a __a ",
    "backticks": "`a ``b ",
    "lists": "- ",
    "numbered_lists": "1. a\n",
    "deeper_lists": "* a\n  ",
    "references": "[a]: b\n",
    "footnotes": "[^1]: a\n\n",
    "footnote_marks": "[^1]",
    "html": "<a ",
    "comments": "<!--",
    "entities": "&amp;&lt;&#x0;",
    "links": "<http:",
    "tables": "|a|\n|-|\n",
    "rules": "---\n",
    "hashes": "#",
    "escapes": "\\*",
    "hard_breaks": "a  \n",
    "fences": "```\n",
}

CARRIERS: dict[str, Callable[[Attack], bytes]] = {
    "chapter": in_chapter,
    "package": in_package,
    "container": in_container,
    "html": in_html,
    "docx": in_docx,
    "styles": in_docx_styles,
}

MARKUPS: dict[str, tuple[Build, str]] = {
    **{
        f"{name}_in_{where}": (partial(carrier, ATTACKS[name]), "file_hostile" if where == "docx" else "read")
        for name in ATTACKS
        for where, carrier in CARRIERS.items()
    },
    "scripts": (scripts, "read"),
    "deep_html": (deep_html, "file_hostile"),
    "deep_unclosed_html": (deep_unclosed_html, "file_hostile"),
    "deep_chapter": (deep_chapter, "file_hostile"),
    "deep_docx": (deep_docx, "file_hostile"),
    "many_elements": (many_elements, "read"),
    "many_attributes": (many_attributes, "file_hostile"),
    "misnested": (misnested, "file_hostile"),
    "tables": (tables, "file_hostile"),
    "spine_of_itself": (spine_of_itself, "read"),
    "spine_item_missing": (spine_item_missing, "read"),
    "spine_all_missing": (spine_all_missing, "empty_book"),
    "no_spine": (no_spine, "read"),
    "no_package": (no_package, "file_damaged"),
    "package_of_itself": (package_of_itself, "empty_book"),
    "elsewhere": (elsewhere, "read"),
    "included": (included, "read"),
    "deep_contents": (deep_contents, "file_hostile"),
    "long_contents": (long_contents, "read"),
    "contents_of_nowhere": (contents_of_nowhere, "read"),
    "empty_paragraphs": (empty_paragraphs, "read"),
    "tiny_paragraphs": (tiny_paragraphs, "read"),
    "styles_in_a_ring": (styles_in_a_ring, "read"),
    "not_xml": (not_xml, "file_damaged"),
    **{f"markdown_{name}": (partial(markdown, piece), "read") for name, piece in MARKDOWN.items()},
    "markdown_quotes": (partial(markdown, "> "), "file_hostile"),
}
