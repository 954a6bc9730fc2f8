"""The plan of an ingest: read, resolve, index, publish; with the inputs, outputs and key of each stage.

A stage turns the artefacts of earlier stages into its own, which it writes to a folder of its own. It uses
neither database nor store, so it can run in another process. The same key always means the same artefact: it
is made of the version and engine of the stage and of the keys of its inputs, and so ultimately of the
uploaded bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from books.edits import ChapterEdit, ChapterMark
from books.limits import Limits
from books.types import Book
from coref.languages import OWN_RESOLVER
from coref.protocols import Resolver
from coref.resolver_names import NAMES
from db.types import BookRecord
from retrieval.protocols import Embedder

UPLOAD = "upload"
INDEX = "index"
"""Folder of the index in a version."""
READER = "reader"


@dataclass(frozen=True, slots=True)
class Upload:
    """The upload and the options for reading it: everything that affects the result."""

    sha256: str
    filename: str | None = None
    title: str | None = None
    author: str | None = None
    encoding: str | None = None
    force: bool = False
    edit: ChapterEdit | None = None

    @classmethod
    def of(cls, book: BookRecord, edit: ChapterEdit | None) -> Upload:
        return cls(book.content_sha256, book.filename, **asdict(book.options), edit=edit)

    def plain(self) -> dict[str, Any]:
        """The form in which it is sent to the stage process."""
        return asdict(self)

    @classmethod
    def from_plain(cls, given: dict[str, Any]) -> Upload:
        edit = given["edit"]
        if edit is not None:
            marks = tuple(ChapterMark(**mark) for mark in edit["marks"])
            edit = ChapterEdit(marks, edit["text_sha256"])
        return cls(**{**given, "edit": edit})


@dataclass(frozen=True, slots=True)
class Work:
    """Everything that a stage may use."""

    upload: Upload
    source: Path
    done: Path
    """Folder with the artefacts of earlier stages."""
    out: Path
    resolver: Resolver
    embedder: Embedder
    limits: Limits
    progress: Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Stage:
    name: str
    version: int
    """Incremented whenever the same input gives a different artefact."""
    needs: frozenset[str]
    gives: frozenset[str]
    engine: str = READER
    """The kind of engine that runs the stage. The name of the engine is part of the key."""
    run: Callable[[Work], None] | None = None
    """None for publishing, which writes no artefact but ends the job in a transaction."""


def read(work: Work) -> None:
    import books.storage
    from books.reading import read as read_book

    upload = work.upload
    book = read_book(
        work.source.read_bytes(),
        name=upload.filename,
        title=upload.title,
        author=upload.author,
        encoding=upload.encoding,
        force=upload.force,
        edit=upload.edit,
        limits=work.limits,
    )
    books.storage.save(book, work.out)


def resolve(work: Work) -> None:
    import coref.storage
    from coref.registry import resolver_for

    book = _book(work)
    annotations = resolver_for(book, work.resolver).annotate(book, progress=work.progress)
    coref.storage.save(annotations, work.out / coref.storage.FILE)


def index(work: Work) -> None:
    from retrieval.index import build

    build(_book(work), work.out / INDEX, embedder=work.embedder, progress=work.progress)


def _book(work: Work) -> Book:
    import books.storage

    return books.storage.load(work.done)


PLAN: tuple[Stage, ...] = (
    Stage("read", 4, frozenset({UPLOAD}), frozenset({"book"}), run=read),
    Stage("resolve", 3, frozenset({"book"}), frozenset({"annotations"}), engine="resolver", run=resolve),
    Stage("index", 1, frozenset({"book"}), frozenset({INDEX}), engine="embedder", run=index),
    Stage("publish", 1, frozenset({"book", "annotations", INDEX}), frozenset({"version"})),
)
WRITING = tuple(stage for stage in PLAN if stage.run is not None)
"""The stages that write an artefact."""


def keys(upload: Upload, engines: Mapping[str, str]) -> dict[str, str]:
    """The key of every stage that writes an artefact. `engines` maps the kind of engine to its full name."""
    found: dict[str, str] = {}
    given = {UPLOAD: _hash(json.dumps(upload.plain(), sort_keys=True))}
    for stage in WRITING:
        from_what = (given[need] for need in sorted(stage.needs))
        key = found[stage.name] = _hash(stage.name, stage.version, engines[stage.engine], *from_what)
        given |= dict.fromkeys(stage.gives, key)
    return found


def engine_names(*, resolver: str, embedder: str) -> dict[str, str]:
    """Full names of the engines, by kind. Some languages have a resolver of their own, whatever is chosen."""
    from retrieval.index import VERSIONS

    layout = " ".join(f"{part}/{number}" for part, number in sorted(VERSIONS.items()))
    resolvers = " ".join((resolver, *(NAMES[name] for name in OWN_RESOLVER.values())))
    return {READER: "books", "resolver": resolvers, "embedder": f"{embedder} {layout}"}


def version(stage_keys: Mapping[str, str]) -> str:
    """Name of the version folder. Different bytes, stages or engines give a different version."""
    return _hash(*stage_keys.values())[:16]


def _hash(*parts: str | int | None) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
