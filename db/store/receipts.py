"""A stage's receipt: its stamp as JSON, written after its files, read by the next attempt."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from books.errors import BookwormError
from retrieval import manifest as manifests
from retrieval.types import FileStamp, StageStamp

FOLDER = ".receipts"


def name(stage: str) -> str:
    return f"{FOLDER}/{stage}.json"


def dump(stamp: StageStamp) -> bytes:
    return json.dumps(asdict(stamp), sort_keys=True).encode()


def parse(data: bytes | None) -> StageStamp | None:
    """Return None for a receipt that is missing or that a crash truncated."""
    try:
        fields = json.loads(data or b"")
        files = {n: FileStamp(**stamp) for n, stamp in fields.pop("files").items()}
        return StageStamp(**fields, files=files)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def load(folder: Path, stage: str) -> StageStamp | None:
    try:
        return parse((folder / name(stage)).read_bytes())
    except OSError:
        return None


def holds(folder: Path, stamp: StageStamp) -> bool:
    """Return whether every file of the stage matches the receipt, byte for byte."""
    if not all(
        (folder / n).is_file() and (folder / n).stat().st_size == f.size for n, f in stamp.files.items()
    ):
        return False
    try:
        return manifests.stamp_files(folder, sorted(stamp.files)) == stamp.files
    except (OSError, BookwormError):
        return False
