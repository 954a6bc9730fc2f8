"""Builds small ebooks for tests: an EPUB is given as pages and a table of contents."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO

CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>'
    '<rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/>'
    "</rootfiles></container>"
)
METADATA = "<dc:title>The Quay</dc:title><dc:creator>Ann Hand</dc:creator><dc:language>en</dc:language>"
PROSE = "It rained on the harbour all that morning, and the boats stayed in. " * 6
_XHTML = "application/xhtml+xml"


@dataclass(frozen=True)
class Toc:
    """An entry of a table of contents."""

    title: str
    href: str | None
    within: Sequence[Toc] = ()


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            method = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return buffer.getvalue()


def page(body: str, *, head: str = "<title>page</title>", attributes: str = "") -> str:
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<html xmlns="http://www.w3.org/1999/xhtml" '
        f'xmlns:epub="http://www.idpf.org/2007/ops"><head>{head}</head><body {attributes}>{body}</body>'
        "</html>"
    )


def epub(
    pages: Mapping[str, str | bytes],
    *,
    ncx: Sequence[Toc] = (),
    nav: Sequence[Toc] = (),
    metadata: str = METADATA,
    guide: str = "",
    spine: Sequence[str] | None = None,
    manifest: Mapping[str, str] | None = None,
    extra: Mapping[str, str | bytes | None] | None = None,
) -> bytes:
    """Build an EPUB.

    `manifest` gives hrefs that differ from the names of files; `extra` adds files, or removes them.
    """
    hrefs = {name: (manifest or {}).get(name, name) for name in (*pages, *(spine or ()))}
    items = [f'<item id="{_id(name)}" href="{href}" media-type="{_XHTML}"/>' for name, href in hrefs.items()]
    files: dict[str, str | bytes] = {"mimetype": "application/epub+zip", "META-INF/container.xml": CONTAINER}
    if ncx:
        items.append('<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>')
        files["OEBPS/toc.ncx"] = f"<ncx><navMap>{''.join(map(_point, ncx))}</navMap></ncx>"
    if nav:
        items.append(f'<item id="nav" href="nav.xhtml" media-type="{_XHTML}" properties="nav"/>')
        listed = f'<nav epub:type="toc"><h2>Contents</h2>{_list(nav)}</nav>'
        files["OEBPS/nav.xhtml"] = page(listed)
    refs = "".join(f'<itemref idref="{_id(name)}"/>' for name in (spine or pages))
    toc = ' toc="ncx"' if ncx else ""
    files["OEBPS/content.opf"] = (
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata '
        'xmlns:opf="http://www.idpf.org/2007/opf" '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/">{metadata}</metadata><manifest>{"".join(items)}</manifest>'
        f"<spine{toc}>{refs}</spine><guide>{guide}</guide></package>"
    )
    files |= {f"OEBPS/{name}": content for name, content in pages.items()}
    for name, content in (extra or {}).items():
        files.pop(name, None)
        if content is not None:
            files[name] = content
    return zipped(files)


def _id(name: str) -> str:
    return "i" + "".join(c if c.isalnum() else "-" for c in name)


def _point(entry: Toc) -> str:
    inner = "".join(map(_point, entry.within))
    content = f'<content src="{entry.href}"/>' if entry.href else ""
    return f"<navPoint><navLabel><text>{entry.title}</text></navLabel>{content}{inner}</navPoint>"


def _list(entries: Sequence[Toc]) -> str:
    return f"<ol>{''.join(map(_listed, entries))}</ol>"


def _listed(entry: Toc) -> str:
    said = f'<a href="{entry.href}">{entry.title}</a>' if entry.href else f"<span>{entry.title}</span>"
    return f"<li>{said}{_list(entry.within) if entry.within else ''}</li>"
