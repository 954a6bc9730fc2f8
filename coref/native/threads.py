"""How many threads work uses: a question one, and a book all.

A few words take less time than waking the other threads at every layer and waiting for them. Parts of a book
are encoded side by side with one thread each, not one after the other with all threads: then the work between
the multiplications uses all processors, too.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Final, TypeVar

import torch
from threadpoolctl import ThreadpoolController

ALONE: Final = 128
"""Tokens, with padding, up to which one thread is as fast as two."""

T = TypeVar("T")
R = TypeVar("R")


def for_work(tokens: int) -> AbstractContextManager[object]:
    """Limit the threads of the calling thread only: OpenMP keeps the number per thread."""
    return nullcontext() if tokens > ALONE else at_most(1)


def at_most(threads: int) -> AbstractContextManager[object]:
    """Limit the threads that the calling thread computes with."""
    processors()
    torch.get_num_threads()  # in a new thread torch sets its own number at the first query, and not later
    limited: AbstractContextManager[object] = _openmp().limit(limits=threads)
    return limited


def others_for(parts: int, *, device: str, most: int) -> int:
    """Return how many other threads make parts of a book side by side.

    None do on a GPU, or where there is one part: that may use all threads at once.
    """
    return 0 if device != "cpu" or parts < 2 or processors() < 2 else min(parts, most)


def side_by_side(make: Callable[[T], R], items: Iterable[T], *, threads: int) -> Generator[R]:
    """Yield what `make` makes of each item, in order, made by so many other threads ahead of being asked for.

    Without other threads nothing is made ahead.
    """
    if threads < 1:
        yield from map(make, items)
        return

    def alone(item: T) -> R:
        with at_most(1):
            return make(item)

    coming: deque[Future[R]] = deque()
    pool = ThreadPoolExecutor(threads, "side-by-side")
    try:
        for item in items:
            made = [coming.popleft().result()] if len(coming) == threads else []
            coming.append(pool.submit(alone, item))
            if made:
                yield made.pop()  # so that nothing here holds it while the next is waited for
        while coming:
            yield coming.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


@cache
def processors() -> int:
    """Return how many threads a calculation uses where they are not limited."""
    return torch.get_num_threads()


@cache
def _openmp() -> ThreadpoolController:
    return ThreadpoolController().select(user_api="openmp")
