"""A process that starts trainings and kills each with SIGKILL, every time at another point.

It reports, as JSON, how each ended. The last one is left alone.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path

import peft  # noqa: F401 - once, and not in every child
from transformers.models.llama import modeling_llama  # noqa: F401

from generation.training.course import train
from generation.training.types import TrainingLesson
from tests.generation.training.conftest import Heard
from tests.generation.training.school import by_heart, course, lessons

LINES = (1, 5, 10)
"""Steps after which it is killed. The state is saved after every third."""
SAVE_EVERY = 3
RECIPE = by_heart(epochs=6, batch=1, dropout=0.3)


def work(base: Path, folder: Path, made: list[TrainingLesson]) -> None:
    train(course(base, folder, made, RECIPE, save_every=SAVE_EVERY), told=Heard())


def killed(base: Path, folder: Path, made: list[TrainingLesson], *, after: int) -> int:
    """Return the signal that ended it, or 0."""
    child = os.fork()
    if child == 0:
        work(base, folder, made)
        os._exit(0)
    curve = folder / "loss.jsonl"
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if curve.is_file() and len(curve.read_bytes().splitlines()) >= after:
            break
        time.sleep(0.001)
    time.sleep(0.003 * after)  # somewhere in the next step, or while it saves
    os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    base, folder = (Path(argument) for argument in sys.argv[1:])
    made = lessons(base, folder.parent)
    ends = [killed(base, folder, made, after=after) for after in LINES]
    work(base, folder, made)
    sys.stdout.write(json.dumps(ends))
