"""What a file is, by its first bytes and never by its name."""

from __future__ import annotations

import zlib

from books.errors import BookTooLarge, EmptyBook, FileHostile, NotText, UnsupportedFormat
from books.limits import MIB, Limits

_REFUSED = (
    (b"PK\x03\x04", "an EPUB, DOCX or other zip file"),
    (b"%PDF", "a PDF"),
    (b"{\\rtf", "an RTF file"),
    (b"\xd0\xcf\x11\xe0", "an old Word file"),
)
_GZIP = b"\x1f\x8b"


def detect(data: bytes) -> str:
    """The name of the format, as the registry knows it, from a few bytes. Raises UnsupportedFormat."""
    if not data:
        raise EmptyBook("The file is empty.")
    for magic, what in _REFUSED:
        if data.startswith(magic):
            raise UnsupportedFormat(f"This is {what}, which can't be read.")
    head = data[:1024].lstrip().lower()
    if head.startswith((b"<!doctype html", b"<html", b"<?xml")):
        raise UnsupportedFormat("This is an HTML or XML file, which can't be read yet.")
    return "text"


_GLANCE = 64 * 1024


def glance(data: bytes) -> None:
    """Refuse at once, and for next to nothing, what reading is sure to refuse. Raises as `detect` does."""
    if not data.startswith(_GZIP):
        detect(data)
        return
    try:
        start = zlib.decompressobj(wbits=31).decompress(data, _GLANCE)
    except zlib.error as error:
        raise NotText("The gzip file is damaged.") from error
    if start.startswith(_GZIP):
        raise FileHostile("This is a gzip file inside a gzip file.")
    if not start.startswith(b"PK"):  # what a zip file holds is said at its end, which was not unpacked
        detect(start)


def unwrapped(data: bytes, limits: Limits) -> bytes:
    """What a gzip file holds; anything else as it is."""
    if not data.startswith(_GZIP):
        return data
    unpacker = zlib.decompressobj(wbits=31)
    try:
        unpacked = unpacker.decompress(data, limits.unpacked)
    except zlib.error as error:
        raise NotText("The gzip file is damaged.") from error
    if unpacker.unconsumed_tail:
        raise BookTooLarge(f"The file unpacks to more than {limits.unpacked // MIB} MiB.")
    if not unpacker.eof:
        raise NotText("The gzip file is cut short.")
    if unpacked.startswith(_GZIP):
        raise FileHostile("This is a gzip file inside a gzip file.")
    return unpacked
