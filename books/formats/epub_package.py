"""The package document of an EPUB: metadata, the files of the book, and their order."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from lxml import etree

from books.errors import FileDamaged, FileLocked
from books.formats.archive import Archive
from books.formats.markup import parse_xml
from books.formats.markup_words import Word, words_of_type
from books.formats.metadata import language_code, tidy_authors, tidy_title, turned_round
from books.limits import Limits

CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_FONT_OBFUSCATION = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
_OPF = "{http://www.idpf.org/2007/opf}"
_PAGE = re.compile(r"\.(?:x?html?|xml)$", re.I)
_PAGE_TYPES = frozenset(
    ("application/xhtml+xml", "text/html", "text/x-oeb1-document", "application/x-dtbook+xml")
)
_NCX_TYPE = "application/x-dtbncx+xml"
_REMOTE = re.compile(r"[a-z][a-z0-9+.-]*:", re.I)


@dataclass(frozen=True, slots=True)
class Package:
    spine: tuple[str, ...]
    """Names of files in the archive; non-linear ones come last."""
    missing: tuple[str, ...]
    """Files of the spine that the archive lacks."""
    nav: str | None
    ncx: str | None
    guide: Mapping[str, frozenset[Word]]
    """The roles that the package gives to whole files."""
    covers: frozenset[str]
    title: str | None
    author: str | None
    language: str | None


@dataclass(frozen=True, slots=True)
class _Item:
    path: str | None
    href: str
    type: str
    properties: tuple[str, ...]

    @property
    def is_page(self) -> bool:
        return self.type in _PAGE_TYPES or bool(_PAGE.search(self.href) and self.type != _NCX_TYPE)


def local(element: etree._Element) -> str:
    tag = element.tag
    return tag.rpartition("}")[2].lower() if isinstance(tag, str) else ""


def named(root: etree._Element, *names: str) -> Iterator[etree._Element]:
    """Yield the descendants with one of these names, in any namespace."""
    return (element for element in root.iter() if local(element) in names)


def resolve(archive: Archive, base: str, href: str) -> tuple[str | None, str]:
    """Return the file that a link in the file `base` leads to, and the fragment."""
    path, _, fragment = href.strip().partition("#")
    fragment = unquote(fragment)
    if not path:
        return base, fragment
    if _REMOTE.match(path):
        return None, fragment
    for way in (unquote(path), path):
        name = posixpath.normpath(posixpath.join(posixpath.dirname(base), way)).lstrip("/")
        if found := archive.find(name):
            return found, fragment
    return None, fragment


def open_package(archive: Archive, limits: Limits) -> Package:
    path = _package_file(archive, limits)
    root = parse_xml(archive.read(path), limits)
    items = dict(_manifest(root, archive, path))
    spine, missing = _spine(root, items, archive)
    _refuse_locked(archive, spine, limits)
    guide, covers = _guide(root, archive, path)
    covers |= {item.path for item in items.values() if item.path and "cover" in item.properties}
    title, author, language = _about(root)
    return Package(
        spine=spine,
        missing=missing,
        nav=next((item.path for item in items.values() if "nav" in item.properties), None),
        ncx=_ncx(root, items, archive),
        guide=guide,
        covers=frozenset(covers),
        title=title,
        author=author,
        language=language,
    )


def _package_file(archive: Archive, limits: Limits) -> str:
    for rootfile in _rootfiles(archive, limits):
        found, _ = resolve(archive, "", rootfile.get("full-path") or "")
        if found:
            return found
    packages = sorted((name for name in archive.names if name.lower().endswith(".opf")), key=len)
    if not packages:
        raise FileDamaged("The EPUB has no package file, which lists its contents.")
    return packages[0]


def _rootfiles(archive: Archive, limits: Limits) -> list[etree._Element]:
    """Return the package files that the container names.

    The result is empty when the container is missing or broken: the package can be found without it.
    """
    container = archive.find(CONTAINER)
    try:
        return list(named(parse_xml(archive.read(container), limits), "rootfile")) if container else []
    except FileDamaged:
        return []


def _manifest(root: etree._Element, archive: Archive, base: str) -> Iterator[tuple[str, _Item]]:
    for item in named(root, "item"):
        href = item.get("href") or ""
        path, _ = resolve(archive, base, href)
        properties = tuple((item.get("properties") or "").split())
        yield item.get("id") or "", _Item(path, href, (item.get("media-type") or "").lower(), properties)


def _spine(
    root: etree._Element, items: Mapping[str, _Item], archive: Archive
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    refs = sorted(named(root, "itemref"), key=lambda ref: (ref.get("linear") or "").lower() == "no")
    chosen = [items[ref.get("idref") or ""] for ref in refs if ref.get("idref") in items]
    pages = [item for item in chosen if item.is_page]
    if not any(item.path for item in pages):
        pages = [item for item in items.values() if item.is_page]
    found = dict.fromkeys(item.path for item in pages if item.path)
    if not found:
        found = dict.fromkeys(sorted(name for name in archive.names if _PAGE.search(name)))
    return tuple(found), tuple(item.href for item in pages if not item.path)


def _ncx(root: etree._Element, items: Mapping[str, _Item], archive: Archive) -> str | None:
    spine = next(named(root, "spine"), None)
    listing = items.get((spine.get("toc") if spine is not None else None) or "")
    if listing and listing.path:
        return listing.path
    typed = next((item.path for item in items.values() if item.type == _NCX_TYPE and item.path), None)
    return typed or next((name for name in archive.names if name.lower().endswith(".ncx")), None)


def _guide(root: etree._Element, archive: Archive, base: str) -> tuple[dict[str, frozenset[Word]], set[str]]:
    guide: dict[str, frozenset[Word]] = {}
    covers: set[str] = set()
    for reference in named(root, "reference"):
        path, fragment = resolve(archive, base, reference.get("href") or "")
        kind = reference.get("type") or ""
        if path and not fragment:
            guide[path] = guide.get(path, frozenset()) | words_of_type(kind)
            if kind.lower() == "cover":
                covers.add(path)
    return guide, covers


def _about(root: etree._Element) -> tuple[str | None, str | None, str | None]:
    metadata = next(named(root, "metadata"), None)
    if metadata is None:
        return None, None, None
    refined = {
        ((meta.get("refines") or "").lstrip("#"), meta.get("property")): (meta.text or "").strip()
        for meta in named(metadata, "meta")
    }

    def said(element: etree._Element, name: str) -> str | None:
        here = element.get("id") or "", name
        return element.get(f"{_OPF}{name}") or element.get(name) or refined.get(here)

    creators = [
        ("".join(map(str, e.itertext())), said(e, "role"), said(e, "file-as"))
        for e in named(metadata, "creator")
    ]
    authors = [creator for creator in creators if creator[1] == "aut"] or creators
    names = [turned_round(name) if name == sorted_as else name for name, _, sorted_as in authors]
    titles = ["".join(map(str, e.itertext())) for e in named(metadata, "title")]
    title, by = tidy_title(titles[0] if titles else None)
    language = next((language_code(e.text) for e in named(metadata, "language")), None)
    return title, tidy_authors(names) or by, language


def _refuse_locked(archive: Archive, spine: tuple[str, ...], limits: Limits) -> None:
    """Refuse encrypted pages; obfuscated fonts are allowed."""
    path = archive.find(_ENCRYPTION)
    if path is None:
        return
    for encrypted in named(parse_xml(archive.read(path), limits), "encrypteddata"):
        methods = [method.get("Algorithm") for method in named(encrypted, "encryptionmethod")]
        if any(method in _FONT_OBFUSCATION for method in methods):
            continue
        for reference in named(encrypted, "cipherreference"):
            if resolve(archive, "", reference.get("URI") or "")[0] in spine:
                raise FileLocked("The EPUB is under copy protection (DRM).")
