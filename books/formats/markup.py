"""XML and HTML made into trees: no entity is expanded, nothing is fetched, no text is lost on the way.

A DOCTYPE is taken out before parsing, so that nothing it declares can do anything; references to characters
are put in for what they stand for beforehand, because parsers drop the ones they don't know.
"""

from __future__ import annotations

import html
import re
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
_XML_DECLARATION = re.compile(r"\s*<\?xml\b[^>]*>")
_DOCTYPE = re.compile(r"<!DOCTYPE\b", re.I)
_DECLARATIONS = re.compile(
    r"""(?:[^\[>"']|"[^"]*"|'[^']*')*+(?:\[(?:[^\]"']|"[^"]*"|'[^']*')*+\]\s*)?>""",
)
_REFERENCE = re.compile(r"&(?:#[xX]?)?[0-9A-Za-z]{0,40};?")
_LEFT_OUT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff\u00ad\u200b\u2060\ufeff]")
"""What XML forbids; and soft hyphens and the like, which hide a name from whoever looks for it."""
_CLOSED_AT_ONCE = re.compile(r"""<([a-zA-Z][\w:.-]*+)((?:[^<>"'/]|"[^"]*"|'[^']*'|/(?!>))*+)/>""")
_SWOLLEN = re.compile(r"""<[a-zA-Z](?:[\s/]++|"[^"]*"|'[^']*'|[^\s/<>"']++){1500}""")
"""An element with hundreds of attributes, which take the parser quadratic time."""
_CDATA, _CDATA_END = "<![CDATA[", "]]>"
_ENDS_OF_ALL = re.compile(r"</(?:body|html)\s*>", re.I)
_VOID = elements("void")
_ENTITY_OR_DOCTYPE = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.I)


def declared_encoding(data: bytes) -> str | None:
    """The name of an encoding as the file itself gives it, right or wrong."""
    match = _DECLARED.search(data[:_DECLARED_WITHIN])
    return (match[1] or match[2]).decode("ascii") if match else None


def decoded(data: bytes, *, order: str | None = None) -> Decoded:
    """The text of an XML or HTML file; the order wins over the file's own word."""
    return decode(data, order=order, declared=declared_encoding(data))


def parse_xml(data: bytes, limits: Limits) -> etree._Element:
    """A file that is meant for programs: strictly if that goes, else as much as can be understood.

    Raises FileDamaged when there is no element in it, FileHostile when it is too deep.
    """
    root = None if _ENTITY_OR_DOCTYPE.search(data) else _parsed(data, _xml_parser(None))
    if root is None:
        source = _plain_references(_text_of(data)).encode()
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
    """A page of text: as XML if it is, else as HTML. None when it holds no element and no text."""
    text = _plain_references(text)
    root = _parsed(text.encode(), _xml_parser("utf-8"))
    return _not_too_deep(root, limits) if root is not None else _as_html(text, limits)


def parse_html(text: str, limits: Limits) -> etree._Element | None:
    """A page that is HTML of any age. None when it holds no element and no text."""
    return _as_html(_plain_references(text), limits)


def _as_html(text: str, limits: Limits) -> etree._Element | None:
    parser = etree.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, no_network=True
    )
    # What stands after the end of a page is still text, and some files hold several pages in a row.
    text = _ENDS_OF_ALL.sub("", _CLOSED_AT_ONCE.sub(_with_end_tag, text))
    if _SWOLLEN.search(text):
        raise FileHostile("The markup gives one element hundreds of attributes.")
    root = _parsed(text.encode(), parser)
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
    """The parser stops at its own limits and gives what it has: a cut that nobody would see."""
    if any(error.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT for error in parser.error_log):
        raise FileHostile("The markup is nested too deep, or too large, to be a book's.")


def _not_too_deep(root: etree._Element, limits: Limits) -> etree._Element:
    if root.xpath(f"boolean({'/*' * (limits.depth + 1)})"):
        raise FileHostile(f"The markup is nested more than {limits.depth} elements deep.")
    return root


def _plain_references(text: str) -> str:
    """The markup without declarations, and with characters where references to them stood."""
    head = _XML_DECLARATION.match(text)
    text = text[head.end() :] if head else text
    text = _without_doctype(text)
    if _CDATA in text:
        text = _without_cdata(text)
    if "&" in text:
        text = _REFERENCE.sub(_character, text)
    return _LEFT_OUT.sub("", text)


def _character(reference: re.Match[str]) -> str:
    return _meant(reference[0])


@lru_cache(maxsize=512)
def _meant(reference: str) -> str:
    """What nobody declared stays as it was written."""
    return html.escape(html.unescape(reference), quote=True)


def _without_doctype(text: str) -> str:
    start = _DOCTYPE.search(text)
    if start is None:
        return text
    rest = _DECLARATIONS.match(text, start.end())
    end = rest.end() if rest else text.find(">", start.end()) + 1
    return text[: start.start()] + text[end or start.end() :]


def _without_cdata(text: str) -> str:
    pieces = []
    at = 0
    while (start := text.find(_CDATA, at)) >= 0:
        end = text.find(_CDATA_END, start)
        if end < 0:
            break
        pieces += [text[at:start], html.escape(text[start + len(_CDATA) : end], quote=True)]
        at = end + len(_CDATA_END)
    return "".join([*pieces, text[at:]])


def _with_end_tag(tag: re.Match[str]) -> str:
    """`<title/>` has no content in XHTML, but HTML would take the whole page for its content."""
    name = tag[1]
    return tag[0] if name.lower() in _VOID else f"<{name}{tag[2]}></{name}>"
