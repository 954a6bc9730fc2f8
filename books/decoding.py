"""From bytes to text: which encoding, and whether this is text at all."""

from __future__ import annotations

import codecs
import zlib
from dataclasses import dataclass

from books.errors import BookTooLarge, EmptyBook, NotText, UnsupportedFormat

MAX_UNPACKED = 256 * 1024 * 1024

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_MAGIC = (
    (b"PK\x03\x04", "an EPUB, DOCX or other zip file"),
    (b"%PDF", "a PDF"),
    (b"{\\rtf", "an RTF file"),
    (b"\xd0\xcf\x11\xe0", "an old Word file"),
)
_GZIP = b"\x1f\x8b"
_TEXT_CONTROLS = frozenset("\t\n\r\f\v\x1a\x85")
_MAX_CONTROL_SHARE = 0.001


@dataclass(frozen=True, slots=True)
class Decoded:
    text: str
    encoding: str
    warnings: tuple[str, ...]


def decode(data: bytes) -> Decoded:
    """The text with line ends made `\\n`; raises when this is not text at all."""
    data = _unpacked(data)
    _refuse_other_formats(data)
    encoding, skip = _encoding_of(data)
    try:
        text = data[skip:].decode(encoding)
    except UnicodeDecodeError as error:
        raise NotText(
            f"The file says that it is {encoding} but is not valid at byte {error.start}."
        ) from error
    _refuse_binary(text)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise EmptyBook("The file holds no text.")
    warnings = () if encoding.startswith("utf") else (f"Not valid UTF-8, so it was read as {encoding}.",)
    return Decoded(text, encoding, warnings)


def _unpacked(data: bytes) -> bytes:
    """Gzip is unpacked with a limit that is counted while unpacking: declared sizes can lie."""
    if not data:
        raise EmptyBook("The file is empty.")
    if not data.startswith(_GZIP):
        return data
    unpacker = zlib.decompressobj(wbits=31)
    try:
        unpacked = unpacker.decompress(data, MAX_UNPACKED)
    except zlib.error as error:
        raise NotText("The gzip file is damaged.") from error
    if unpacker.unconsumed_tail:
        raise BookTooLarge(f"The file unpacks to more than {MAX_UNPACKED // 2**20} MiB.")
    if not unpacker.eof:
        raise NotText("The gzip file is cut short.")
    return unpacked


def _refuse_other_formats(data: bytes) -> None:
    for magic, what in _MAGIC:
        if data.startswith(magic):
            raise UnsupportedFormat(f"This is {what}, which can't be read yet.")
    head = data[:1024].lstrip().lower()
    if head.startswith((b"<!doctype html", b"<html", b"<?xml")):
        raise UnsupportedFormat("This is an HTML or XML file, which can't be read yet.")


def _encoding_of(data: bytes) -> tuple[str, int]:
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return encoding, len(bom)
    if b"\x00" in data:
        raise NotText("The file holds NUL bytes, so it is not text.")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252" if _fits_cp1252(data) else "latin-1", 0
    return "utf-8", 0


def _fits_cp1252(data: bytes) -> bool:
    try:
        data.decode("cp1252")
    except UnicodeDecodeError:
        return False
    return True


def _refuse_binary(text: str) -> None:
    controls = sum(1 for c in text if (c < " " or "\x7f" <= c <= "\x9f") and c not in _TEXT_CONTROLS)
    if controls > _MAX_CONTROL_SHARE * len(text):
        raise NotText("The file is full of control characters, so it is not text.")
