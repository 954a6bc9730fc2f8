"""The XML of a Word file: its parts, how they refer to each other, and the names of its elements."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from functools import cache
from io import BytesIO
from typing import Any, Final

from lxml import etree

from books.errors import FileDamaged, FileHostile
from books.formats.archive import Archive
from books.formats.markup import parse_xml
from books.limits import Limits

Element = Any
"""An lxml element; lxml's own type says little about its content."""

_WORD: Final = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "http://purl.oclc.org/ooxml/wordprocessingml/main",
)
_TRANSPARENT: Final = ("http://schemas.openxmlformats.org/officeDocument/2006/math",)
_CHOICE: Final = "http://schemas.openxmlformats.org/markup-compatibility/2006"
_ROOT = "_rels/.rels"
_MAIN = "word/document.xml"
_TOO_MUCH = (etree.ErrorTypes.ERR_RESOURCE_LIMIT, etree.ErrorTypes.ERR_ENTITY_LOOP)
_HARDENED: Final = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False}

_NUMBER: Final = re.compile(r"[0-9]{1,9}")
_PROLOG: Final = 4096
_DECLARES: Final = "The Word file declares a document type, which none has a reason to."


@cache
def _name(tag: str) -> str:
    space, _, local = tag[1:].partition("}")
    if space in _WORD or space in _TRANSPARENT:
        return local
    return f"mc:{local}" if space == _CHOICE else ""


def name_of(element: Element) -> str:
    """Return the name of one of Word's own elements; empty for other elements and for comments."""
    tag = element.tag
    return _name(tag) if isinstance(tag, str) else ""


def child(element: Element | None, *path: str) -> Element | None:
    """Return the first element at this path."""
    for name in path:
        if element is None:
            return None
        element = next((each for each in element if name_of(each) == name), None)
    return element


def value(element: Element | None, key: str = "val") -> str | None:
    """Return the value of one of Word's own attributes."""
    if element is None:
        return None
    return next((got for space in _WORD if (got := element.get(f"{{{space}}}{key}")) is not None), None)


def number_of(element: Element | None, key: str = "val") -> int | None:
    """Return a whole number, if it is one that a program would write."""
    said = value(element, key)
    return int(said) if said is not None and _NUMBER.fullmatch(said) else None


def is_on(element: Element | None) -> bool:
    """Return whether a property is on: present, and not explicitly turned off."""
    return element is not None and (value(element) or "true").lower() not in ("false", "0", "off", "none")


def units(data: bytes, names: Sequence[str]) -> Iterator[Element]:
    """Yield each outermost element with one of these names as it is read, and free it afterwards."""
    if b"<!DOCTYPE" in data[:_PROLOG]:
        raise FileHostile(_DECLARES)
    tags = [f"{{{space}}}{name}" for space in _WORD for name in names]
    events = etree.iterparse(BytesIO(data), events=("start", "end"), tag=tags, **_HARDENED)
    depth = 0
    try:
        for event, element in events:
            depth += 1 if event == "start" else -1
            if depth == 0:
                yield element
                _forget(element)
    except etree.XMLSyntaxError as error:
        raise _refused(error) from error
    _refuse_doctype(events.root)


def _forget(element: Element) -> None:
    """Free an element that was read, and its earlier siblings."""
    parent = element.getparent()
    element.clear(keep_tail=False)
    if parent is not None:
        while parent[0] is not element:
            del parent[0]


def _refused(error: etree.XMLSyntaxError) -> FileHostile | FileDamaged:
    if error.code in _TOO_MUCH:  # type: ignore[attr-defined]  # the stubs leave it out
        return FileHostile("A part of the Word file is nested or grows beyond all measure.")
    return FileDamaged("A part of the Word file is not valid XML.")


def _refuse_doctype(root: Element | None) -> None:
    """Refuse a DOCTYPE: the standard forbids it, and only files that define entities have one."""
    if root is not None and root.getroottree().docinfo.doctype:
        raise FileHostile(_DECLARES)


def main_part(archive: Archive, limits: Limits) -> str:
    """Return the name of the part that holds the text."""
    said = _relations(archive, _ROOT, "", limits).get("officeDocument", _MAIN)
    return archive.find(said) or _MAIN


def neighbours(archive: Archive, part: str, limits: Limits) -> dict[str, str]:
    """Return the parts that a part refers to, by relationship: `styles`, `footnotes`."""
    folder, name = posixpath.split(part)
    return _relations(archive, f"{folder}/_rels/{name}.rels", folder, limits)


def _relations(archive: Archive, name: str, folder: str, limits: Limits) -> dict[str, str]:
    there = archive.find(name)
    if there is None:
        return {}
    found: dict[str, str] = {}
    for each in parse_xml(archive.read(there), limits):
        target, kind = each.get("Target"), each.get("Type")
        if target and kind and each.get("TargetMode") != "External":
            path = target[1:] if target.startswith("/") else posixpath.join(folder, target)
            found.setdefault(kind.rsplit("/", 1)[-1], posixpath.normpath(path))
    return found
