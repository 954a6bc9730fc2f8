"""A worker process with the stage process of the tests."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

from db.database import Database
from db.store import ArtefactStore
from service.jobs.engine import Jobs
from service.settings import Settings
from tests.processes import FORKING

CHILD = (sys.executable, "-P", str(Path(__file__).parent / "child.py"))


class Worker:
    """A running worker; its methods are those of `subprocess.Popen`."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._process = FORKING.Process(target=_work, args=(dict(environment),))
        self._process.start()

    def send_signal(self, number: int) -> None:
        assert self._process.pid is not None
        os.kill(self._process.pid, number)

    def stands_still(self) -> bool:
        """Whether each thread is stopped: they go on for a moment after the signal."""
        threads = Path(f"/proc/{self._process.pid}/task").glob("*/stat")
        try:
            return all(thread.read_text().rpartition(")")[2].split()[0] == "T" for thread in threads)
        except OSError:  # one has just ended
            return False

    def kill(self) -> None:
        self._process.kill()

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        assert self._process.exitcode is not None, "it did not end in time"
        return self._process.exitcode


def _work(environment: dict[str, str]) -> None:
    os.environ.clear()
    os.environ.update(environment)
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
