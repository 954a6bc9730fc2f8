"""Small valid files of every format that exercise all that the readers look at."""

from __future__ import annotations

import gzip
from collections.abc import Callable

from tests.books.hostile.carriers import PROSE, XML, document, docx_parts, epub_parts, package, page, run
from tests.books.hostile.zips import entry, of, zipped

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"

TEXT = (
    "*** START OF THE PROJECT GUTENBERG EBOOK THE QUAY ***\n\nTHE QUAY\n\nby A. Hand\n\nCONTENTS\n\n"
    f"Chapter 1\nChapter 2\n\nChapter 1\n\n{PROSE}\n\n[Illustration: The sea]\n\n{PROSE}[1]\n\n"
    f"    The tide is out,\n    The tide is in,\n    The boats go out.\n\n[1] On foot.\n\n12\n\n"
    f"Chapter 2\n\n“Come in,” he said. {PROSE}\n\n* * *\n\nTHE END\n\n"
    "*** END OF THE PROJECT GUTENBERG EBOOK THE QUAY ***\n\nThe licence.\n"
).encode()
PLAY = (
    "HAMLET\n\nACT I\n\nSCENE I. The harbour.\n\n[Enter ANNA and PETER.]\n\n"
    + "ANNA.\nIt rained all day. [Aside.] He lies.\n\nPETER. Who's there?\n\n" * 12
    + "SCENE II. The quay.\n\n"
    + "ANNA.\nThe boats are out.\n\nPETER.\nSo they are. [Exit.]\n\n" * 12
).encode()
CHINESE = (
    f"第一章 雨\n\n{'雨下了一整天，港口里没有人。' * 20}\n\n第二章 海\n\n{'她说：“他来了。”' * 30}\n".encode(
        "gb18030"
    )
)
MARKDOWN = (
    f"---\ntitle: The Quay\nauthor: [A. Hand]\n---\n\n# Chapter 1\n\n{PROSE}[^1]\n\n"
    "> The tide is out,  \n"
    f"> the tide is in.\n\n1. one\n   - two\n\n| a | b |\n|---|---|\n| c | *d* |\n\n"
    "<div align=center>\n<b>e</b>\n"
    f"</div>\n\n```\ncode\n```\n\n[^1]: On [foot](x 'y').\n\nChapter 2\n=========\n\n"
    f"{PROSE} ![s](x) `c` &amp; <i>f</i>\n"
).encode()
HTML = (
    "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>The Quay</title></head><body>"
    f"<h1 id=a>Chapter 1</h1><p class=x>{PROSE}<a href='#n'><sup>1</sup></a></p><pre>The tide\n is out</pre>"
    f"<table><tr><td>a<td>b</table><h1>Chapter 2</h1><p>{PROSE}&nbsp;&#x201C;No&rdquo;<br>no<!-- c --></p>"
    "<div class=poem><p>The tide</p></div><aside epub:type=footnote id=n>1. On foot.</aside></body></html>"
).encode()


def epub() -> dict[str, bytes]:
    chapters = {
        "one.xhtml": page(f"<h1 id='a'>Chapter 1</h1><p>{PROSE}<a href='two.xhtml#n'><sup>1</sup></a></p>"),
        "two.xhtml": page(f"<h1>Chapter 2</h1><p>{PROSE}</p><aside id='n'><p>1. On foot.</p></aside>"),
    }
    ncx = (
        f'{XML}<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>'
        + "".join(
            f'<navPoint id="p{n}"><navLabel><text>Chapter {n}</text></navLabel>'
            f'<content src="{name}#a"/></navPoint>'
            for n, name in enumerate(chapters, 1)
        )
        + "</navMap></ncx>"
    )
    item = '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/></manifest>'
    opf = package(list(chapters)).replace("</manifest>", item).replace("<spine>", '<spine toc="ncx">')
    return {**epub_parts(chapters, opf=opf), "OEBPS/toc.ncx": ncx.encode()}


def docx() -> dict[str, bytes]:
    body = (
        '<w:p><w:pPr><w:pStyle w:val="h"/></w:pPr><w:r><w:t>Chapter 1</w:t></w:r></w:p>'
        f'<w:p><w:r><w:t>{PROSE}</w:t><w:footnoteReference w:id="1"/><w:br/><w:t>ever</w:t></w:r></w:p>'
        f"<w:tbl><w:tr><w:tc>{run('a')}</w:tc><w:tc>{run('b')}</w:tc></w:tr></w:tbl>"
        f"{run('Chapter 2')}{run(PROSE)}"
    )
    styles = (
        f'{XML}<w:styles xmlns:w="{_WORD}">'
        '<w:style w:type="paragraph" w:styleId="h"><w:name w:val="heading 1"/>'
        '<w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style></w:styles>'
    )
    note = f'<w:footnote w:id="1">{run("On foot.")}</w:footnote>'
    notes = f'{XML}<w:footnotes xmlns:w="{_WORD}">{note}</w:footnotes>'
    return {
        **docx_parts(document(body)),
        "word/styles.xml": styles.encode(),
        "word/footnotes.xml": notes.encode(),
    }


PLAIN = {
    "text": TEXT,
    "play": PLAY,
    "chinese": CHINESE,
    "utf16": TEXT.decode().encode("utf-16"),
    "gzip": gzip.compress(TEXT, mtime=0),
    "markdown": MARKDOWN,
    "html": HTML,
    "epub": zipped(of(epub())),
    "docx": zipped(of(docx())),
}
PACKED: dict[str, Callable[[], dict[str, bytes]]] = {"epub": epub, "docx": docx}


def with_part(parts: dict[str, bytes], name: str, data: bytes) -> bytes:
    """Return the archive with one part changed and correct checksums.

    Otherwise no reader would look at it.
    """
    return zipped([entry(each, data if each == name else old) for each, old in parts.items()])
