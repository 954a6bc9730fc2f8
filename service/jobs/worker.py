"""`bookworm worker`: a process that only runs jobs. Any number of them can share one database."""

from __future__ import annotations

import signal
import threading
from types import FrameType

from service.assembly import assembled
from service.observability.logs import logger
from service.settings import Settings

log = logger("bookworm.worker")


def run(settings: Settings) -> None:
    """Runs jobs until SIGTERM or SIGINT. Stages that are nearly done are finished first."""
    stop = threading.Event()

    def told(number: int, _frame: FrameType | None) -> None:
        log.info("worker stopping", signal=signal.Signals(number).name)
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, told)
    with assembled(settings, jobs_here=True):
        log.info("worker ready")
        stop.wait()
