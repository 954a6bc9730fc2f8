"""Common parts of benchmarks: medians, peak memory, the machine's description, and storage of results."""

from __future__ import annotations

import json
import os
import platform
import resource
import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True, slots=True)
class Spread:
    """Seconds over several runs."""

    median: float
    p95: float
    runs: int


@dataclass(frozen=True, slots=True)
class Child:
    """The measurements of one run of a command."""

    seconds: float
    peak_mib: float


def spread(seconds: Sequence[float]) -> Spread:
    ordered = sorted(seconds)
    at = min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))
    return Spread(round(statistics.median(ordered), 6), round(ordered[at], 6), len(ordered))


def timed(work: Callable[[], object], *, runs: int = 1) -> Spread:
    seconds = []
    for _ in range(runs):
        started = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - started)
    return spread(seconds)


def run(command: Sequence[str | Path]) -> Child:
    """Run a command to its end. Call this from a small process: a child's peak starts at its parent's."""
    started = time.perf_counter()
    child = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - started
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, command[0])
    return Child(round(seconds, 3), round(usage.ru_maxrss / 1024, 1))


def peak_mib() -> float:
    """Return this process's peak so far."""
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)


def memory_mib() -> tuple[float, float]:
    """Return this process's current memory: the total, and the part that is no map of a file. Linux only."""
    status = Path("/proc/self/status").read_text("ascii").splitlines()
    found = {
        line.partition(":")[0]: line.split()[1] for line in status if line.startswith(("VmRSS", "RssAnon"))
    }
    return int(found["VmRSS"]) / 1024, int(found["RssAnon"]) / 1024


def folder_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def machine() -> dict[str, Any]:
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 2),
    }


def save(name: str, result: Any, *, folder: Path = RESULTS) -> Path:
    """Write `result` (a dataclass, or values for JSON) with the time and machine of the measurement."""
    folder.mkdir(parents=True, exist_ok=True)
    document = {
        "benchmark": name,
        "measured": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine(),
        "result": result,
    }
    path = folder / f"{name}.json"
    path.write_text(json.dumps(document, indent=1, default=asdict, ensure_ascii=False) + "\n", "utf-8")
    return path


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    flags = next((set(line.split()) for line in lines if line.startswith("flags")), set())
    fast = [flag for flag in ("amx_bf16", "avx512_bf16") if flag in flags]
    return f"{next(named, platform.processor())} ({', '.join(fast) or 'no bf16'})"
