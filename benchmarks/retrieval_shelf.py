"""Memory of many open books: how much a service process grows by opening and querying them.

One book is ingested normally, then published again under other ids with files of its own, so that no two open
books share a map. A first book is opened and queried before memory is measured, for what every process loads
once. The shelf uses the default limits of the settings. Vectors are mapped and hardly read: what a dense
search reads of them is a map of their file, which the system drops when it needs the memory.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import timing
from db.repositories import BookRepository
from retrieval.registry import make_retriever
from retrieval.types import Query
from service.assembly import assembled
from service.library import Library
from service.services import Services
from service.settings import Settings
from service.usecases import books

LIBRARY = "benchmark"
_PATIENCE = 3600.0


@dataclass(frozen=True, slots=True)
class Grown:
    """MiB above the process's previous memory."""

    resident: float
    unmapped: float
    """The part that is not a map of a file, which the system may drop and read again."""


@dataclass(frozen=True, slots=True)
class OpenBooks:
    books: int
    kept: int
    """Books still open at the end."""
    passages: int
    """Passages of each book."""
    mentions: int
    opened: Grown
    """Texts and indexes open, and a BM25 search in each."""
    asked: Grown
    """… and then in each the passages that mention its main character, for which its annotations are read."""


def settings_in(folder: Path, resolver: str) -> Settings:
    return Settings(data_dir=folder, resolver=resolver, embedder="hashing")


def ingest(text: str, folder: Path, resolver: str) -> str:
    """Return the book's id.

    Run it in a process of its own, because memory for reading a book stays with the process.
    """
    with assembled(settings_in(folder, resolver), jobs_here=True) as services:
        taken = books.upload(Library(services, LIBRARY), data=text.encode(), filename="novel.txt")
        if taken.job is not None:
            ended = services.jobs.wait(taken.job.id, timeout=_PATIENCE)
            if ended.error:
                raise RuntimeError(f"the book was not read: {ended.error}")
        return taken.book.id


def measure(book_id: str, folder: Path, resolver: str, books: int) -> OpenBooks:
    with assembled(settings_in(folder, resolver), jobs_here=False) as services:
        first, *ids = _copies(services, book_id, books + 1)
        passages, mentions = _first(services, first)
        before = timing.memory_mib()
        for each in ids:
            _search(services, each)
        opened = timing.memory_mib()
        for each in ids:
            _ask(services, each)
        return OpenBooks(
            books, len(services.shelf), passages, mentions,
            opened=_grown(before, opened),
            asked=_grown(before, timing.memory_mib()),
        )  # fmt: skip


def _first(services: Services, book_id: str) -> tuple[int, int]:
    _search(services, book_id)
    _ask(services, book_id)
    opened = services.shelf.open(book_id, library=LIBRARY)
    return len(opened.index), len(opened.annotations.mentions)


def _search(services: Services, book_id: str) -> None:
    index = services.shelf.open(book_id, library=LIBRARY).index
    index.bm25.top(["letter", "house"], 80, visible=len(index))
    index.dense.vectors([0])


def _ask(services: Services, book_id: str) -> None:
    opened = services.shelf.open(book_id, library=LIBRARY)
    annotations = opened.annotations
    search = make_retriever(
        "mentions", index=opened.index, annotations=annotations, embedder=services.engines.embedder
    ).search
    search(Query(characters=tuple(character.id for character in annotations.characters[:1])))


def _copies(services: Services, book_id: str, count: int) -> Sequence[str]:
    home = Path(services.settings.artefacts)
    made = []
    for number in range(count):
        with services.database.session() as session:
            repository = BookRepository(session)
            original = repository.get(book_id)
            if original is None or original.version is None:
                raise RuntimeError("the book was not published")
            book, _ = repository.ensure(
                library=LIBRARY, content_sha256=f"{number:064x}", filename=None, size=original.size
            )
            repository.publish(book.id, version=original.version)
        shutil.copytree(home / book_id / original.version, home / book.id / original.version)
        made.append(book.id)
    return made


def _grown(before: tuple[float, float], after: tuple[float, float]) -> Grown:
    return Grown(*(round(now - then, 1) for then, now in zip(before, after, strict=True)))
