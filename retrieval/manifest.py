"""The manifest of a version folder: written last and atomically, compared on open, never merely read."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path, PurePosixPath
from typing import Any

from retrieval.errors import IndexMissing, IndexStale
from retrieval.types import FileStamp, Manifest, StageStamp

FORMAT = 1
FILE = "manifest.json"


def write(folder: Path, manifest: Manifest) -> None:
    """Write `manifest` atomically, and flush it to the disk before returning."""
    text = json.dumps(asdict(manifest), ensure_ascii=False, sort_keys=True, indent=1) + "\n"
    descriptor, temporary = tempfile.mkstemp(dir=folder, prefix=f".{FILE}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(folder / FILE)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    _sync(folder)


def read(folder: Path) -> Manifest:
    """Read the manifest in `folder`: IndexMissing without one, IndexStale if damaged or of another format."""
    try:
        raw = json.loads((folder / FILE).read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise IndexMissing("The book has no finished version in the store.") from error
    except ValueError as error:
        raise IndexStale("The manifest of the book's version is damaged.") from error
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        raise IndexStale(f"The book's version does not have format {FORMAT}.")
    try:
        return _manifest(raw)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise IndexStale("The manifest of the book's version is damaged.") from error


def verify(folder: Path, manifest: Manifest) -> None:
    """Compare the files in `folder` with `manifest`; raise IndexStale at the first difference."""
    if manifest.format != FORMAT:
        raise IndexStale(f"The book's version has format {manifest.format}, not {FORMAT}.")
    for stage in manifest.stages:
        for name, expected in stage.files.items():
            _verify_file(folder, name, expected)


def stamp_files(folder: Path, names: Iterable[str]) -> dict[str, FileStamp]:
    """Return size and hash of each file; a folder's name stands for all files in it."""
    return {
        path.relative_to(folder).as_posix(): _stamp(path)
        for name in names
        for path in (sorted((folder / name).rglob("*")) if (folder / name).is_dir() else [folder / name])
        if not path.is_dir()
    }


def _verify_file(folder: Path, name: str, expected: FileStamp) -> None:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts:
        raise IndexStale("The manifest names a file outside its folder.")
    try:
        size = (folder / path).stat().st_size
        same = size == expected.size and _stamp(folder / path) == expected
    except OSError as error:
        raise IndexStale(f"The file `{name}` of the book's version is missing.") from error
    if not same:
        raise IndexStale(f"The file `{name}` of the book's version is not the one that was written.")


def _stamp(path: Path) -> FileStamp:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return FileStamp(size=os.fstat(file.fileno()).st_size, sha256=digest)


def _manifest(raw: dict[str, Any]) -> Manifest:
    return Manifest(
        format=int(raw["format"]),
        text_sha256=str(raw["text_sha256"]),
        stages=tuple(_stage(stage) for stage in raw["stages"]),
        created=str(raw["created"]),
    )


def _stage(raw: dict[str, Any]) -> StageStamp:
    return StageStamp(
        stage=str(raw["stage"]),
        version=int(raw["version"]),
        engine=str(raw["engine"]),
        key=str(raw["key"]),
        files={
            name: FileStamp(size=int(stamp["size"]), sha256=str(stamp["sha256"]))
            for name, stamp in raw["files"].items()
        },
    )


def _sync(folder: Path) -> None:
    """Make a rename in `folder` survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
