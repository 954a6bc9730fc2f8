"""Archives that unpack without end, declare false sizes, or contain paths outside themselves."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from tests.books.hostile.carriers import chapter, docx_parts, epub, epub_parts, package, page
from tests.books.hostile.zips import (
    AES,
    ENCRYPTED,
    STORED,
    SYMLINK,
    Entry,
    changed,
    deflated,
    entry,
    of,
    of_zeros,
    zipped,
)

MIB = 1 << 20
ONE = "OEBPS/one.xhtml"


def _epub_with(first: Entry) -> bytes:
    """Return a valid EPUB except for its first chapter."""
    return zipped([first if e.name == first.name else e for e in of(epub_parts())])


def bomb_of_zeros() -> bytes:
    return _epub_with(of_zeros(ONE, 300 * MIB))


def bomb_in_docx() -> bytes:
    parts = of(docx_parts())
    return zipped([*parts[:-1], of_zeros("word/document.xml", 300 * MIB)])


def bomb_in_what_is_not_read() -> bytes:
    """A picture that no reader opens costs nothing."""
    return epub(extra=[of_zeros("OEBPS/sea.png", 300 * MIB)])


def bomb_of_many() -> bytes:
    """Three hundred chapters that each unpack to a mebibyte, within the ratio."""
    names = [f"c{n}.xhtml" for n in range(300)]
    filler = "It rained. " * 90 + " " * 400
    big = entry("x", page("<p>" + filler * (MIB // len(filler)) + "</p>").encode())
    parts = of(epub_parts({}, opf=package(names)))
    return zipped([*parts, *(replace(big, name=f"OEBPS/{name}".encode()) for name in names)])


def bomb_that_lies() -> bytes:
    """Declares ten bytes, contains three hundred mebibytes."""
    return _epub_with(replace(of_zeros(ONE, 300 * MIB), size=10))


def says_too_much() -> bytes:
    """Declares four gibibytes, contains a page."""
    return zipped(changed(of(epub_parts()), ONE, size=0xFFFF_FFF0))


def nested() -> bytes:
    """Zip files in zip files, and no book."""
    inner = zipped([of_zeros("zeros", 16 * MIB)])
    for depth in range(5):
        inner = zipped([entry(f"lib {depth}{n}.zip", inner) for n in range(16)])
    return inner


def nested_as_chapter() -> bytes:
    return _epub_with(entry(ONE, nested()))


def overlapping() -> bytes:
    """Many names for the same bytes: a small file unpacks to a large one."""
    names = [f"c{n}.xhtml" for n in range(1, 2_000)]
    body = entry(ONE, page("<p>" + "It rained. " * (MIB // 11) + "</p>").encode())
    parts = of(epub_parts({}, opf=package(["one.xhtml", *names])))
    at = len(zipped(parts)) - _directory_size(parts)
    return zipped([*parts, body, *(replace(body, name=f"OEBPS/{n}".encode(), at=at) for n in names)])


def _directory_size(entries: list[Entry]) -> int:
    return 22 + sum(46 + len(e.name) for e in entries)


def holds_itself() -> bytes:
    """A stored entry whose bytes are the archive's own."""
    parts = of(epub_parts())
    whole = zipped(parts)
    itself = Entry(ONE.encode(), b"", zlib.crc32(whole), len(whole), STORED, at=0)
    return zipped([*(e for e in parts if e.name != ONE.encode()), itself])


def traversing() -> bytes:
    """Names that lead out of the folder that they would be unpacked to."""
    names = ("../../../../etc/passwd", "/etc/passwd", "C:\\Windows\\win.ini", "..\\..\\x", "a/../../b")
    return epub(extra=[entry(name, b"root:x:0:0") for name in names])


def traversing_chapter() -> bytes:
    """The chapter itself has such a name, and the package refers to it by that name."""
    parts = epub_parts({}, opf=package(["../../../../etc/passwd", "one.xhtml"]))
    chapters = {"../../../etc/passwd": chapter(1).encode(), ONE: chapter(2).encode()}
    return zipped(of({**parts, **chapters}))


def symlink() -> bytes:
    """The first chapter is a link to a file of the machine."""
    return _epub_with(replace(entry(ONE, b"/etc/passwd", method=STORED), attributes=SYMLINK))


def many_entries() -> bytes:
    tiny = Entry(b"", b"", 0, 0, STORED)
    return zipped([*of(epub_parts()), *(replace(tiny, name=b"OEBPS/%d" % n) for n in range(200_000))])


def cut(share: float) -> bytes:
    whole = epub()
    return whole[: int(share * len(whole))]


def without_its_last_byte() -> bytes:
    return epub()[:-1]


def bad_checksum() -> bytes:
    return zipped(changed(of(epub_parts()), ONE, crc=0xBAD))


def bad_stream() -> bytes:
    return zipped(changed(of(epub_parts()), ONE, packed=b"\xff" * 400))


def short_stream() -> bytes:
    whole = deflated([chapter(1).encode()])
    return zipped(changed(of(epub_parts()), ONE, packed=whole[:-20]))


def encrypted() -> bytes:
    return zipped([replace(e, flags=e.flags | ENCRYPTED) for e in of(epub_parts())])


def encrypted_chapter() -> bytes:
    return zipped(changed(of(epub_parts()), ONE, flags=ENCRYPTED))


def encrypted_with_aes() -> bytes:
    return zipped(changed(of(epub_parts()), ONE, flags=ENCRYPTED, method=AES))


def unknown_method() -> bytes:
    return zipped(changed(of(epub_parts()), ONE, method=97))


def twice_the_same_name() -> bytes:
    return epub(extra=[entry(ONE, chapter(9, "Another story stands here. " * 20).encode())])


def nul_in_a_name() -> bytes:
    return epub(extra=[entry("OEBPS/one.xhtml\x00.png", b"x")])


def name_in_no_encoding() -> bytes:
    return epub(extra=[replace(entry("x", b"x"), name=b"OEBPS/\xff\xfe\x81.xhtml")])


def directory_elsewhere() -> bytes:
    """The end record points past the end of the file."""
    whole = bytearray(epub())
    whole[-6:-2] = b"\xff\xff\xff\x7f"
    return bytes(whole)


def entry_elsewhere() -> bytes:
    """The directory gives an entry a position past the end of the file."""
    parts = of(epub_parts())
    return zipped([replace(e, at=0x7FFF_FFFF) if e.name == ONE.encode() else e for e in parts])


def no_entries() -> bytes:
    return zipped([])


def no_book() -> bytes:
    return zipped([entry("notes.csv", b"a,b\n1,2\n")])


def drm() -> bytes:
    """Digital rights management: the chapters are encrypted, and a file declares it."""
    method = "http://www.w3.org/2001/04/xmlenc#aes128-cbc"
    told = (
        '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
        '<EncryptedData xmlns="http://www.w3.org/2001/04/xmlenc#">'
        f'<EncryptionMethod Algorithm="{method}"/><CipherData><CipherReference URI="{ONE}"/></CipherData>'
        "</EncryptedData></encryption>"
    )
    rights = entry("META-INF/encryption.xml", told.encode())
    noise = bytes(n * 37 % 251 for n in range(4_000))
    return zipped([*changed(of(epub_parts()), ONE, packed=noise, size=4_000, method=STORED), rights])


ARCHIVES: dict[str, tuple[Callable[[], bytes], str]] = {
    "bomb_of_zeros": (bomb_of_zeros, "book_too_large"),
    "bomb_in_docx": (bomb_in_docx, "book_too_large"),
    "bomb_in_what_is_not_read": (bomb_in_what_is_not_read, "read"),
    "bomb_of_many": (bomb_of_many, "book_too_large"),
    "bomb_that_lies": (bomb_that_lies, "file_damaged"),
    "says_too_much": (says_too_much, "file_damaged"),
    "nested": (nested, "unsupported_format"),
    "nested_as_chapter": (nested_as_chapter, "read"),
    "overlapping": (overlapping, "file_hostile"),
    "holds_itself": (holds_itself, "file_hostile"),
    "traversing": (traversing, "file_hostile"),
    "traversing_chapter": (traversing_chapter, "file_hostile"),
    "symlink": (symlink, "file_hostile"),
    "many_entries": (many_entries, "file_hostile"),
    "cut_early": (partial(cut, 0.1), "file_damaged"),
    "cut_in_the_middle": (partial(cut, 0.5), "file_damaged"),
    "cut_late": (partial(cut, 0.95), "file_damaged"),
    "without_its_last_byte": (without_its_last_byte, "file_damaged"),
    "bad_checksum": (bad_checksum, "file_damaged"),
    "bad_stream": (bad_stream, "file_damaged"),
    "short_stream": (short_stream, "file_damaged"),
    "encrypted": (encrypted, "file_locked"),
    "encrypted_chapter": (encrypted_chapter, "file_locked"),
    "encrypted_with_aes": (encrypted_with_aes, "file_locked"),
    "unknown_method": (unknown_method, "file_damaged"),
    "twice_the_same_name": (twice_the_same_name, "file_hostile"),
    "nul_in_a_name": (nul_in_a_name, "file_hostile"),
    "name_in_no_encoding": (name_in_no_encoding, "file_damaged"),
    "directory_elsewhere": (directory_elsewhere, "file_damaged"),
    "entry_elsewhere": (entry_elsewhere, "file_damaged"),
    "no_entries": (no_entries, "unsupported_format"),
    "no_book": (no_book, "unsupported_format"),
    "drm": (drm, "file_locked"),
}
