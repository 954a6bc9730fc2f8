"""A question uses one thread and leaves the others as they were. Parts of a book are made side by side."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

from coref.native import threads
from coref.native.threads import side_by_side


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


@pytest.mark.parametrize("others", [0, 1, 3])
def test_what_is_made_side_by_side_comes_in_order(others: int) -> None:
    def make(item: int) -> tuple[int, int]:
        time.sleep(0.01 * (item % 3))
        return item, torch.get_num_threads()

    made = list(side_by_side(make, range(10), threads=others))
    assert [item for item, _ in made] == list(range(10))
    assert not others or {count for _, count in made} == {1}
    assert list(side_by_side(make, (), threads=others)) == []


def test_no_more_is_made_ahead_than_there_are_threads() -> None:
    asked: list[int] = []

    made = side_by_side(asked.append, range(100), threads=2)
    next(made)
    assert len(asked) <= 3
    made.close()
    assert len(asked) <= 3
    assert not [each for each in threading.enumerate() if each.name.startswith("side-by-side")]


@pytest.mark.parametrize("others", [0, 2])
def test_an_error_comes_where_its_item_would(others: int) -> None:
    made = side_by_side(lambda item: 1 // item, (2, 1, 0, 1), threads=others)
    assert [next(made), next(made)] == [0, 1]
    with pytest.raises(ZeroDivisionError):
        next(made)


@pytest.mark.parametrize(
    ("parts", "device", "most", "processors", "others"),
    [
        (9, "cpu", 2, 4, 2),
        (3, "cpu", 8, 8, 3),
        (1, "cpu", 2, 4, 0),
        (9, "cuda", 2, 4, 0),
        (9, "cpu", 2, 1, 0),
    ],
)
def test_other_threads_help_with_several_parts_on_several_processors(
    monkeypatch: pytest.MonkeyPatch, parts: int, device: str, most: int, processors: int, others: int
) -> None:
    monkeypatch.setattr(threads, "processors", lambda: processors)
    assert threads.others_for(parts, device=device, most=most) == others
