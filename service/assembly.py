"""Builds the services from the settings: the only place where packages receive their configuration."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from books.limits import MIB
from db.database import Database
from db.store import ArtefactStore
from service.book_repair import Mending
from service.engines import Engines
from service.services import Services
from service.settings import Settings
from service.shelf import Shelf
from service.usecases.answer_jobs import AnswerWriting


@contextmanager
def assembled(settings: Settings, *, jobs_here: bool) -> Iterator[Services]:
    """Services over a migrated database. `jobs_here`: this process runs jobs and does not only queue them."""
    from service.jobs.engine import Jobs

    settings.data_dir.mkdir(parents=True, exist_ok=True)
    database = Database(settings.database)
    database.migrate()
    store = ArtefactStore(settings.artefacts, workspace=settings.workspace)
    engines = Engines(settings)
    jobs = Jobs(settings, database=database, store=store)
    services = Services(
        settings=settings,
        database=database,
        store=store,
        engines=engines,
        shelf=Shelf(
            database,
            store,
            capacity=settings.open_books,
            memory=settings.open_books_memory * MIB,
        ),
        jobs=jobs,
    )
    services.shelf.mend = Mending(services)
    jobs.write = AnswerWriting(services)
    try:
        jobs.start(working=jobs_here)
        yield services
    finally:
        jobs.stop()
        database.dispose()
