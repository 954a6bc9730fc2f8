"""The stage process of the tests: the real stages, held or failing when a file in the control folder says so.

`hold-<stage>` keeps a stage at work while the file is there. `fail-<stage>` makes it fail as its first line
says, as often as its second line says. `log` gets a line for every stage that starts and every one that ends.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from books.errors import BookwormError, NotText
from service.jobs.child import main
from service.jobs.stages import WRITING, Stage, Work

CONTROL = Path(os.environ["BOOKWORM_TESTS_CONTROL"])


class Passing(BookwormError):
    code = "passing"
    remedy = "Wait."
    retryable: ClassVar[bool] = True


def controlled(stage: Stage) -> Stage:
    real = stage.run
    assert real is not None

    def run(work: Work) -> None:
        note(f"start {stage.name} {work.upload.sha256[:8]}")
        fail_as_told(stage.name)
        hold = CONTROL / f"hold-{stage.name}"
        while hold.exists():
            work.progress(0.5)
            time.sleep(0.02)
        real(work)
        note(f"end {stage.name} {work.upload.sha256[:8]}")

    return replace(stage, run=run)


def note(line: str) -> None:
    with (CONTROL / "log").open("a") as log:
        log.write(f"{line}\n")


def fail_as_told(stage: str) -> None:
    orders = CONTROL / f"fail-{stage}"
    if not orders.exists():
        return
    how, times = orders.read_text().split()
    if int(times) == 0:
        return
    orders.write_text(f"{how}\n{int(times) - 1}")
    FAILURES[how]()


def bug() -> None:
    raise KeyError("a word of the book")


def refuse() -> None:
    raise NotText("This is not a book.")


def stumble() -> None:
    raise Passing("The store was away.")


def full() -> None:
    raise RuntimeError("write failed: No space left on device")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


FAILURES: dict[str, Callable[[], None]] = {
    "bug": bug,
    "refuse": refuse,
    "stumble": stumble,
    "full": full,
    "die": die,
}

if __name__ == "__main__":
    main([controlled(stage) for stage in WRITING])
