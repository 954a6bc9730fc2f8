"""Files and folders that are either there whole or not there: temp name, fsync, rename."""

from __future__ import annotations

import os
import shutil
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

TEMP = ".tmp-"
"""Begins the name of everything that is not finished; nothing reads such a name."""


def temp_beside(path: Path) -> Path:
    return path.parent / f"{TEMP}{path.name}-{os.getpid()}-{uuid.uuid4().hex[:8]}"


def write(path: Path, data: bytes) -> None:
    """All of `data` or what was there before."""
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
    """Put file or folder `new` where `old` may stand. Folders can't replace each other: `old` steps aside."""
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
    """A folder first loses its name, so that nobody finds half of it."""
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
    """Names of the files below `folder`, relative, with forward slashes, in order."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.relative_to(folder).as_posix()


def age(path: Path) -> float:
    """Seconds since anything in the folder (two levels deep) or the file itself changed."""
    try:
        times = [
            path.stat().st_mtime,
            *(p.stat().st_mtime for p in path.glob("*")),
            *(p.stat().st_mtime for p in path.glob("*/*")),
        ]
    except FileNotFoundError:  # somebody is at work in it
        return 0.0
    return time.time() - max(times)


def sizes(folder: Path, *, below: str = "") -> Iterator[tuple[str, int]]:
    """Of each file below `folder`, its relative name and bytes. What goes away meanwhile is not there."""
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
