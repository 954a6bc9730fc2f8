"""Detect the format of a file by its content, never by its name."""

from __future__ import annotations

import codecs
import re
import zlib
from functools import cache

from books.errors import EmptyBook, FileDamaged, FileHostile, FileLocked, NotText, UnsupportedFormat
from books.formats.archive import ZIP, directory
from books.formats.packed import GZIP, gunzipped, lone_text, unzipped
from books.limits import Limits
from books.lists import lines

_HEAD = 4096
_SAMPLE = 256 * 1024
_EMPTY_ZIP = b"PK\x05\x06"
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_OLD_OFFICE = bytes.fromhex("d0cf11e0a1b11ae1")
_PASSWORD = "EncryptedPackage".encode("utf-16-le")
"""Part of the old file in which Office packs a new one that has a password."""
_MIMETYPE = re.compile(rb"mimetype(application/[\w.+-]+)")
_BEFORE_MARKUP = re.compile(r"(?:\s++|<!--.*?-->|<\?.*?\?>)*+", re.S)
_HTML = re.compile(r"^[ \t]*(?:<!doctype\s+html|<html[\s>])", re.M | re.I)
_FIRST_TAG = re.compile(r"<(?:!doctype\s+)?([a-z][\w:.-]*)", re.I)
_FRAGMENT_TAG = re.compile(
    r"<(?:p|br|div|h[1-6]|head|body|title|center|hr|a|section|pre|font)\b[^<>]*>", re.I
)
_FEWEST_TAGS = 3
_FRONT_MATTER = re.compile(
    r"---\n(?:[A-Za-z][\w-]*:[^\n]*\n(?:(?:[ \t]|- )[^\n]*\n)*+)++(?:---|\.\.\.)[ \t]*\n"
)
_ATX = re.compile(r"(?:\A|\n[ \t]*\n)#{1,6}[ \t]+[^\s#]")
_SETEXT = re.compile(r"(?:\A|\n[ \t]*\n)\S[^\n]{0,79}\n(?:={3,}|-{3,})[ \t]*\n")
_OTHER_MARKDOWN = re.compile(r"\*\*[^\s*][^*\n]*\*\*|\[[^\]\n]+\]\([^)\s]+\)|^```|^\[\^[^\]\n]+\]:", re.M)
_OTHER_ZIPS = (
    (b".fb2", "an FB2 book in a zip file"),
    (b"xl/workbook", "an Excel file"),
    (b"ppt/presentation", "a PowerPoint file"),
    (b"word/", "a Word file that lacks its text"),
    (b"meta-inf/manifest.mf", "a Java program"),
    (b".jpg", "a zip file of pictures (CBZ?)"),
    (b".png", "a zip file of pictures (CBZ?)"),
)


def detect(data: bytes) -> str:
    """Return the name of the format, as in the registry, without unpacking anything.

    Raises UnsupportedFormat, EmptyBook, FileDamaged, FileLocked.
    """
    if not data:
        raise EmptyBook("The file is empty.")
    if data.startswith((ZIP, _EMPTY_ZIP)):
        return _packed(data)
    if data.startswith(_OLD_OFFICE) and _PASSWORD in data:
        raise FileLocked("The file has a password.", remedy="Save it in Word without a password.")
    for at, signature, what in _signatures():
        if data.startswith(signature, at):
            raise UnsupportedFormat(f"This is {what}, which can't be read.")
    if data.startswith(b"MZ") and b"\x00\x00" in data[:_HEAD]:
        raise UnsupportedFormat("This is a program, which can't be read.")
    return _marked_up(_decoded(data[:_HEAD])) or _plain_or_markdown(data)


def glance(data: bytes) -> None:
    """Refuse cheaply what reading is certain to refuse. Raises the same errors as `detect`."""
    if data.isspace():
        raise EmptyBook("The file holds only white space.")
    if data.startswith(GZIP):
        _glance_into(data)
    elif not (data.startswith(ZIP) and _book(data) is None and lone_text(data, Limits())):
        detect(data)


def unwrapped(data: bytes, limits: Limits) -> bytes:
    """Return the content of a gzip file or of a zip file with one text; return anything else unchanged."""
    if data.startswith(GZIP):
        return gunzipped(data, limits)
    if data.startswith(ZIP) and _book(data) is None:
        return unzipped(data, limits) or data
    return data


def _glance_into(data: bytes) -> None:
    try:
        start = zlib.decompressobj(wbits=31).decompress(data, _HEAD)
    except zlib.error as error:
        raise NotText("The gzip file is damaged.") from error
    if start.startswith(GZIP):
        raise FileHostile("This is a gzip file inside a gzip file.")
    if not start.startswith(b"PK"):  # a zip file lists its entries at its end, which was not unpacked
        detect(start)


@cache
def _signatures() -> tuple[tuple[int, bytes, str], ...]:
    rows = (line.split(maxsplit=2) for line in lines("books", "data/file_signatures.txt"))
    return tuple((int(at), bytes.fromhex(signature), what) for at, signature, what in rows)


def _packed(data: bytes) -> str:
    book = _book(data)
    if book:
        return book
    said = _MIMETYPE.match(data, 30)
    if said and b"opendocument" in said[1]:
        raise UnsupportedFormat("This is an OpenDocument file (ODT), which can't be read.")
    names = directory(data).lower()
    for part, what in _OTHER_ZIPS:
        if part in names:
            raise UnsupportedFormat(f"This is {what}, which can't be read.")
    raise UnsupportedFormat("This is a zip file, and there is no book in it.")


def _book(data: bytes) -> str | None:
    """Return which zip-based book format this is, judged by the names in the directory."""
    said = _MIMETYPE.match(data, 30)
    if said and said[1].startswith(b"application/epub+zip"):
        return "epub"
    try:
        names = directory(data).lower()
    except FileDamaged:
        # The end of the file is missing: the first names in it still show what it was meant to be.
        names = data[:_SAMPLE].lower()
        if b"meta-inf/container.xml" not in names and b"word/" not in names:
            raise
    if b"word/document" in names:
        return "docx"
    return "epub" if b"meta-inf/container.xml" in names or b".opf" in names else None


def _decoded(data: bytes) -> str:
    encoding = "utf-16" if data.startswith(_UTF_16) else "utf-8"
    return data.decode(encoding, "ignore").lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _marked_up(head: str) -> str | None:
    before = _BEFORE_MARKUP.match(head)
    first = _FIRST_TAG.match(head, before.end() if before else 0)
    if _HTML.search(head) or (first and first[1].lower() == "html"):
        return "html"
    if first is None:
        return None
    if head.lstrip().lower().startswith("<?xml") or first[1].lower() == "fictionbook":
        raise UnsupportedFormat(f"This is {_xml_kind(first[1])}, which can't be read.")
    return "html" if len(_FRAGMENT_TAG.findall(head)) >= _FEWEST_TAGS else None


def _xml_kind(root: str) -> str:
    return "an FB2 book" if root.lower() == "fictionbook" else f"an XML file of its own kind ({root})"


def _plain_or_markdown(data: bytes) -> str:
    """Tell plain text from Markdown by headings and front matter only.

    Novels in plain text contain `_emphasis_` and `* * *` as well.
    """
    text = _decoded(data[:_SAMPLE])
    headings = len(_ATX.findall(text))
    if headings >= 2 or _FRONT_MATTER.match(text):
        return "markdown"
    underlined = len(_SETEXT.findall(text))
    return "markdown" if headings + underlined >= 2 and _OTHER_MARKDOWN.search(text) else "text"
