"""One thread for a question, all of them for a book.

What a few words take is less than what it takes to wake the other threads at every layer and wait for them.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Final

import torch
from threadpoolctl import ThreadpoolController

ALONE: Final = 128
"""Tokens, padding included, up to which one thread is as quick as two."""


def for_work(tokens: int) -> AbstractContextManager[object]:
    """Bounds only the thread that calls: OpenMP keeps the number for each."""
    if tokens > ALONE:
        return nullcontext()
    torch.get_num_threads()  # in a new thread torch sets its own number when it is first asked, and not later
    limited: AbstractContextManager[object] = _openmp().limit(limits=1)
    return limited


@cache
def _openmp() -> ThreadpoolController:
    return ThreadpoolController().select(user_api="openmp")
