"""Files named on the command line. They are read completely, and written completely or not at all."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from books.errors import BookTooLarge, BookwormError

if TYPE_CHECKING:
    from books.types import Book
    from service.settings import Settings


class FileTrouble(BookwormError):
    code = "file_trouble"
    remedy = "Check the path, its permissions and the free disk space."


def load(path: Path, *, limit: int) -> bytes:
    """The bytes of a file, if it is not larger than `limit`."""
    try:
        size = path.stat().st_size
        if size > limit:
            raise BookTooLarge(
                f"{path} has {size / 2**20:.0f} MiB, but the limit is {limit / 2**20:.0f} MiB.",
                remedy="Increase `BOOKWORM_MAX_UPLOAD_BYTES`, or choose a smaller file.",
            )
        return path.read_bytes()
    except OSError as error:
        raise FileTrouble(f"{path} can't be read: {error.strerror or error}.") from error


def read_text(path: Path, *, most: int) -> str:
    """The text of a file. At most one character more than `most` is read, to detect that it is too long."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            return file.read(most + 1)
    except OSError as error:
        raise FileTrouble(f"{path} can't be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise FileTrouble(f"{path} is not UTF-8 text.", remedy="Save it as UTF-8.") from error


def read_book(
    path: Path,
    *,
    settings: Settings,
    title: str | None = None,
    author: str | None = None,
    encoding: str | None = None,
    force: bool = False,
) -> Book:
    """Reads the book in a file, without a library."""
    from books.reading import read
    from service.usecases.given_texts import line

    return read(
        load(path, limit=settings.max_upload_bytes),
        name=path.name,
        title=line(title or "") or None,
        author=line(author or "") or None,
        encoding=encoding,
        force=force,
        limits=settings.limits,
    )


def stem(path: Path) -> str:
    """The name of a file without its extensions."""
    return path.name.removesuffix(".gz").rpartition(".")[0] or path.name


def keep_inputs(inputs: Iterable[Path | None], *, to: Path) -> None:
    """Raises if the output would replace one of the inputs."""
    if to.exists() and any(path and path.exists() and to.samefile(path) for path in inputs):
        raise typer.BadParameter(f"{to} is read by this command. Choose another output, or it would be lost.")


def write_folder(path: Path, texts: Mapping[str, str]) -> None:
    """Writes each text under its name to a folder, which is created if necessary."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileTrouble(f"The folder {path} cannot be created: {error.strerror or error}.") from error
    for name, text in texts.items():
        write_text(path / name, text)


def write_text(path: Path, text: str, *, private: bool = False) -> None:
    """Writes a file as a whole: to a temporary one beside it that is then renamed, so that nobody sees half.

    If `private`, only its owner may read it. The target of a link is replaced, not the link. A pipe or a
    device such as `/dev/null` is written to.
    """
    try:
        if _is_stdout(path):
            sys.stdout.write(text)
            sys.stdout.flush()
        elif path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8", newline="\n")
        else:
            _replace(Path(os.path.realpath(path)), text, private=private)
    except OSError as error:
        raise FileTrouble(f"{path} cannot be written: {error.strerror or error}.") from error


def _is_stdout(path: Path) -> bool:
    """Whether a path such as `/dev/stdout` is where the output goes: a file, to which others may write."""
    try:
        return os.path.samestat(path.stat(), os.fstat(sys.stdout.fileno()))
    except (OSError, ValueError):
        return False


def _replace(path: Path, text: str, *, private: bool) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    aside = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        if not private:
            aside.chmod(_mode_of(path))
        aside.replace(path)
    except BaseException:
        with suppress(OSError):
            aside.unlink()
        raise


def _mode_of(path: Path) -> int:
    """The permissions of a file. A new one gets those of any new file: temporary ones are private."""
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        mask = os.umask(0o022)
        os.umask(mask)
        return 0o666 & ~mask
