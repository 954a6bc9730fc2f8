"""The durations of a run: processor time counts, also that of processes below, and big files are named."""

from __future__ import annotations

import subprocess
import sys

from tests.durations import COLLECTING, Durations, cpu_seconds

BURN = "import time\nwhile time.process_time() < 0.4: pass\nprint('burnt', flush=True)\ninput()"


def test_files_over_the_budget_are_named_the_worst_first() -> None:
    durations = Durations()
    durations.add(COLLECTING, clock=50, cpu=50)
    for file, cpu in (("a.py", 12.0), ("b.py", 30.0), ("a.py", 12.0), ("c.py", 1.0)):
        durations.add(file, clock=60, cpu=cpu, tests=1)
    assert [(file, duration.tests) for file, duration in durations.over(20)] == [("b.py", 1), ("a.py", 2)]
    told = durations.to_dict()
    assert list(told["files"]) == [COLLECTING, "b.py", "a.py", "c.py"]
    assert told["files"]["a.py"] == {"tests": 2, "clock": 120, "cpu": 24.0}
    assert told["cpu"] == 105


def test_processes_below_count_while_they_run_and_afterwards() -> None:
    before = cpu_seconds()
    command = [sys.executable, "-c", BURN]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        child.stdout.readline()
        if sys.platform == "linux":
            assert cpu_seconds() - before >= 0.3
        child.communicate("\n")
    assert cpu_seconds() - before >= 0.3
