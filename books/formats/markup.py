"""Parse XML and HTML into trees: no entity is expanded, nothing is fetched, no text is lost on the way.

A DOCTYPE is removed before parsing, so that its declarations have no effect. Character references are
replaced by their characters beforehand, because parsers drop the ones they don't know.

All this is done on UTF-8: a text with curly quotes takes half the memory.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from functools import lru_cache

from lxml import etree

from books.encodings import Decoded, decode
from books.errors import EmptyBook, FileDamaged, FileHostile, NotText
from books.formats.markup_words import elements
from books.limits import Limits

_DECLARED = re.compile(
    rb"""<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([\w.:-]+)|<meta\b[^>]{0,500}?\bcharset\s*=\s*["']?\s*([\w.:-]+)""",
    re.I,
)
_DECLARED_WITHIN = 4096
_XML_DECLARATION = re.compile(rb"\s*<\?xml\b[^>]*>")
_DOCTYPE = re.compile(rb"<!DOCTYPE\b", re.I)
_DECLARATIONS = re.compile(
    rb"""(?:[^\[>"']|"[^"]*"|'[^']*')*+(?:\[(?:[^\]"']|"[^"]*"|'[^']*')*+\]\s*)?>""",
)
_REFERENCE = re.compile(rb"&(?:#[xX]?)?[0-9A-Za-z]{0,40};?")
_LEFT_OUT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff\u00ad\u200b\u2060\ufeff]")
"""Characters that XML forbids; and soft hyphens and the like, which hide a name from a search."""
_LEFT_OUT_ASCII = bytes(code for code in range(128) if _LEFT_OUT.match(chr(code)))
_CLOSED_AT_ONCE = re.compile(rb"""<([a-zA-Z][\w:.\x80-\xff-]*+)((?:[^<>"'/]|"[^"]*"|'[^']*'|/(?!>))*+)/>""")
_SWOLLEN = re.compile(rb"""<[a-zA-Z](?:[\s/]++|"[^"]*"|'[^']*'|[^\s/<>"']++){1500}""")
"""An element with hundreds of attributes, which take the parser quadratic time."""
_CDATA, _CDATA_END = b"<![CDATA[", b"]]>"
_ENDS_OF_ALL = re.compile(rb"</(?:body|html)\s*>", re.I)
_VOID = elements("void")
_ENTITY_OR_DOCTYPE = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.I)


def declared_encoding(data: bytes) -> str | None:
    """Return the encoding name that the file itself declares, right or wrong."""
    match = _DECLARED.search(data[:_DECLARED_WITHIN])
    return (match[1] or match[2]).decode("ascii") if match else None


def decoded(data: bytes, *, order: str | None = None) -> Decoded:
    """Return the text of an XML or HTML file; `order` takes precedence over the declared encoding."""
    return decode(data, order=order, declared=declared_encoding(data))


def parse_xml(data: bytes, limits: Limits) -> etree._Element:
    """Parse a file meant for programs: strictly if possible, else as much as can be understood.

    Raises FileDamaged when there is no element in it, FileHostile when it is too deep.
    """
    root = None if _ENTITY_OR_DOCTYPE.search(data) else _parsed(data, _xml_parser(None))
    if root is None:
        source = _plain_references(_text_of(data))
        root = _parsed(source, _xml_parser("utf-8"))
        if root is None:
            parser = _xml_parser("utf-8", recover=True)
            root = _parsed(source, parser)
            _refuse_cut(parser)
    if root is None:
        raise FileDamaged("A file of the book is not XML.")
    return _not_too_deep(root, limits)


def _text_of(data: bytes) -> str:
    try:
        return decoded(data).text
    except (EmptyBook, NotText) as error:
        raise FileDamaged("A file of the book is not XML.") from error


def parse_xhtml(text: str, limits: Limits) -> etree._Element | None:
    """Parse a page of text: as XML if it is well formed, else as HTML.

    None when it holds no element and no text.
    """
    source = _plain_references(text)
    root = _parsed(source, _xml_parser("utf-8"))
    return _not_too_deep(root, limits) if root is not None else _as_html(source, limits)


def parse_html(text: str, limits: Limits) -> etree._Element | None:
    """Parse a page of HTML of any age. None when it holds no element and no text."""
    return _as_html(_plain_references(text), limits)


def _as_html(source: bytes, limits: Limits) -> etree._Element | None:
    parser = etree.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, no_network=True
    )
    # Text after the end of a page is still text, and some files hold several pages in a row.
    source = _replaced(_ENDS_OF_ALL, _nothing, _replaced(_CLOSED_AT_ONCE, _with_end_tag, source))
    if _SWOLLEN.search(source):
        raise FileHostile("The markup gives one element hundreds of attributes.")
    root = _parsed(source, parser)
    _refuse_cut(parser)
    return None if root is None else _not_too_deep(root, limits)


def _xml_parser(encoding: str | None, *, recover: bool = False) -> etree.XMLParser:
    return etree.XMLParser(
        encoding=encoding,
        recover=recover,
        huge_tree=True,
        load_dtd=False,
        no_network=True,
        resolve_entities=False,
        remove_comments=True,
        remove_pis=True,
    )


def _parsed(data: bytes, parser: etree.XMLParser | etree.HTMLParser) -> etree._Element | None:
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError, LookupError):
        return None
    return root if isinstance(root, etree._Element) else None


def _refuse_cut(parser: etree.XMLParser | etree.HTMLParser) -> None:
    """Refuse a page that the parser cut off: at its own limits it stops and silently returns what it has."""
    if any(error.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT for error in parser.error_log):
        raise FileHostile("The markup is nested too deeply, or is too large, to be a book.")


def _not_too_deep(root: etree._Element, limits: Limits) -> etree._Element:
    if root.xpath(f"boolean({'/*' * (limits.depth + 1)})"):
        raise FileHostile(f"The markup is nested more than {limits.depth} elements deep.")
    return root


def _plain_references(text: str) -> bytes:
    """Return the markup without declarations, with characters in place of the references to them."""
    if text.isascii():  # many times as fast
        source = text.encode().translate(None, _LEFT_OUT_ASCII)
    else:
        source = _LEFT_OUT.sub("", text).encode()
    head = _XML_DECLARATION.match(source)
    source = _without_doctype(source, head.end() if head else 0)
    if _CDATA in source:
        source = _without_cdata(source)
    return _replaced(_REFERENCE, _character, source)


def _replaced(pattern: re.Pattern[bytes], by: Callable[[re.Match[bytes]], bytes], source: bytes) -> bytes:
    """Replace as `re.sub` does, without a list of all pieces, which takes more memory than the pieces do."""
    view = memoryview(source)
    done = bytearray()
    at = 0
    for match in pattern.finditer(source):
        done += view[at : match.start()]
        done += by(match)
        at = match.end()
    if not at:
        return source
    done += view[at:]
    return bytes(done)


def _nothing(_: re.Match[bytes]) -> bytes:
    return b""


def _character(reference: re.Match[bytes]) -> bytes:
    return _meant(reference[0])


@lru_cache(maxsize=512)
def _meant(reference: bytes) -> bytes:
    """Return the character of a reference; an undeclared reference stays as it was written."""
    meant = _LEFT_OUT.sub("", html.unescape(reference.decode("ascii")))
    return html.escape(meant, quote=True).encode()


def _without_cdata(source: bytes) -> bytes:
    """Escape CDATA sections: everything in them is text."""
    pieces = []
    at = 0
    while (start := source.find(_CDATA, at)) >= 0:
        end = source.find(_CDATA_END, start)
        if end < 0:
            break
        said = source[start + len(_CDATA) : end].decode()
        pieces += [source[at:start], html.escape(said, quote=True).encode()]
        at = end + len(_CDATA_END)
    return b"".join([*pieces, source[at:]])


def _without_doctype(source: bytes, start: int) -> bytes:
    """Return the source from `start` on without any DOCTYPE."""
    view = memoryview(source)
    found = _DOCTYPE.search(source, start)
    if found is None:
        return bytes(view[start:]) if start else source
    rest = _DECLARATIONS.match(source, found.end())
    end = rest.end() if rest else source.find(b">", found.end()) + 1
    return b"".join((view[start : found.start()], view[end or found.end() :]))


def _with_end_tag(tag: re.Match[bytes]) -> bytes:
    """Add an end tag: `<title/>` is empty in XHTML, but HTML would take the whole page for its content."""
    name = tag[1]
    return tag[0] if name.lower().decode() in _VOID else b"<%b%b></%b>" % (name, tag[2], name)
