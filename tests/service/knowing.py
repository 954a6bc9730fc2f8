"""A resolver that knows one story by heart, and the stage process in which it is registered.

The story is that of `conftest`: Miss Lane keeps Mr. Ford's books, and comes back as Mrs. Ward.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from books.types import Book, Span
from coref.census import recount
from coref.protocols import Progress
from coref.types import (
    Annotations,
    Character,
    CharacterKind,
    Doubt,
    Mention,
    MentionKind,
    Merge,
    Tense,
    Trait,
    TraitKind,
)

if TYPE_CHECKING:
    from service.usecases.reading_orders import Given

NAME = "knowing"
CHILD = (sys.executable, "-P", str(Path(__file__)))
NAMES = {"lane": "Miss Anna Lane|Miss Lane|Anna Lane|Anna", "ward": "Mrs. Ward", "ford": "Mr. Ford"}
SHOWN = {"lane": "Miss Lane", "ward": "Mrs. Ward", "ford": "Mr. Ford"}
SAYS_SO = "Mrs. Ward says that she was Anna Lane"


class Knowing:
    name = f"{NAME}/1"

    def annotate(self, book: Book, *, progress: Progress | None = None) -> Annotations:
        found = [
            Mention(Span(m.start(), m.end()), MentionKind.PROPER, who, m[0])
            for who, names in NAMES.items()
            for m in re.finditer(names, book.text)
        ]
        mentions = tuple(sorted(found, key=lambda m: m.key))
        people = [Character(who, name, (), CharacterKind.PERSON, None, 0, 0) for who, name in SHOWN.items()]
        return Annotations(
            self.name,
            recount(people, mentions),
            mentions,
            (),
            merges=(Merge("lane", "Miss Lane", "Anna", 0.9, "Miss Anna Lane is both"),),
            doubts=(
                Doubt("ford", "lane", 0.1, "both are at the mill", at=1),
                Doubt("ward", "lane", 0.8, SAYS_SO, at=book.text.index("I was Anna Lane")),
            ),
            traits=tuple(_traits(book)),
        )


def _traits(book: Book) -> list[Trait]:
    def trait(who: str, kind: TraitKind, words: str, lemma: str, **how: object) -> Trait:
        at = book.text.index(words)
        return Trait(who, kind, Span(at, at + len(words)), lemma, tense=Tense.PAST, **how)  # type: ignore[arg-type]

    does, is_, has, social = TraitKind.DOES, TraitKind.IS, TraitKind.HAS, TraitKind.SOCIAL
    return [
        trait("lane", is_, "careful", "careful"),
        trait("lane", is_, "stranger", "stranger"),
        trait("ford", is_, "wet", "wet", quoted=True, modal="?"),
        trait("ford", is_, "miller", "miller"),
        trait("ford", does, "expected", "expect", negated=True, other="lane"),
        trait("lane", social, "kept the books", "clerk", other="ford"),
        trait("lane", does, "smiled", "smile", other="ford"),
        trait("ward", does, "opened", "open"),
        trait("ward", does, "laughed too", "laugh"),
        trait("ward", has, "name of Ward", "name"),
    ]


def shelve(folder: Path, data: bytes, *, library: str, given: Given | None = None) -> str:
    """Has the book read by this resolver into the library under `folder`; its id."""
    from books.limits import MIB
    from db.database import Database
    from db.store import ArtefactStore
    from service.engines import Engines
    from service.jobs.engine import Jobs
    from service.library import Library
    from service.services import Services
    from service.settings import Settings
    from service.shelf import Shelf
    from service.usecases import books as usecases
    from service.usecases.reading_orders import AS_BEFORE

    settings = Settings(data_dir=folder, embedder="hashing", resolver=NAME)
    database = Database(settings.database)
    database.migrate()
    store = ArtefactStore(settings.artefacts, workspace=settings.workspace)
    jobs = Jobs(settings, database=database, store=store, child=CHILD)
    shelf = Shelf(database, store, capacity=2, memory=MIB)
    services = Services(settings, database, store, Engines(settings), shelf, jobs)
    jobs.start(working=True)
    try:
        taken = usecases.upload(Library(services, library), data=data, given=given or AS_BEFORE)
        assert taken.job is not None
        ended = services.jobs.wait(taken.job.id, timeout=120)
        assert ended.state == "succeeded", ended.error
        return taken.book.id
    finally:
        jobs.stop()
        database.dispose()


if __name__ == "__main__":
    from coref.registry import RESOLVERS
    from service.jobs.child import main

    RESOLVERS[NAME] = lambda _: Knowing()
    main()
