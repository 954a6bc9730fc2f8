"""Build one version of one book stage by stage; each stage is finished or does not exist.

A version is built in `.building-<version>` beside the published ones. A stage writes into a temporary folder;
when it is done its files are moved in, then its receipt is written. The next attempt, on this machine or
(with a remote store) on another, finds the receipts, checks the files against them and continues. Publishing
writes the manifest and renames the folder, so a reader sees all of a version or nothing of it.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from books.errors import BookwormError
from db.store import files, receipts
from db.store.errors import writing_told
from db.store.mirror import Mirror
from retrieval import manifest as manifests
from retrieval.types import Manifest, StageStamp

BUILDING = ".building-"
MANIFEST = "manifest.json"


class Builder:
    def __init__(self, home: Path, *, version: str, key: str, mirror: Mirror | None) -> None:
        self._home = home
        self._key = key
        self._mirror = mirror
        self._published = home / version
        self._building = home / f"{BUILDING}{version}"

    @property
    def folder(self) -> Path:
        """Return the folder that holds the artefacts of the finished stages."""
        return self._published if self._intact() else self._building

    def finished(self, stage: str, key: str) -> StageStamp | None:
        """Return the stage's stamp if it is finished under this key and its files are unchanged.

        If it was finished for another version of the book, or by another machine, it is copied here.
        """
        if (manifest := self._intact()) and (stamp := manifest.stage(stage)) and stamp.key == key:
            return stamp
        for stamp in (self._unpublished(stage), receipts.load(self._building, stage)):
            if stamp is not None and stamp.key == key and receipts.holds(self._building, stamp):
                return stamp
        return self._adopt(stage, key) or self._fetch(stage, key)

    @contextmanager
    def stage(self, stamp: StageStamp) -> Iterator[Path]:
        """Open a folder to write into; leaving it without an error commits its files under `stamp`."""
        temp = files.temp_beside(self._building / stamp.stage)
        with writing_told():
            try:
                temp.mkdir(parents=True)
                yield temp
                self._commit(temp, stamp)
            finally:
                shutil.rmtree(temp, ignore_errors=True)

    def publish(self, manifest: Manifest) -> Path:
        """Publish the version to readers. Repeating it has no effect."""
        if self._intact():
            files.remove(self._building)
            return self._published
        with writing_told():
            manifests.write(self._building, manifest)
            files.sync(self._building / MANIFEST)
            self._tidy(manifest)
            self._announce()
            files.replace(self._building, self._published)
        return self._published

    def _intact(self) -> Manifest | None:
        try:
            manifest = manifests.read(self._published)
            manifests.verify(self._published, manifest)
        except BookwormError:
            return None
        return manifest

    def _unpublished(self, stage: str) -> StageStamp | None:
        """Return a stamp from the manifest of an attempt that stopped before renaming the folder."""
        try:
            return manifests.read(self._building).stage(stage)
        except BookwormError:
            return None

    def _commit(self, temp: Path, stamp: StageStamp) -> None:
        names = list(files.walk(temp))
        for name in names:
            files.sync(temp / name)
        stamp = replace(stamp, files=manifests.stamp_files(temp, names))
        for entry in sorted(temp.iterdir()):
            files.replace(entry, self._building / entry.name)
        if self._mirror:
            for name in names:
                self._mirror.push(self._building / name, f"{self._key}/{name}")
            self._mirror.write(f"{self._key}/{receipts.name(stamp.stage)}", receipts.dump(stamp))
        files.write(self._building / receipts.name(stamp.stage), receipts.dump(stamp))

    def _adopt(self, stage: str, key: str) -> StageStamp | None:
        """Reuse a stage of another version: a newer resolver, for example, keeps a book's text and index."""
        for folder in sorted(self._home.glob("[!.]*/")):
            try:
                stamp = manifests.read(folder).stage(stage)
            except BookwormError:
                continue
            if stamp is None or stamp.key != key or not receipts.holds(folder, stamp):
                continue
            with self.stage(stamp) as out:
                for name in stamp.files:
                    (out / name).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(folder / name, out / name)
            return receipts.load(self._building, stage)
        return None

    def _fetch(self, stage: str, key: str) -> StageStamp | None:
        """Download a stage that another machine finished."""
        if self._mirror is None:
            return None
        stamp = receipts.parse(self._mirror.read(f"{self._key}/{receipts.name(stage)}"))
        if stamp is None or stamp.key != key:
            return None
        temp = files.temp_beside(self._building / stage)
        with writing_told():
            try:
                found = all(self._mirror.pull(f"{self._key}/{n}", temp / n) for n in stamp.files)
                if not found or not receipts.holds(temp, stamp):
                    return None
                for entry in sorted(temp.iterdir()):
                    files.replace(entry, self._building / entry.name)
                files.write(self._building / receipts.name(stage), receipts.dump(stamp))
            finally:
                shutil.rmtree(temp, ignore_errors=True)
        return stamp

    def _tidy(self, manifest: Manifest) -> None:
        """Delete what the manifest does not list: receipts, and files left behind by a killed attempt."""
        wanted = {name for stamp in manifest.stages for name in stamp.files}
        folders = {name.split("/", 1)[0] for name in wanted}
        for entry in self._building.iterdir():
            if entry.name not in folders and entry.name != MANIFEST:
                files.remove(entry)
        for name in files.walk(self._building):
            if name not in wanted and name != MANIFEST:
                (self._building / name).unlink()

    def _announce(self) -> None:
        if self._mirror:
            self._mirror.push(self._building / MANIFEST, f"{self._key}/{MANIFEST}")
            self._mirror.remove(f"{self._key}/{receipts.FOLDER}")
