"""The stage process: runs stages for a worker, which sends it messages as lines of JSON.

Processing a novel keeps a core busy for seconds. In the process that also serves HTTP, that work would hold
the interpreter lock and every request would wait; and work in a thread cannot be stopped. Stages therefore
run in a separate process. It is killed when its job is cancelled, and if it runs out of memory, only the
stage fails and not the service. Models stay loaded between jobs. The process ends after some time without
work.

In:  {"stage": …, "upload": {…}, "limits": {…}, "source": …, "done": …, "out": …}
Out: {"engines": {…}} once; then for each stage {"progress": 0.5} …, and {"done": true} or {"failed": {…}}
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

from books.errors import BookwormError
from books.limits import Limits
from coref.booknlp.setup import BookNLPSetup
from coref.protocols import Resolver
from db.store.errors import full_disk_told
from retrieval.protocols import Embedder
from service.encoder_bits import EXACT, BitsRule
from service.jobs.errors import INTERNAL
from service.jobs.stages import WRITING, Stage, Upload, Work, engine_names
from service.observability.exceptions import describe_exception

IDLE_SECONDS = 300.0
PROGRESS_SECONDS = 0.2

Message = dict[str, Any]
Say = Callable[[Message], None]


def main(plan: Sequence[Stage] = WRITING) -> None:
    resolver, embedder, *setups = sys.argv[1:]
    booknlp, bits = setups or (BookNLPSetup().to_line(), EXACT.to_line())
    say = _speaker(_own_stdout())
    for number in (signal.SIGINT, signal.SIGTERM):  # systemd and containers send them to all
        signal.signal(number, signal.SIG_IGN)  # the worker decides: this process ends when its input closes
    tasks: queue.SimpleQueue[Message] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(tasks,), daemon=True).start()
    try:
        made = _engines(resolver, embedder, BookNLPSetup.from_line(booknlp), BitsRule.from_line(bits))
    except Exception as error:
        say({"failed": _told(error)})
        return
    say({"engines": engine_names(resolver=made[0].name, embedder=made[1].name)})
    _serve(tasks, {stage.name: stage for stage in plan}, made, say)


def _serve(
    tasks: queue.SimpleQueue[Message],
    plan: Mapping[str, Stage],
    engines: tuple[Resolver, Embedder],
    say: Say,
) -> None:
    while True:
        try:
            task = tasks.get(timeout=IDLE_SECONDS)
        except queue.Empty:
            return
        try:
            with full_disk_told():
                _run(plan[task["stage"]], task, engines, say)
        except Exception as error:
            say({"failed": _told(error)})
        else:
            say({"done": True})


def _run(stage: Stage, task: Message, engines: tuple[Resolver, Embedder], say: Say) -> None:
    assert stage.run is not None
    last = 0.0

    def progress(share: float) -> None:
        nonlocal last
        if time.monotonic() - last >= PROGRESS_SECONDS:
            last = time.monotonic()
            say({"progress": share})

    paths = {name: Path(task[name]) for name in ("source", "done", "out")}
    resolver, embedder = engines
    upload, limits = Upload.from_plain(task["upload"]), Limits(**task["limits"])
    work = Work(
        upload=upload, resolver=resolver, embedder=embedder, limits=limits, progress=progress, **paths
    )
    stage.run(work)


def _engines(
    resolver: str, embedder: str, booknlp: BookNLPSetup, bits: BitsRule
) -> tuple[Resolver, Embedder]:
    from coref.registry import ResolverSetup, make_resolver
    from retrieval.registry import make_embedder

    setup = ResolverSetup(booknlp, bits)
    return make_resolver(resolver, setup=setup), make_embedder(embedder, bits=bits)


def _told(error: Exception) -> Message:
    if isinstance(error, BookwormError):
        told = {"code": error.code, "detail": error.detail, "remedy": error.advice}
        in_full = asdict(error.in_full) if error.in_full else None
        return {**told, "retryable": error.retryable, "in_full": in_full}
    # The message of an exception may quote the book, so only its class and its place are logged.
    detail = json.dumps(describe_exception(error))
    return {"code": INTERNAL, "detail": detail, "remedy": None, "retryable": False, "in_full": None}


def _listen(tasks: queue.SimpleQueue[Message]) -> None:
    """The worker holds the other end of the input: when it dies, however it dies, this process ends."""
    for line in sys.stdin:
        tasks.put(json.loads(line))
    os._exit(0)


def _own_stdout() -> TextIO:
    """Reserves standard output for the protocol. What libraries print goes to standard error."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return out


def _speaker(out: TextIO) -> Say:
    def say(message: Message) -> None:
        print(json.dumps(message), file=out, flush=True)

    return say


if __name__ == "__main__":
    main()
