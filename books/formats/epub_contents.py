"""The table of contents of an EPUB, from its navigation document (EPUB 3) or its NCX (EPUB 2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from lxml import etree

from books.encodings import composed
from books.formats.archive import Archive
from books.formats.epub_package import Package, local, named, resolve
from books.formats.markup import decoded, parse_xhtml, parse_xml
from books.formats.markup_words import types_of
from books.limits import Limits
from books.source import Anchor

_MOST_ENTRIES = 20_000


@dataclass(frozen=True, slots=True)
class Entry:
    title: str
    file: str | None
    """None for a title without a link of its own, such as a part's."""
    fragment: str
    depth: int


def entries(archive: Archive, package: Package, limits: Limits) -> list[Entry]:
    """Return the entries in the order of the table of contents."""
    found: list[Entry] = []
    if package.nav:
        root = parse_xhtml(decoded(archive.read(package.nav)).text, limits)
        found = _first(_from_nav(root, archive, package.nav)) if root is not None else []
    if not any(entry.file for entry in found) and package.ncx:
        found = _first(_from_ncx(parse_xml(archive.read(package.ncx), limits), archive, package.ncx))
    return found


def _first(found: Iterator[Entry]) -> list[Entry]:
    return list(islice(found, _MOST_ENTRIES))


def _from_nav(root: etree._Element, archive: Archive, base: str) -> Iterator[Entry]:
    navs = list(named(root, "nav"))
    marked = [nav for nav in navs if "toc" in types_of(nav)]
    for nav in (marked or navs)[:1]:
        for item, depth in _nested(nav, "li"):
            yield _entry(item, "a", "href", depth, archive, base)


def _from_ncx(root: etree._Element, archive: Archive, base: str) -> Iterator[Entry]:
    for point, depth in _nested(next(named(root, "navmap"), root), "navpoint"):
        yield _entry(point, "content", "src", depth, archive, base)


def _nested(top: etree._Element, name: str) -> Iterator[tuple[etree._Element, int]]:
    """Yield the elements with this name in document order, with their depth among elements of that name."""
    depth = -1
    for event, element in etree.iterwalk(top, events=("start", "end")):
        if local(element) == name and element is not top:
            depth += 1 if event == "start" else -1
            if event == "start":
                yield element, depth


def _entry(
    element: etree._Element, link: str, attribute: str, depth: int, archive: Archive, base: str
) -> Entry:
    """Return the entry itself, without the entries nested in it."""
    title, href = "", None
    for child in element:
        name = local(child)
        if name in (local(element), "ol", "ul"):
            break
        for part in (child, *child.iterdescendants()):
            if local(part) == link and href is None:
                href = part.get(attribute)
        title = title or " ".join("".join(map(str, child.itertext())).split())
    file, fragment = resolve(archive, base, href) if href else (None, "")
    return Entry(composed(title), file, fragment, depth)


def anchors(found: Sequence[Entry], places: Mapping[tuple[str, str], int], end: int) -> tuple[Anchor, ...]:
    """Return the places that the entries point to. An entry that leads nowhere takes the place of the next
    entry nested in it, or is left out.
    """
    anchored: list[Anchor] = []
    waiting: list[Entry] = []
    for entry in found:
        waiting = [w for w in waiting if w.depth < entry.depth]
        if entry.file is None:
            waiting.append(entry)
            continue
        at = places.get((entry.file, entry.fragment), places.get((entry.file, "")))
        if at is None or at >= end:
            continue
        anchored += [Anchor(e.title, at, e.depth) for e in (*waiting, entry) if e.title]
        waiting = []
    return tuple(sorted(dict.fromkeys(anchored), key=lambda anchor: anchor.offset))
