"""The artefact store: `<root>/<book>/source` and `<root>/<book>/<version>/…`, local or on fsspec.

With a local root the folders are the store. With an address such as `s3://bucket/prefix` the same layout
exists remotely, on any fsspec file system; work happens in a local workspace of that layout, stages are
uploaded as they finish, and readers get a local copy that was checked against its manifest.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from functools import partial
from pathlib import Path

from books.errors import BookwormError
from db.store import files
from db.store.builder import MANIFEST, Builder
from db.store.errors import SourceMissing, writing_told
from db.store.mirror import Mirror
from db.store.sweeping import MARK, SOURCE, UNFINISHED, VERSION, Folder, Swept, erase, sweep
from retrieval import manifest as manifests
from retrieval.errors import IndexMissing

PROBE = ".probe"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")


class ArtefactStore:
    def __init__(self, url: str, *, workspace: Path) -> None:
        """Open a store. For a remote `url`, work happens and copies are kept in `workspace`."""
        remote = "://" in url
        self._mirror = Mirror(url) if remote else None
        self._root = workspace if remote else Path(url)
        self._root.mkdir(parents=True, exist_ok=True)
        self._folder = Folder(self._root)

    def put_source(self, book_id: str, data: bytes) -> None:
        with writing_told():
            files.write(self._home(book_id) / SOURCE, data)
        if self._mirror:
            self._mirror.write(f"{book_id}/{SOURCE}", data)

    def source(self, book_id: str) -> Path:
        """Return the uploaded bytes as a local file."""
        path = self._home(book_id) / SOURCE
        if (
            not path.is_file()
            and self._mirror
            and (data := self._mirror.read(f"{book_id}/{SOURCE}")) is not None
        ):
            with writing_told():
                files.write(path, data)
        if not path.is_file():
            raise SourceMissing("The uploaded file of this book is missing.")
        return path

    def builder(self, book_id: str, version: str) -> Builder:
        home = self._home(book_id)
        return Builder(home, version=_safe(version), key=f"{book_id}/{version}", mirror=self._mirror)

    def open(self, book_id: str, version: str) -> Path:
        """Open a published version, checked against its manifest; raises `IndexMissing` or `IndexStale`."""
        folder = self._home(book_id) / _safe(version)
        try:
            manifests.verify(folder, manifests.read(folder))
        except BookwormError:
            if self._mirror is None:
                raise
            self._download(self._mirror, f"{book_id}/{version}", folder)
        return folder

    def versions(self, book_id: str) -> list[str]:
        """Return the published versions."""
        home = self._home(book_id)
        if self._mirror:
            names = filter(VERSION.fullmatch, self._mirror.names(book_id))
            return [n for n in names if self._mirror.read(f"{book_id}/{n}/{MANIFEST}") is not None]
        return sorted(
            p.name for p in home.glob("*") if (p / MANIFEST).is_file() and not p.name.startswith(".")
        )

    def sizes(self, book_id: str) -> Iterator[tuple[str, int]]:
        """Yield the size of each file, as `source` and `<version>/…`."""
        return self._mirror.sizes(book_id) if self._mirror else files.sizes(self._home(book_id))

    def mark_deleted(self, book_id: str) -> None:
        """Note that the book is about to be deleted, so that the sweep completes what is interrupted."""
        home = self._home(book_id)
        if self._mirror:
            self._mirror.write(f"{book_id}/{MARK}", b"")
        with writing_told():
            if home.is_dir():
                files.write(home / MARK, b"")

    def unmark(self, book_id: str) -> None:
        """Withdraw the mark of a book that is not deleted after all."""
        if self._mirror:
            self._mirror.remove(f"{book_id}/{MARK}")
        with writing_told():
            self._folder.remove(f"{book_id}/{MARK}")

    def delete(self, book_id: str) -> None:
        if self._mirror:
            erase(self._mirror, book_id)
        with writing_told():
            erase(self._folder, book_id)

    def probe(self) -> None:
        """Write a file and remove it. Raises the error that an upload would meet."""
        if self._mirror:
            self._mirror.write(PROBE, b"probe")
            self._mirror.remove(PROBE)
        path = self._root / PROBE
        with writing_told():
            self._root.mkdir(parents=True, exist_ok=True)
            with path.open("wb") as file:
                file.write(b"probe")
                file.flush()
                os.fsync(file.fileno())
            path.unlink(missing_ok=True)

    def discard(self, book_id: str) -> None:
        """Delete the unfinished work on a book; published versions stay."""
        with writing_told():
            for name in filter(UNFINISHED.fullmatch, self._folder.names(book_id)):
                self._folder.remove(f"{book_id}/{name}")
        if self._mirror:
            published = self.versions(book_id)
            for name in filter(VERSION.fullmatch, self._mirror.names(book_id)):
                if name not in published:
                    self._mirror.remove(f"{book_id}/{name}")

    def sweep(
        self,
        in_use: Collection[tuple[str, str]],
        *,
        known: Collection[str],
        busy: Collection[str] = (),
        grace: float = 300.0,
    ) -> Swept:
        """Remove superseded versions, unfinished work, and what is left of deleted books.

        Nothing is removed from a `busy` book (one with a running job), nor anything that changed in the last
        `grace` seconds: its reader or its row may be about to appear.
        """
        swept = partial(sweep, in_use=in_use, known=known, grace=grace)
        if self._mirror is None:
            with writing_told():
                return swept(self._folder, busy=busy)
        remote = swept(self._mirror, busy=busy)
        kept = set(self._mirror.names()).difference(known)
        with writing_told():
            here = swept(self._folder, busy=kept.union(busy), copies=True)
        return Swept(here.removed + remote.removed, remote.unknown)

    def _download(self, mirror: Mirror, key: str, folder: Path) -> None:
        data = mirror.read(f"{key}/{MANIFEST}")
        if data is None:
            raise IndexMissing("This version of the book is not in the artefact store.")
        temp = files.temp_beside(folder)
        with writing_told():
            try:
                files.write(temp / MANIFEST, data)
                manifest = manifests.read(temp)
                for name in (n for stamp in manifest.stages for n in stamp.files):
                    mirror.pull(f"{key}/{name}", temp / name)
                manifests.verify(temp, manifest)
                files.replace(temp, folder)
            finally:
                files.remove(temp)

    def _home(self, book_id: str) -> Path:
        return self._root / _safe(book_id)


def _safe(name: str) -> str:
    """Check an id that becomes a folder name, so that it cannot leave the store."""
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is not the id of a book or a version")
    return name
