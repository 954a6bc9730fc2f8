"""The smallest valid EPUB and DOCX, in parts, from which the hostile ones are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.books.hostile.zips import Entry, of, zipped

PROSE = "It rained on the harbour all that morning, and the boats stayed in, and nobody came. " * 4
CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>'
    '<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/>'
    "</rootfiles></container>"
)
XML = '<?xml version="1.0" encoding="utf-8"?>\n'
XHTML = "application/xhtml+xml"
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_DOCUMENT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
_MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"


def page(body: str, *, before: str = "") -> str:
    """Return an XHTML document; `before` stands between the XML declaration and the root."""
    html = f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Tide</title></head><body>{body}</body></html>'
    return f"{XML}{before}{html}"


def chapter(number: int, body: str = PROSE) -> str:
    return page(f"<h1>Chapter {number}</h1><p>{body}</p>")


def package(
    items: Sequence[str], *, spine: Sequence[int] | None = None, before: str = "", title: str = "The Quay"
) -> str:
    """Return a package that lists these files and reads them in order, or in the given order."""
    manifest = "".join(
        f'<item id="i{n}" href="{href}" media-type="{XHTML}"/>' for n, href in enumerate(items)
    )
    order = range(len(items)) if spine is None else spine
    refs = "".join(f'<itemref idref="i{n}"/>' for n in order)
    return (
        f'{XML}{before}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:identifier id='id'>x</dc:identifier><dc:title>{title}</dc:title>"
        "<dc:creator>A. Hand</dc:creator><dc:language>en</dc:language></metadata>"
        f"<manifest>{manifest}</manifest><spine>{refs}</spine></package>"
    )


def epub_parts(
    chapters: Mapping[str, str] | None = None, *, opf: str | None = None, container: str | None = None
) -> dict[str, bytes]:
    """Return parts by name; every given chapter is in the manifest and in the spine."""
    told = chapters if chapters is not None else {"one.xhtml": chapter(1), "two.xhtml": chapter(2)}
    return {
        "mimetype": b"application/epub+zip",
        "META-INF/container.xml": (container or XML + CONTAINER).encode(),
        "OEBPS/book.opf": (opf or package(list(told))).encode(),
        **{f"OEBPS/{name}": text.encode() for name, text in told.items()},
    }


def epub(
    chapters: Mapping[str, str] | None = None, *, extra: Sequence[Entry] = (), opf: str | None = None
) -> bytes:
    return zipped([*of(epub_parts(chapters, opf=opf)), *extra])


def document(body: str, *, before: str = "") -> str:
    return f'{XML}{before}<w:document xmlns:w="{_WORD}"><w:body>{body}</w:body></w:document>'


def run(text: str) -> str:
    return f'<w:p><w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


def docx_parts(main: str | None = None) -> dict[str, bytes]:
    types = (
        f'{XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{_MAIN}"/></Types>'
    )
    relations = (
        f'{XML}<Relationships xmlns="{_RELATIONS}">'
        f'<Relationship Id="rId1" Type="{_DOCUMENT}" Target="word/document.xml"/></Relationships>'
    )
    told = main or document("".join(run(t) for t in ("Chapter 1", PROSE, "Chapter 2", PROSE)))
    return {
        "[Content_Types].xml": types.encode(),
        "_rels/.rels": relations.encode(),
        "word/document.xml": told.encode(),
    }


def docx(main: str | None = None) -> bytes:
    return zipped(of(docx_parts(main)))
