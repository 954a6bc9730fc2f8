"""Write files and folders atomically: temporary name, fsync, rename."""

from __future__ import annotations

import os
import shutil
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

TEMP = ".tmp-"
"""Prefix of the name of everything unfinished; nothing reads such a name."""


def temp_beside(path: Path) -> Path:
    return path.parent / f"{TEMP}{path.name}-{os.getpid()}-{uuid.uuid4().hex[:8]}"


def write(path: Path, data: bytes) -> None:
    """Write all of `data`, or keep what was there before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temp = temp_beside(path)
    try:
        temp.write_bytes(data)
        sync(temp)
        temp.replace(path)
    except BaseException:
        temp.unlink(missing_ok=True)
        raise
    sync(path.parent)


def replace(new: Path, old: Path) -> None:
    """Rename file or folder `new` to `old`, which may exist.

    Folders cannot be replaced, so `old` moves aside.
    """
    if old.is_dir():
        aside = temp_beside(old)
        old.rename(aside)
        new.rename(old)
        shutil.rmtree(aside, ignore_errors=True)
    else:
        old.parent.mkdir(parents=True, exist_ok=True)
        new.replace(old)
    sync(old.parent)


def remove(path: Path) -> None:
    """Remove a file or folder; a folder is renamed first, so that nobody finds half of it."""
    if path.is_dir():
        aside = temp_beside(path)
        try:
            path.rename(aside)
        except FileNotFoundError:
            return
        shutil.rmtree(aside, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Flush a file or a folder to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def walk(folder: Path) -> Iterator[str]:
    """Yield the relative names of the files below `folder`, with forward slashes, in order."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.relative_to(folder).as_posix()


def age(path: Path) -> float:
    """Return the seconds since the file, or anything in the folder (two levels deep), changed."""
    try:
        times = [
            path.stat().st_mtime,
            *(p.stat().st_mtime for p in path.glob("*")),
            *(p.stat().st_mtime for p in path.glob("*/*")),
        ]
    except FileNotFoundError:  # another process is at work in it
        return 0.0
    return time.time() - max(times)


def sizes(folder: Path, *, below: str = "") -> Iterator[tuple[str, int]]:
    """Yield the relative name and size of each file below `folder`.

    Files that vanish meanwhile are left out.
    """
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                name = below + entry.name
                if entry.is_dir(follow_symlinks=False):
                    yield from sizes(folder / entry.name, below=f"{name}/")
                else:
                    yield name, entry.stat(follow_symlinks=False).st_size
    except FileNotFoundError:
        return
