"""Books that are compressed once: gzip, and a zip that holds nothing but one text."""

from __future__ import annotations

import gzip
import re
import zlib
from io import BytesIO

from books.errors import BookTooLarge, FileHostile, NotText
from books.formats.archive import ZIP, Archive, directory, open_archive
from books.limits import MIB, Limits

GZIP = b"\x1f\x8b"
_MEMBER = GZIP + b"\x08"
_MOST_MEMBERS = 1_000
_CHUNK = MIB // 16
_SMALL_DIRECTORY = 256 * 1024
_TEXT = re.compile(r"\.(?:txt|text|x?html?|md|markdown)$", re.I)
_BESIDE = re.compile(r"(?:^|/)(?:__MACOSX/|\.)|\.(?:jpe?g|png|gif|svg|webp|css|nfo|url)$", re.I)
_ZIPS = re.compile(r"\.(?:zip|epub|docx)$", re.I)


def gunzipped(data: bytes, limits: Limits) -> bytes:
    """Unpack all members of a gzip file, counting the output; zeros after the last member are padding."""
    if data.count(_MEMBER) > _MOST_MEMBERS:
        raise FileHostile("The gzip file is made of thousands of pieces.")
    chunks: list[bytes] = []
    size = 0
    try:
        with gzip.GzipFile(fileobj=BytesIO(data)) as file:
            while chunk := file.read(_CHUNK):
                size += len(chunk)
                if size > limits.unpacked:
                    raise BookTooLarge(f"The file unpacks to more than {limits.unpacked // MIB} MiB.")
                chunks.append(chunk)
    except EOFError as error:
        raise NotText("The gzip file is cut short.") from error
    except (OSError, zlib.error) as error:
        raise NotText("The gzip file is damaged.") from error
    unpacked = b"".join(chunks)
    if unpacked.startswith(GZIP):
        raise FileHostile("This is a gzip file inside a gzip file.")
    return unpacked


def lone_text(data: bytes, limits: Limits) -> tuple[Archive, str] | None:
    """Find the one text in a zip that holds no other readable file, without unpacking it."""
    if len(directory(data)) > _SMALL_DIRECTORY:
        return None
    archive = open_archive(data, limits)
    names = [name for name in archive.names if not _BESIDE.search(name)]
    if len(names) == 1 and _ZIPS.search(names[0]):
        raise FileHostile(
            "This is a zip file inside a zip file.", remedy="Unpack the outer one and upload what is in it."
        )
    return (archive, names[0]) if len(names) == 1 and _TEXT.search(names[0]) else None


def unzipped(data: bytes, limits: Limits) -> bytes | None:
    """Return the one text of a zip, unpacked, if there is one."""
    found = lone_text(data, limits)
    if found is None:
        return None
    archive, name = found
    text = archive.read(name)
    if text.startswith((ZIP, GZIP)):
        raise FileHostile("There is a packed file inside the zip file.")
    return text
