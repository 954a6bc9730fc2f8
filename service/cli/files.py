"""Files that a person names on the command line: read whole, written whole or not at all."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from books.errors import BookTooLarge, BookwormError

if TYPE_CHECKING:
    from books.types import Book
    from service.settings import Settings


class FileTrouble(BookwormError):
    code = "file_trouble"
    remedy = "Check the path, its permissions and the space on the disk."


def load(path: Path, *, limit: int) -> bytes:
    """The bytes of a file no larger than `limit`."""
    try:
        size = path.stat().st_size
        if size > limit:
            raise BookTooLarge(
                f"{path} has {size / 2**20:.0f} MiB, and the limit is {limit / 2**20:.0f} MiB.",
                remedy="Raise `BOOKWORM_MAX_UPLOAD_BYTES`, or read a smaller file.",
            )
        return path.read_bytes()
    except OSError as error:
        raise FileTrouble(f"{path} can't be read: {error.strerror or error}.") from error


def read_text(path: Path, *, most: int) -> str:
    """The text of a file; of one with more than `most` characters, enough to tell that there are more."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            return file.read(most + 1)
    except OSError as error:
        raise FileTrouble(f"{path} can't be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise FileTrouble(f"{path} is not text in UTF-8.", remedy="Save it as UTF-8.") from error


def read_book(
    path: Path,
    *,
    settings: Settings,
    title: str | None = None,
    author: str | None = None,
    encoding: str | None = None,
    force: bool = False,
) -> Book:
    """The book that a file holds, without a library."""
    from books.reading import read

    return read(
        load(path, limit=settings.max_upload_bytes),
        name=path.name,
        title=title,
        author=author,
        encoding=encoding,
        force=force,
        limits=settings.limits,
    )


def stem(path: Path) -> str:
    """What a file is called without its endings."""
    return path.name.removesuffix(".gz").rpartition(".")[0] or path.name


def write_json(path: Path, document: Any) -> None:
    def write(out: TextIO) -> None:
        json.dump(document, out, ensure_ascii=False, separators=(",", ":"))
        out.write("\n")

    _put(path, write)


def write_text(path: Path, text: str) -> None:
    _put(path, lambda out: out.write(text))


def write_folder(path: Path, texts: Mapping[str, str]) -> None:
    """Each text under its name, in a folder that is made if need be."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileTrouble(f"{path} can't be made a folder: {error.strerror or error}.") from error
    for name, text in texts.items():
        write_text(path / name, text)


def _put(path: Path, write: Callable[[TextIO], object]) -> None:
    """Aside first, then put in place: a reader never sees half a document."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        aside = Path(name)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as out:
                write(out)
                out.flush()
                os.fsync(out.fileno())
            aside.chmod(0o666 & ~_umask())
            aside.replace(path)
        except BaseException:
            with suppress(OSError):
                aside.unlink()
            raise
    except OSError as error:
        raise FileTrouble(f"{path} can't be written: {error.strerror or error}.") from error


def _umask() -> int:
    """Temporary files are private; what is put in place gets the rights that a new file would have."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
