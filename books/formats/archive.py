"""Read a zip file defensively: output is counted as it is unpacked, and no declared size is trusted.

Nothing is ever unpacked to disk, so a path that leads out of the archive could do no harm here. It is refused
all the same: no honest ebook contains one.
"""

from __future__ import annotations

import re
import stat
import zipfile
import zlib
from collections.abc import Sequence
from io import BytesIO
from itertools import pairwise

from books.errors import BookTooLarge, BookwormError, FileDamaged, FileHostile, FileLocked
from books.limits import MIB, Limits

ZIP: bytes = b"PK\x03\x04"
_DIRECTORY_ENTRY = b"PK\x01\x02"
_END = b"PK\x05\x06"
_END_64 = b"PK\x06\x06"
_END_BYTES = 22
_END_64_BYTES = 56 + 20
"""Size of the zip64 end record and the locator that follows it."""
_MOST_COMMENT = 0xFFFF
_LOCAL_HEADER = 30
_CHUNK = 256 * 1024
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 0x1
_NAMED_IN_UTF8 = 0x800
_DRIVE = re.compile(r"^[A-Za-z]:")
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    IndexError,
    OSError,
    OverflowError,
    RuntimeError,  # and its subclasses, which zipfile raises for what it does not support
    ValueError,
)


class Archive:
    """The entries of a zip file by name; an entry is unpacked only when it is read."""

    def __init__(self, file: zipfile.ZipFile, entries: dict[str, zipfile.ZipInfo], limits: Limits) -> None:
        self._file = file
        self._entries = entries
        self._limits = limits
        self._unpacked = 0
        self._folded: dict[str, str] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of files in the archive's order, without folders."""
        return tuple(self._entries)

    def find(self, name: str) -> str | None:
        """Return the name of an entry, given a name that may differ in case."""
        if name in self._entries:
            return name
        if self._folded is None:
            self._folded = {entry.casefold(): entry for entry in reversed(self._entries)}
        return self._folded.get(name.casefold())

    def read(self, name: str) -> bytes:
        """Return the content of an entry.

        Raises FileDamaged when it is missing or broken, BookTooLarge, FileHostile.
        """
        info = self._entries.get(name)
        if info is None:
            raise FileDamaged(f"The file {name!r} is missing in the archive.")
        try:
            with self._file.open(info) as entry:
                return self._counted(entry, info)
        except BookwormError:
            raise
        except _BROKEN as error:
            raise FileDamaged(f"The file {name!r} in the archive is damaged.") from error

    def _counted(self, entry: object, info: zipfile.ZipInfo) -> bytes:
        assert isinstance(entry, zipfile.ZipExtFile)
        most = max(MIB, self._limits.ratio * info.compress_size)
        chunks: list[bytes] = []
        size = 0
        while chunk := entry.read(_CHUNK):
            size += len(chunk)
            self._unpacked += len(chunk)
            if size > most:
                raise FileHostile("A file in the archive unpacks to more than a thousand times its size.")
            if self._unpacked > self._limits.unpacked:
                raise BookTooLarge(f"The archive unpacks to more than {self._limits.unpacked // MIB} MiB.")
            chunks.append(chunk)
        if size != info.file_size:
            raise FileDamaged(f"The file {info.filename!r} in the archive is cut short.")
        return b"".join(chunks)


def open_archive(data: bytes, limits: Limits) -> Archive:
    """Open an archive without unpacking anything. Raises FileDamaged, FileHostile, FileLocked."""
    if directory(data).count(_DIRECTORY_ENTRY) > limits.entries:
        raise FileHostile(f"The archive holds more than {limits.entries:,} files.")
    try:
        file = zipfile.ZipFile(BytesIO(data))
    except _BROKEN as error:
        raise FileDamaged("The archive is damaged.") from error
    entries: dict[str, zipfile.ZipInfo] = {}
    for info in file.infolist():
        name = _name(info)
        _refuse_odd(name, info)
        if name in entries:
            raise FileHostile(f"The archive holds two files called {name!r}.")
        if not name.endswith("/"):
            entries[name] = info
    _refuse_overlap(file.infolist())
    return Archive(file, entries, limits)


def directory(data: bytes) -> bytes:
    """Return the raw central directory: a cheap way to look at the names."""
    end = data.rfind(_END, max(0, len(data) - _END_BYTES - _MOST_COMMENT))
    if end < 0 or end + _END_BYTES > len(data):
        raise FileDamaged("The file is cut short: its end is missing.")
    size = int.from_bytes(data[end + 12 : end + 16], "little")
    large = end - _END_64_BYTES
    if large >= 0 and data.startswith(_END_64, large):
        size, end = int.from_bytes(data[large + 40 : large + 48], "little"), large
    if size > end:
        raise FileDamaged("The archive is damaged: its directory is larger than the file.")
    return data[end - size : end]


def _name(info: zipfile.ZipInfo) -> str:
    """Return the name that was meant: many programs write UTF-8 without setting the flag for it."""
    name = info.orig_filename
    if info.flag_bits & _NAMED_IN_UTF8 or name.isascii():
        return name
    try:
        return name.encode("cp437").decode("utf-8")
    except UnicodeError:
        return name


def _refuse_odd(name: str, info: zipfile.ZipInfo) -> None:
    if not name or "\\" in name or "\x00" in name or name.startswith("/") or _DRIVE.match(name):
        raise FileHostile(f"The archive holds a file with a dangerous name: {name!r}.")
    if ".." in name.split("/"):
        raise FileHostile(f"The archive holds a file with a path outside the archive: {name!r}.")
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise FileHostile(f"The archive holds an entry that is not a regular file: {name!r}.")
    if info.flag_bits & _ENCRYPTED:
        raise FileLocked("The archive is encrypted.")
    if info.compress_type not in _METHODS:
        raise FileDamaged(f"The file {name!r} is compressed with a method that ebooks don't use.")


def _refuse_overlap(infos: Sequence[zipfile.ZipInfo]) -> None:
    """Refuse entries that share bytes: they make a small file unpack to terabytes, each within its ratio."""
    for one, after in pairwise(sorted(infos, key=lambda info: info.header_offset)):
        least = one.header_offset + _LOCAL_HEADER + one.compress_size
        if after.header_offset < least:
            raise FileHostile("Files in the archive overlap each other.")
