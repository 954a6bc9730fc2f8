"""Processes that tests start."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Final

FORKING: Final = get_context("forkserver")
"""Makes processes that have imported what a worker needs, for imports are most of a worker's start."""
FORKING.set_forkserver_preload(["tests.jobs.worker", "service.jobs.durable"])  # the engine imports it late


@contextmanager
def ending(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Stop a process at the end, politely first."""
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
