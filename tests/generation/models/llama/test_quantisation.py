"""A base in 8 or 4 bits: with bitsandbytes where it is installed, refused plainly where not."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest
import torch

from generation.errors import GeneratorUnavailable
from generation.models.llama import memory, quantisation
from generation.models.llama.model import LlamaModel
from generation.models.types import CompletionRequest, LlamaSetup, Message, MessageRole
from service.settings import Settings
from tests.failing import fails, in_full
from tests.generation.models.llama.test_memory import EIGHT

WEIGHTS = 8_030_261_248
INSTALLED = all(importlib.util.find_spec(name) for name in quantisation.NEEDED)


def test_the_setting_reaches_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOOKWORM_LLAMA_BITS", "4")
    assert Settings().writers.llama.bits == 4


def test_without_the_library_it_is_said_at_once(tiny_llama: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quantisation, "NEEDED", ("no_such_library",))
    with fails(GeneratorUnavailable, match="in 4 bits needs no_such_library") as told:
        LlamaModel(LlamaSetup(base=str(tiny_llama), bits=4, device="cpu"))
    assert "bookworm[quantised]" in in_full(told.value)
    LlamaModel(LlamaSetup(base=str(tiny_llama), bits=16, device="cpu"))


def test_an_apple_gpu_has_no_such_weights() -> None:
    with fails(GeneratorUnavailable, match="on an Apple GPU"):
        quantisation.settings_for(8, "mps", torch.float32)


@pytest.mark.parametrize(("bits", "gigabytes"), [(16, 16.1), (8, 9.6), (4, 5.8)])
def test_linear_layers_are_reckoned_in_their_bits(bits: int, gigabytes: float) -> None:
    found = memory.need(EIGHT, WEIGHTS, context=8192, chunk=8192, batch=1, size=2, bits=bits)
    assert found.weights / 1e9 == pytest.approx(gigabytes, abs=0.1)


@pytest.mark.soak
@pytest.mark.skipif(not INSTALLED, reason="bitsandbytes is not installed")
@pytest.mark.parametrize("bits", [8, 4])
def test_it_writes_with_adapters(tiny_llama: Path, tiny_adapter: Path, bits: int) -> None:
    def model(**more: Any) -> LlamaModel:
        return LlamaModel(LlamaSetup(base=str(tiny_llama), device="cpu", batch=2, **more))

    request = CompletionRequest((Message(MessageRole.USER, "Who is Bess?"),), 12)
    small, adapted = model(bits=bits), model(bits=bits, adapters={"default": tiny_adapter})
    plain = small.complete([request])[0].text
    assert plain
    assert adapted.complete([request])[0].text != plain
    assert small.name == f"{model().name}@{bits}bits"
