"""Controls a stage process from the worker: starts it, sends it stages, receives messages, kills it."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import service
from books.errors import Wording
from books.limits import Limits
from coref.booknlp.setup import BookNLPSetup
from service.encoder_bits import EXACT, BitsRule
from service.jobs.errors import StageFailed
from service.jobs.stages import Upload

CHILD = (sys.executable, "-P", "-m", "service.jobs.child")
LISTEN_SECONDS = 0.2
"""Seconds without a message after which the caller gets a chance to cancel."""
_QUIET = {"OMP_WAIT_POLICY": "PASSIVE", "GOMP_SPINCOUNT": "0", "ONEDNN_PRIMITIVE_CACHE_CAPACITY": "64"}
"""The same defaults as in `service.cli.main`. Variables that the user has set are kept."""
_ROOT = str(Path(service.__file__).parents[1])


class StageProcess:
    """Started on first use. Used by one thread at a time."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._process: subprocess.Popen[str] | None = None
        self._heard: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._engines: dict[str, str] = {}

    def engines(self, *, idle: Callable[[], None]) -> Mapping[str, str]:
        """Full names of the engines in the process, by kind. An exception from `idle` stops it."""
        if self._process is None or self._process.poll() is not None:
            self._start()
            try:
                message = self._next(idle)
                if "engines" not in message:
                    raise _failure(message)
            except BaseException:  # or the next caller would take this process's first message for an answer
                self.kill()
                raise
            self._engines = message["engines"]
        return self._engines

    def run(
        self,
        stage: str,
        *,
        upload: Upload,
        limits: Limits,
        source: Path,
        done: Path,
        out: Path,
        progress: Callable[[float], None],
        idle: Callable[[], None],
    ) -> None:
        """Returns when the stage is done. An exception from `progress` or `idle` stops it."""
        self.engines(idle=idle)
        paths = {"source": str(source), "done": str(done), "out": str(out)}
        try:
            self._say({"stage": stage, "upload": upload.plain(), "limits": asdict(limits), **paths})
            while "done" not in (message := self._next(idle)):
                if "failed" in message:
                    raise _failure(message)
                progress(message["progress"])
        except StageFailed:
            raise
        except BaseException:
            self.kill()
            raise

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def _start(self) -> None:
        environment = {**_QUIET, **os.environ}
        paths = [_ROOT, environment.get("PYTHONPATH", "")]
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
        self._process = subprocess.Popen(  # noqa: S603 - a module of this package
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            env=environment,
            process_group=0,  # or Ctrl-C would interrupt its imports, before it can ignore the signal
        )
        self._heard = queue.SimpleQueue()
        listen = threading.Thread(target=_listen, args=(self._process, self._heard), daemon=True)
        listen.start()

    def _say(self, message: dict[str, Any]) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # the process is dead, which `_next` will notice
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()

    def _next(self, idle: Callable[[], None]) -> dict[str, Any]:
        while True:
            try:
                message = self._heard.get(timeout=LISTEN_SECONDS)
            except queue.Empty:
                idle()
                continue
            if message is None:
                raise self._death()
            return message

    def _death(self) -> StageFailed:
        assert self._process is not None
        status = self._process.wait()
        killed = f"was killed (signal {-status}), possibly because it ran out of memory"
        how = killed if status < 0 else "ended unexpectedly"
        return StageFailed(
            "stage_died",
            f"The process that processed the book {how}.",
            remedy="Give the service more memory, then upload the book again.",
            retryable=True,
        )


class Processes:
    """A pool of stage processes, one for each running stage. Idle ones are reused."""

    def __init__(
        self,
        *,
        resolver: str,
        embedder: str,
        booknlp: BookNLPSetup | None = None,
        bits: BitsRule = EXACT,
        command: Sequence[str] = CHILD,
    ) -> None:
        lines = (booknlp or BookNLPSetup()).to_line(), bits.to_line()
        self._command = (*command, resolver, embedder, *lines)
        self._lock = threading.Lock()
        self._idle: list[StageProcess] = []
        self._busy: set[StageProcess] = set()

    @contextmanager
    def one(self) -> Iterator[StageProcess]:
        with self._lock:
            process = self._idle.pop() if self._idle else StageProcess(self._command)
            self._busy.add(process)
        try:
            yield process
        finally:
            with self._lock:
                self._busy.discard(process)
                self._idle.append(process)

    def kill(self) -> None:
        with self._lock:
            processes = [*self._idle, *self._busy]
        for process in processes:
            process.kill()


def _listen(process: subprocess.Popen[str], heard: queue.SimpleQueue[dict[str, Any] | None]) -> None:
    assert process.stdout is not None
    with process.stdout as lines:
        for line in lines:
            heard.put(json.loads(line))
    heard.put(None)


def _failure(message: dict[str, Any]) -> StageFailed:
    failed = message["failed"]
    in_full = failed["in_full"] and Wording(**failed["in_full"])
    return StageFailed(**{**failed, "in_full": in_full})
