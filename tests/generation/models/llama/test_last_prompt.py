"""A prompt that begins like the last one is read from where they differ, with the same numbers."""

from __future__ import annotations

import weakref
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor
from transformers import AutoModelForCausalLM, DynamicCache

from generation.models.llama import attention, network
from generation.models.llama.network import LlamaNetwork

CHUNK = 16
PROMPT = [6 + (at * 37) % 500 for at in range(70)]


class Counted(LlamaNetwork):
    """Counts the tokens that are read."""

    def __init__(self, model: Any) -> None:
        super().__init__(model, device="cpu", rows=2)
        self._count = 0
        self.model.register_forward_pre_hook(self._counted)

    def _counted(self, _: Any, given: tuple[Tensor, ...]) -> None:
        self._count += given[0].numel()

    def reading(self, ids: list[int]) -> tuple[int, Tensor, DynamicCache]:
        before = self._count
        read = self.read(ids)
        assert read is not None
        return self._count - before, *read


@pytest.fixture
def model(tiny_llama: Path, tiny_adapter: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    from peft import PeftModel

    monkeypatch.setitem(network.CHUNKS, "cpu", CHUNK)
    base = AutoModelForCausalLM.from_pretrained(
        tiny_llama, dtype=torch.bfloat16, attn_implementation=attention.NAME
    )
    return PeftModel.from_pretrained(base, tiny_adapter, adapter_name="tuned", autocast_adapter_dtype=False)


@pytest.fixture
def fresh(model: Any) -> Counted:
    return Counted(model)


def alone(fresh: Counted, ids: list[int]) -> tuple[Tensor, DynamicCache]:
    fresh.forget()
    count, chances, cache = fresh.reading(ids)
    assert count == len(ids)
    fresh.forget()
    return chances, cache


def same(one: DynamicCache, other: DynamicCache) -> bool:
    return all(
        torch.equal(a.keys, b.keys) and torch.equal(a.values, b.values)
        for a, b in zip(one.layers, other.layers, strict=True)
    )


@pytest.mark.parametrize(
    ("then", "read"),
    [
        pytest.param(PROMPT, 0, id="the same again"),
        pytest.param(PROMPT[:50] + [3] * 20, 22, id="another end"),
        pytest.param(PROMPT[:48], 16, id="a part of it"),
        pytest.param(PROMPT + [3] * 5, 11, id="more"),
        pytest.param([3, *PROMPT], 71, id="another beginning"),
    ],
)
def test_only_what_differs_is_read(fresh: Counted, then: list[int], read: int) -> None:
    chances, cache = alone(fresh, then)
    fresh.reading(PROMPT)
    count, again, shared = fresh.reading(then)
    assert count == read
    assert torch.equal(again, chances)
    assert same(shared, cache)


def test_another_adapter_reads_it_whole(fresh: Counted) -> None:
    fresh.reading(PROMPT)
    fresh.select("tuned")
    count, tuned, _ = fresh.reading(PROMPT)
    assert count == len(PROMPT)
    fresh.select(None)
    count, plain, _ = fresh.reading(PROMPT)
    assert count == len(PROMPT)
    assert not torch.equal(tuned, plain)


def test_a_cancelled_prompt_is_read_on_from_where_it_stopped(fresh: Counted) -> None:
    chances, _ = alone(fresh, PROMPT)
    turns = iter([False, False, True])
    assert fresh.read(PROMPT, gone=lambda: next(turns)) is None
    count, again, _ = fresh.reading(PROMPT)
    assert count == len(PROMPT) - 2 * CHUNK
    assert torch.equal(again, chances)


def test_of_a_short_prompt_all_is_shared_or_nothing(fresh: Counted) -> None:
    short = PROMPT[: CHUNK - 1]
    chances, cache = alone(fresh, short)
    fresh.reading(short)
    for _ in range(2):
        count, again, shared = fresh.reading(short)
        assert count == 0
        assert torch.equal(again, chances)
        assert same(shared, cache)
    assert fresh.reading([*short[:-1], 3])[0] == len(short)


def test_the_memory_of_the_last_prompt_is_free_before_another_is_read(fresh: Counted) -> None:
    kept = weakref.ref(fresh.reading(PROMPT)[2])
    assert kept() is not None
    alive: list[bool] = []
    fresh.model.register_forward_pre_hook(lambda *_: alive.append(kept() is not None))
    fresh.reading([3, *PROMPT])
    assert alive == [False] * 5


def test_what_an_accident_left_is_not_used(fresh: Counted, monkeypatch: pytest.MonkeyPatch) -> None:
    chances, _ = alone(fresh, PROMPT)
    fresh.reading(PROMPT)
    with monkeypatch.context() as patch:
        patch.setattr(fresh.model.model.norm, "forward", _accident)
        with pytest.raises(RuntimeError, match="accident"):
            fresh.reading([*PROMPT, 3])
    count, again, _ = fresh.reading(PROMPT)
    assert count == len(PROMPT)
    assert torch.equal(again, chances)


def _accident(*_: Any) -> Tensor:
    raise RuntimeError("accident")
