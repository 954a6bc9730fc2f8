"""Reads hostile files, each in a process of its own with little memory and time; names come in by lines.

Run by the tests: `python -m tests.books.hostile.child`. Answers each name with a line of JSON.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from books.errors import BookwormError
from books.formats.registry import READERS, reader
from books.reading import read
from tests.books.hostile.corpus import CORPUS, READ
from tests.books.laws import assert_lawful

ROOM = 1536 << 20
"""Address space for a reading, beyond what the interpreter already uses."""
SECONDS = 60


def main() -> None:
    for name in READERS:
        reader(name)  # Their libraries count as the interpreter's.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "book")
        for line in sys.stdin:
            _apart(partial(_build, line.strip(), path))
            _apart(partial(_tell, path))


def _build(name: str, path: Path) -> None:
    path.write_bytes(CORPUS[name].make())


def _apart(work: Callable[[], None]) -> None:
    """Run in a fork, so that one file leaves nothing behind for the next."""
    sys.stdout.flush()
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        if os.waitstatus_to_exitcode(status):
            print(json.dumps({"outcome": f"died with {os.waitstatus_to_exitcode(status)}"}), flush=True)
        return
    try:
        work()
        sys.stdout.flush()
    except BaseException as error:
        print(json.dumps({"outcome": f"{type(error).__name__}: {error}"[:2000]}), flush=True)
    finally:
        os._exit(0)


def _tell(path: Path) -> None:
    data = path.read_bytes()
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    space = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (space + ROOM, space + ROOM))
    before = _peak()
    started = time.process_time()
    try:
        book, outcome = read(data, force=True), READ
    except BookwormError as error:
        book, outcome = None, error.code
    seconds = time.process_time() - started
    peak = _peak() - before
    told = ""
    if book is not None:
        assert_lawful(book)
        told = book.text[:20_000] + " ".join(
            [book.title, book.author or "", *(c.title for c in book.chapters[:50])]
        )
    answer = {"outcome": outcome, "seconds": seconds, "mib": peak // 1024, "size": len(data), "told": told}
    print(json.dumps(answer), flush=True)


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    main()
