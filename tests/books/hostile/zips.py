"""Zip files byte by byte, so that every field can be false."""

from __future__ import annotations

import stat
import struct
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

STORED, DEFLATED, AES = 0, 8, 99
ENCRYPTED = 0x1
UTF8_NAME = 0x800
SYMLINK = (stat.S_IFLNK | 0o777) << 16


@dataclass(frozen=True, slots=True)
class Entry:
    name: bytes
    packed: bytes
    crc: int
    size: int
    """The declared size."""
    method: int = DEFLATED
    flags: int = UTF8_NAME
    attributes: int = 0
    at: int | None = None
    """The position in the directory, if it is not the real one."""


def entry(name: str, data: bytes, *, method: int = DEFLATED) -> Entry:
    packed = deflated([data]) if method == DEFLATED else data
    return Entry(name.encode(), packed, zlib.crc32(data), len(data), method)


def of_zeros(name: str, size: int) -> Entry:
    """Return an entry of this many NUL bytes, never held in memory at once."""
    chunk = bytes(1 << 20)
    crc = 0
    for _ in range(size >> 20):
        crc = zlib.crc32(chunk, crc)
    return Entry(name.encode(), deflated(chunk for _ in range(size >> 20)), crc, size)


def deflated(chunks: Iterable[bytes]) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return b"".join([*(packer.compress(chunk) for chunk in chunks), packer.flush()])


def zipped(entries: Iterable[Entry], *, comment: bytes = b"") -> bytes:
    local: list[bytes] = []
    directory: list[bytes] = []
    offset = 0
    for each in entries:
        fields = (each.flags, each.method, 0, 0x5A21, each.crc, len(each.packed), each.size, len(each.name))
        here = struct.pack("<4s5H3L2H", b"PK\x03\x04", 20, *fields, 0) + each.name + each.packed
        at = offset if each.at is None else each.at
        tail = (0, 0, 0, 0, each.attributes, at)
        directory.append(struct.pack("<4s6H3L5H2L", b"PK\x01\x02", 0x314, 20, *fields, *tail) + each.name)
        if each.at is None:
            local.append(here)
            offset += len(here)
    listed = b"".join(directory)
    count = min(len(directory), 0xFFFF)
    end = (b"PK\x05\x06", 0, 0, count, count, len(listed), offset, len(comment))
    return b"".join([*local, listed, struct.pack("<4s4H2LH", *end), comment])


def of(members: Mapping[str, bytes]) -> list[Entry]:
    """Return valid entries; one called `mimetype` is not compressed, as EPUB requires."""
    return [
        entry(name, data, method=STORED if name == "mimetype" else DEFLATED) for name, data in members.items()
    ]


def changed(entries: Iterable[Entry], name: str, **fields: object) -> list[Entry]:
    """Return the same entries with some fields of one changed."""
    return [replace(e, **fields) if e.name == name.encode() else e for e in entries]  # type: ignore[arg-type]
