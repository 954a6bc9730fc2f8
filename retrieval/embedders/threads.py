"""Use one thread for a question and all threads for a book.

A few words take less time than waking the other threads at every layer and waiting for them.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Final

import torch
from threadpoolctl import ThreadpoolController

ALONE: Final = 128
"""Tokens, with padding, up to which one thread is as fast as two."""


def for_work(tokens: int) -> AbstractContextManager[object]:
    """Limit the threads of the calling thread only: OpenMP keeps the number per thread."""
    if tokens > ALONE:
        return nullcontext()
    torch.get_num_threads()  # in a new thread torch sets its own number at the first query, and not later
    limited: AbstractContextManager[object] = _openmp().limit(limits=1)
    return limited


@cache
def _openmp() -> ThreadpoolController:
    return ThreadpoolController().select(user_api="openmp")
