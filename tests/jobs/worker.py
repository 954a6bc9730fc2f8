"""A worker process with the stage process of the tests."""

from __future__ import annotations

import signal
import sys
import threading
from pathlib import Path

from db.database import Database
from db.store import ArtefactStore
from service.jobs.engine import Jobs
from service.settings import Settings

CHILD = (sys.executable, "-P", str(Path(__file__).parent / "child.py"))


def main() -> None:
    settings = Settings()
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    database = Database(settings.database)
    store = ArtefactStore(settings.artefacts, workspace=settings.workspace)
    jobs = Jobs(settings, database=database, store=store, child=CHILD)
    jobs.start(working=True)
    stop.wait()
    jobs.stop()
    database.dispose()


if __name__ == "__main__":
    main()
