"""HTML: one page that holds a whole book, of any age and from any program."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from urllib.parse import unquote

from lxml import etree

from books.errors import EmptyBook
from books.formats.markup import decoded, parse_html, parse_xhtml
from books.formats.markup_walk import Link, Walker, short_text
from books.formats.markup_writer import Writer, Written
from books.formats.metadata import language_code, tidy_authors, tidy_title
from books.limits import Limits
from books.source import Anchor, Block, Role, Source

_XHTML = re.compile(r"\s*<\?xml\b|<html\b[^>]*\bxmlns\s*=", re.I)
_HEAD = 4096
_LONGEST_TITLE = 500
_FEWEST_ENTRIES = 3
_LONGEST_HEADING = 25
"""In words, for a block that the markup does not call a heading."""
_TITLES = ("dc.title", "dcterms.title", "og:title")
_AUTHORS = ("dc.creator", "dcterms.creator", "author", "book:author")
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"


def read(data: bytes, *, limits: Limits, encoding: str | None) -> Source:
    page = decoded(data, order=encoding)
    parse = parse_xhtml if _XHTML.search(page.text[:_HEAD]) else parse_html
    root = parse(page.text, limits)
    page = replace(page, text="")  # the tree holds the text now
    writer = Writer()
    walker = Walker(writer)
    if root is not None:
        walker.page(root, "")
    written = writer.finish()
    if root is None or not written.text:
        raise EmptyBook("The page holds no text.")
    title, author = _metadata(root)
    return Source(
        text=written.text,
        format="html",
        encoding=page.encoding,
        encoding_by=page.by,
        blocks=written.blocks,
        anchors=contents_of(walker.links, written),
        excluded=written.excluded,
        title=title,
        author=author,
        language=language_code(root.get("lang") or root.get(_XML_LANG)),
        warnings=page.warnings,
    )


def _metadata(root: etree._Element) -> tuple[str | None, str | None]:
    """Return title and author from the metadata meant for machines, not from what a browser shows."""
    metas: dict[str, list[str]] = {}
    title = ""
    for element in root.iter():
        name = element.tag.rpartition("}")[2].lower() if isinstance(element.tag, str) else ""
        if name == "title" and not title:
            title = short_text(element, _LONGEST_TITLE) or ""
        elif name == "meta":
            key = (element.get("name") or element.get("property") or "").lower()
            metas.setdefault(key, []).append((element.get("content") or "")[:_LONGEST_TITLE])
        elif name == "body":
            break
    said = next((metas[key][0] for key in _TITLES if key in metas), title)
    tidy, by = tidy_title(said)
    authors = next((metas[key] for key in _AUTHORS if key in metas), [])
    return tidy, tidy_authors(authors) or by


def contents_of(links: Sequence[Link], written: Written) -> tuple[Anchor, ...]:
    """Return successive links that lead forward to what may be headings: a table of contents."""
    found: list[tuple[Link, Block]] = []
    for link, block in _leading_to_blocks(links, written):
        if link.at < block.span.start and (not found or found[-1][1].span.start < block.span.start):
            found.append((link, block))
    if len(found) < _FEWEST_ENTRIES:
        return ()
    top = min(block.level for _, block in found)
    return tuple(Anchor(_title(link, block), block.span.start, block.level - top) for link, block in found)


def _leading_to_blocks(links: Sequence[Link], written: Written) -> Iterator[tuple[Link, Block]]:
    starts = [block.span.start for block in written.blocks]
    for link in links:
        file, _, fragment = link.target.partition("#")
        at = written.places.get(("", unquote(fragment))) if fragment and not file else None
        if at is None or at >= len(written.text):
            continue
        block = written.blocks[bisect_left(starts, at)]
        prose = block.role in (Role.TEXT, Role.UNKNOWN) and block.words <= _LONGEST_HEADING
        if block.role is Role.HEADING or prose:
            yield link, block


def _title(link: Link, block: Block) -> str:
    """Return the link's text, or the heading's where the link is only a page number."""
    said = any(map(str.isalpha, link.text))
    return link.text if said else " ".join(block.text.split())
