"""`service.jobs.worker.run`, as `bookworm worker` runs it: it works, and it leaves in good order."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from db.repositories import WorkerRepository
from db.types import JobState
from tests.jobs.house import PATIENCE, ROOT, House

CODE = "from service.jobs.worker import run; from service.settings import Settings; run(Settings())"


@pytest.mark.slow
def test_worker_works_until_it_is_told_to_stop(sqlite_house: House) -> None:
    house = sqlite_house
    house.jobs.start(working=False)
    job = house.upload()
    environment = {
        **os.environ,
        "BOOKWORM_DATA_DIR": str(house.settings.data_dir),
        "BOOKWORM_DATABASE_URL": str(house.settings.database_url),
        "BOOKWORM_EMBEDDER": "hashing",
        "BOOKWORM_RESOLVER": "rules",
    }
    worker = subprocess.Popen([sys.executable, "-c", CODE], env=environment, cwd=ROOT)
    house.workers.append(worker)
    assert house.wait(job).state is JobState.SUCCEEDED
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(timeout=PATIENCE) == 0
    with house.database.session(read_only=True) as session:
        assert WorkerRepository(session).alive(since=datetime.now(UTC) - timedelta(hours=1)) == []
