"""Keeps the durations of a run in `.durations/`, and names the test files that are over their budget.

A budget counts processor time, of the tests and of every process that they start: unlike time on the clock it
hardly depends on what else the machine does. A file over `BUDGET` is only named; with
`BOOKWORM_TESTS_FILE_SECONDS=120` a file over so many seconds fails the run, as it does in `.ci/run`.

`BOOKWORM_TESTS_SECONDS=900` bounds a whole run: tests whose turn comes later are skipped.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

BUDGET = 20.0
KEPT = 20
"""Runs."""
COLLECTING = "(collecting)"
FOLDER = Path(__file__).parents[1] / ".durations"
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Duration:
    """Seconds that a file took: on the clock, and of all processors together."""

    tests: int = 0
    clock: float = 0.0
    cpu: float = 0.0


@dataclass
class Durations:
    files: dict[str, Duration] = field(default_factory=dict)

    def add(self, file: str, *, clock: float, cpu: float, tests: int = 0) -> None:
        entry = self.files.setdefault(file, Duration())
        entry.tests += tests
        entry.clock += clock
        entry.cpu += cpu

    def over(self, seconds: float) -> list[tuple[str, Duration]]:
        """Files that took more, the worst first; collecting is nobody's file."""
        found = [(f, d) for f, d in self.files.items() if d.cpu > seconds and f != COLLECTING]
        return sorted(found, key=lambda each: -each[1].cpu)

    def to_dict(self) -> dict[str, Any]:
        ranked = sorted(self.files.items(), key=lambda each: -each[1].cpu)
        return {
            "cpu": round(sum(d.cpu for _, d in ranked), 1),
            "files": {f: {k: round(v, 2) for k, v in asdict(d).items()} for f, d in ranked},
        }


def cpu_seconds() -> float:
    """Of this process, of all that it has waited for, and of all that run below it now."""
    own = os.times()
    total = own.user + own.system + own.children_user + own.children_system
    return total + sum(_used(child) for child in _below("self"))


def _below(process: str) -> Iterator[str]:
    try:
        threads = list(Path(f"/proc/{process}/task").iterdir())
    except OSError:  # the process has just ended
        return
    for thread in threads:
        try:
            children = (thread / "children").read_text().split()
        except OSError:  # the thread has just ended
            continue
        for child in children:
            yield child
            yield from _below(child)


def _used(process: str) -> float:
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / _TICKS


_durations = Durations()
_started = time.monotonic()
_mark = 0.0


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    bound = os.environ.get("BOOKWORM_TESTS_SECONDS")
    if bound and time.monotonic() - _started > float(bound):
        pytest.skip(f"the {bound} seconds of this run are over")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(call: pytest.CallInfo[None]) -> Iterator[None]:
    global _mark
    report = yield
    if call.when == "teardown":
        # A process that ends while they are counted may be missed: what is counted again is nobody's.
        now = max(_mark, cpu_seconds())
        report.cpu = now - _mark  # xdist sends a report on with all that is set on it
        _mark = now
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    file = report.nodeid.partition("::")[0]
    cpu = getattr(report, "cpu", 0.0)
    _durations.add(file, clock=report.duration, cpu=cpu, tests=int(report.when == "call"))


def pytest_collection_finish(session: pytest.Session) -> None:
    global _mark
    _mark = cpu_seconds()
    spent = {"clock": time.monotonic() - _started, "cpu": _mark}
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["collecting"] = spent
    elif session.config.getoption("numprocesses", None) in (None, 0):
        _durations.add(COLLECTING, **spent)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    spent = getattr(node, "workeroutput", {}).get("collecting")
    if spent:
        _durations.add(COLLECTING, **spent)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput") or not _durations.files or session.config.option.collectonly:
        return
    FOLDER.mkdir(exist_ok=True)
    told = {"clock": round(time.monotonic() - _started, 1), **_durations.to_dict()}
    (FOLDER / f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{os.getpid()}.json").write_text(json.dumps(told, indent=1))
    for old in sorted(FOLDER.glob("*.json"))[:-KEPT]:
        old.unlink(missing_ok=True)
    most = os.environ.get("BOOKWORM_TESTS_FILE_SECONDS")
    if most and _durations.over(float(most)) and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any) -> None:
    over = _durations.over(BUDGET)
    if not over or hasattr(terminalreporter.config, "workeroutput"):
        return
    most = os.environ.get("BOOKWORM_TESTS_FILE_SECONDS")
    rule = f"; more than {most} fail the run" if most else ""
    terminalreporter.section(f"files that took more than {BUDGET:.0f} s of processor time{rule}")
    for file, duration in over:
        terminalreporter.line(f"{duration.cpu:7.1f} s  {file} ({duration.tests} tests)")
