"""The hash of a file, to check that it is the expected one."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file, computed once per process and again only when the file has changed."""
    stat = path.stat()
    return _sha256(path, stat.st_size, stat.st_mtime_ns)


@lru_cache(maxsize=256)
def _sha256(path: Path, _size: int, _changed: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
