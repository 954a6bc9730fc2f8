"""A question uses one thread and leaves the others as they were."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import torch

from retrieval.embedders import threads


def test_little_work_takes_one_thread_and_much_takes_all() -> None:
    def counts() -> tuple[int, int, int]:
        torch.set_num_threads(2)
        with threads.for_work(threads.ALONE):
            little = torch.get_num_threads()
        with threads.for_work(threads.ALONE + 1):
            much = torch.get_num_threads()
        return little, much, torch.get_num_threads()

    with ThreadPoolExecutor(1) as apart:  # the number is per thread
        assert apart.submit(counts).result() == (1, 2, 2)


def test_other_threads_keep_theirs() -> None:
    def count() -> int:
        torch.set_num_threads(2)
        return torch.get_num_threads()

    with ThreadPoolExecutor(1) as apart, threads.for_work(1):
        assert apart.submit(count).result() == 2
        assert torch.get_num_threads() == 1
