"""Names of workers: distinct among the living, the same after a restart."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from service.jobs.worker_name import WorkerNameTaken, claim

ROOT = Path(__file__).parents[2]
HOLDER = """
import sys, time
from pathlib import Path
from service.jobs.worker_name import claim
slot = claim(Path(sys.argv[1]))
print(slot.name, flush=True)
time.sleep(60)
"""


def test_two_processes_never_share_a_name_and_a_restarted_one_has_its_own_again(tmp_path: Path) -> None:
    mine = claim(tmp_path)
    other = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert other.stdout is not None
    theirs = other.stdout.readline().strip()
    assert theirs != mine.name
    mine.release()
    again = claim(tmp_path)
    assert again.name == mine.name
    other.kill()
    other.wait()
    other.stdout.close()
    after = claim(tmp_path)
    assert after.name == theirs
    again.release()
    after.release()


def test_installations_on_one_host_have_different_names(tmp_path: Path) -> None:
    one, two = claim(tmp_path / "one"), claim(tmp_path / "two")
    assert one.name != two.name
    one.release()
    two.release()


def test_given_name_may_be_used_once_at_a_time(tmp_path: Path) -> None:
    slot = claim(tmp_path, name="night shift")
    assert slot.name == "night shift"
    with pytest.raises(WorkerNameTaken, match="BOOKWORM_WORKER_ID"):
        claim(tmp_path, name="night shift")
    slot.release()
    claim(tmp_path, name="night shift").release()
