"""The remote side of a store: the same layout as the local folder, on any fsspec file system.

Object stores have no rename, so order replaces `os.replace`: files first, then the receipt of their stage,
and the manifest last. A version without a manifest is not published.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from books.errors import BookwormError
from db.errors import StorageFull
from db.store.errors import StoreAway, is_full

T = TypeVar("T")
_CORRECT = "Correct `BOOKWORM_ARTEFACTS_URL`: a folder, or an fsspec URL such as `s3://bucket/books`."
_INSTALL = "For S3 run `pip install 'bookworm[s3]'`; for another, install its fsspec package."
_TIMES = ("mtime", "LastModified", "last_modified", "updated", "created")


class Mirror:
    def __init__(self, url: str) -> None:
        import fsspec

        self._url = url
        with self._away():
            try:
                self._fs, base = fsspec.core.url_to_fs(url, use_listings_cache=False)
            except ImportError as error:
                raise StoreAway("The package for this artefact store is missing.", remedy=_INSTALL) from error
            except ValueError as error:
                raise StoreAway("There is no artefact store of this kind.", remedy=_CORRECT) from error
        self._base = base.rstrip("/")

    def push(self, local: Path, key: str) -> None:
        with self._away():
            self._fs.makedirs(self._at(key).rsplit("/", 1)[0], exist_ok=True)
            self._fs.put_file(str(local), self._at(key))

    def write(self, key: str, data: bytes) -> None:
        with self._away():
            self._fs.makedirs(self._at(key).rsplit("/", 1)[0], exist_ok=True)
            self._fs.pipe_file(self._at(key), data)

    def read(self, key: str) -> bytes | None:
        return self._or_none(lambda: bytes(self._fs.cat_file(self._at(key))))

    def pull(self, key: str, local: Path) -> bool:
        local.parent.mkdir(parents=True, exist_ok=True)
        return self._or_none(lambda: self._fs.get_file(self._at(key), str(local)) or True) or False

    def remove(self, key: str) -> None:
        """Remove a file or everything below a folder; a missing one is ignored."""
        self._or_none(lambda: self._fs.rm(self._at(key), recursive=True))

    def names(self, key: str = "") -> list[str]:
        entries = self._or_none(lambda: self._fs.ls(self._at(key), detail=True)) or []
        return sorted(e["name"].rstrip("/").rsplit("/", 1)[-1] for e in entries)

    def sizes(self, key: str) -> Iterator[tuple[str, int]]:
        """Yield, for each file below `key`, its name from there and its size in bytes."""
        found = self._or_none(lambda: self._fs.find(self._at(key), detail=True)) or {}
        for path, info in found.items():
            yield path.split(f"{self._at(key)}/", 1)[-1], int(info.get("size") or 0)

    def age(self, key: str) -> float | None:
        """Return the seconds since a file below `key` changed; None where the store does not report it."""
        found = self._or_none(lambda: self._fs.find(self._at(key), detail=True)) or {}
        times = [when for info in found.values() if (when := _when(info)) is not None]
        return time.time() - max(times) if times else None

    def _at(self, key: str) -> str:
        return f"{self._base}/{key}" if key else self._base

    def _or_none(self, call: Callable[[], T]) -> T | None:
        try:
            with self._away():
                return call()
        except FileNotFoundError:
            return None

    @contextmanager
    def _away(self) -> Iterator[None]:
        """Translate the errors of every file system into one."""
        try:
            yield
        except (FileNotFoundError, BookwormError):
            raise
        except Exception as error:
            if is_full(error):
                raise StorageFull("The artefact store is full; published books remain available.") from error
            raise StoreAway(f"The artefact store does not answer ({type(error).__name__}).") from error


def _when(info: dict[str, Any]) -> float | None:
    value = next((info[k] for k in _TIMES if info.get(k)), None)
    if isinstance(value, datetime):
        return value.timestamp()
    return float(value) if isinstance(value, int | float) else None
