"""Recorded steps write what steps launched one by one write."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.fx.experimental.proxy_tensor import make_fx
from transformers import AutoModelForCausalLM, AutoTokenizer

from generation.models.llama import attention
from generation.models.llama import network as network_module
from generation.models.llama.network import LlamaNetwork
from generation.models.llama.recording import STEADY, GraphRecorder
from generation.models.llama.scheduler import Scheduler
from tests.generation.models.llama.test_scheduler import adapted, run

needs_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU with CUDA")


class TracedRecorder:
    """Records on any processor. Like a graph, a trace keeps Python's numbers, but not those in tensors."""

    def __init__(self) -> None:
        self.recorded: dict[tuple[object, Hashable], Any] = {}
        self.steps = 0

    def run(self, storage: object, shape: Hashable, step: Callable[[], Tensor]) -> Tensor:
        self.steps += 1
        key = (storage, shape)
        if key not in self.recorded:
            self.recorded[key] = make_fx(step)()
        result: Tensor = self.recorded[key]()
        return result


def base(folder: Path, device: str, **more: Any) -> Any:
    return AutoModelForCausalLM.from_pretrained(
        folder, dtype=torch.float32, attn_implementation=attention.NAME, **more
    ).to(device)


def texts(
    network: LlamaNetwork,
    folder: Path,
    *,
    most: int = 25,
    times: int = 2,
    adapters: Sequence[str | None] = (None,),
) -> list[str]:
    """What is written for prompts of several lengths, of which only four have a slot at a time."""
    scheduler = Scheduler(network, ends=frozenset())
    tokenizer = AutoTokenizer.from_pretrained(folder)
    try:
        return [c.text for _ in range(times) for c in run(scheduler, tokenizer, most=most, adapters=adapters)]
    finally:
        scheduler.close()


def test_what_changes_from_step_to_step_lies_in_tensors_that_stay(tiny_llama: Path) -> None:
    model, recorder = base(tiny_llama, "cpu"), TracedRecorder()
    plain = texts(LlamaNetwork(model, device="cpu", rows=4), tiny_llama)
    assert texts(LlamaNetwork(model, device="cpu", rows=4, recorder=recorder), tiny_llama) == plain
    seen = {shape[1] for _, shape in recorder.recorded}  # type: ignore[index, misc]
    assert seen <= {1, 2, 4}
    assert 2 * len(recorder.recorded) < recorder.steps


def test_steps_of_several_adapters_are_recorded_too(
    tiny_llama: Path, tiny_adapter: Path, tmp_path: Path
) -> None:
    model, recorder = adapted(tiny_llama, tiny_adapter, tmp_path), TracedRecorder()
    names = ["one", "other", None]
    plain = texts(LlamaNetwork(model, device="cpu", rows=4), tiny_llama, adapters=names)
    recorded = LlamaNetwork(model.get_base_model(), device="cpu", rows=4, recorder=recorder)
    assert texts(recorded, tiny_llama, adapters=names) == plain
    assert any(shape[0] == ("one", "other") for _, shape in recorder.recorded)  # type: ignore[index]


@needs_gpu
def test_graphs_write_the_same_on_a_gpu(tiny_llama: Path) -> None:
    model = base(tiny_llama, "cuda")
    recorder = GraphRecorder("cuda")
    plain = texts(LlamaNetwork(model, device="cuda", rows=4, recorder=Unrecorded()), tiny_llama)
    assert texts(LlamaNetwork(model, device="cuda", rows=4, recorder=recorder), tiny_llama) == plain
    assert recorder.recorded


@needs_gpu
def test_a_model_that_needs_its_numbers_on_the_way_is_not_recorded(tiny_llama: Path) -> None:
    scaling = {"rope_type": "dynamic", "rope_theta": 10_000.0, "factor": 2.0}
    model = base(tiny_llama, "cuda", rope_parameters=scaling)
    recorder = GraphRecorder("cuda")
    plain = texts(LlamaNetwork(model, device="cuda", rows=4, recorder=Unrecorded()), tiny_llama)
    assert texts(LlamaNetwork(model, device="cuda", rows=4, recorder=recorder), tiny_llama) == plain
    assert not recorder.recorded


@needs_gpu
def test_only_a_steady_shape_is_recorded() -> None:
    recorder, total = GraphRecorder("cuda"), torch.zeros(1, device="cuda")
    storage = object()
    results = [float(recorder.run(storage, "a", lambda: total.add_(1) + 0)) for _ in range(STEADY + 3)]
    assert results == [1.0, 2.0, 3.0, 4.0, 5.0]
    assert recorder.recorded == {"a"}
    recorder.run(object(), "a", lambda: total.add_(1) + 0)
    assert not recorder.recorded, "its tensors are gone"


class Unrecorded:
    def run(self, storage: object, shape: Hashable, step: Callable[[], Tensor]) -> Tensor:
        return step()


def test_a_base_in_eight_bits_is_not_recorded(tiny_llama: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = base(tiny_llama, "cpu")
    monkeypatch.setattr(network_module, "GraphRecorder", lambda _device: pytest.fail("recorded"))
    monkeypatch.setattr(torch, "device", lambda _name: SimpleNamespace(type="cuda"))
    with pytest.raises(pytest.fail.Exception):
        LlamaNetwork(model, device="cpu", rows=1)
    model.is_loaded_in_8bit = True
    LlamaNetwork(model, device="cpu", rows=1)
