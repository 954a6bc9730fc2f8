"""Jobs over an artefact store that is elsewhere: machines share it, and nothing else but the database."""

from __future__ import annotations

from pathlib import Path

import pytest

from db.store import ArtefactStore
from db.types import JobState
from tests.jobs.house import House, kill


@pytest.mark.slow
def test_another_machine_goes_on_where_a_dead_one_stopped(tmp_path: Path, sqlite_url: str) -> None:
    """Two workers with disks of their own; the second never saw what the first wrote but in the store."""
    with House(tmp_path, sqlite_url, artefacts=f"file://{tmp_path}/remote") as house:
        house.jobs.start(working=False)
        house.hold("index")
        first = house.worker("one")
        job = house.upload()
        house.until_started(job, "index")
        kill(first)
        house.settings = house.settings.model_copy(update={"data_dir": tmp_path / "elsewhere"})
        house.worker("two")
        house.until_started(job, "index", times=2)
        house.release("index")
        ended = house.wait(job)
        assert (ended.state, ended.worker) == (JobState.SUCCEEDED, "two")
        assert house.started(job) == {"read": 1, "resolve": 1, "index": 2}
        reader = ArtefactStore(f"file://{tmp_path}/remote", workspace=tmp_path / "reader")
        assert (reader.open(job.book_id, house.version(job)) / "text.txt").is_file()
        remote = sorted(p.name for p in (tmp_path / "remote" / job.book_id).iterdir())
        assert remote == sorted(["source", house.version(job)])
