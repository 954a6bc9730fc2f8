"""Resolves one very long book in a process of its own, with little memory, and reports its costs as JSON.

Run by the tests: `python -m tests.coref.bad_child RESOLVER BOOK`.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time

from tests.coref.bad_texts import VERY
from tests.coref.engines import engine
from tests.coref.laws import assert_lawful

ROOM = 8 << 30
"""Limit of address space, so that unbounded growth fails instead of taking down the machine."""
SECONDS = 1800


def main() -> None:
    os.environ.update(OMP_NUM_THREADS="1", OMP_WAIT_POLICY="PASSIVE", GOMP_SPINCOUNT="0")
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
    name, bad = sys.argv[1:]
    from books.reading import read
    from coref.registry import resolver_for

    book = read(VERY[bad]().encode(), force=True)
    with engine(name) as made:
        resolver = resolver_for(book, made)
        started = time.process_time()
        found = resolver.annotate(book)
        seconds = time.process_time() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    assert_lawful(book, found)
    print(json.dumps({"seconds": seconds, "mib": peak, "characters": len(found.characters)}))


if __name__ == "__main__":
    main()
