"""The memory that a model needs is computed before it is loaded."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM, LlamaConfig

from generation.errors import GeneratorUnavailable
from generation.models.llama import memory
from generation.models.llama.memory import MemoryNeed
from generation.models.llama.model import LlamaModel
from generation.models.types import LlamaSetup

EIGHT = LlamaConfig(
    vocab_size=128_256,
    hidden_size=4096,
    intermediate_size=14_336,
    num_hidden_layers=32,
    num_attention_heads=32,
    num_key_value_heads=8,
)


def test_weights_are_counted_off_the_headers(tiny_llama: Path) -> None:
    model = AutoModelForCausalLM.from_pretrained(tiny_llama)
    assert memory.numbers([tiny_llama / "model.safetensors"]) == sum(p.numel() for p in model.parameters())


def test_a_cut_off_file_is_damaged(tiny_llama: Path, tmp_path: Path) -> None:
    cut = tmp_path / "model.safetensors"
    cut.write_bytes((tiny_llama / "model.safetensors").read_bytes()[:1000])
    with pytest.raises(GeneratorUnavailable, match="damaged"):
        memory.numbers([cut])


def test_what_an_answer_of_llama_3_takes() -> None:
    wanted = memory.need(EIGHT, [], context=8192, chunk=8192, batch=8, size=2)
    assert wanted.each == 8192 * 2 * 32 * 8 * 128 * 2  # 131,072 bytes a token, its known value


def test_long_prompts_are_read_with_a_mask() -> None:
    short, long = (memory.need(EIGHT, [], context=c, chunk=8192, batch=1, size=2) for c in (8192, 16_384))
    assert long.working - short.working > 8192 * 16_384


def test_what_is_missing_is_said_with_what_would_fit() -> None:
    wanted = MemoryNeed(weights=16 * 10**9, each=4 * 10**9, working=10**9)
    with pytest.raises(GeneratorUnavailable) as raised:
        memory.check(wanted, batch=8, context=32_768, device="cpu", available=30 * 10**9)
    assert "53.0 GB of memory are needed, and 30.0 GB are free" in str(raised.value)
    assert "a context of 11,776 tokens" in str(raised.value)
    assert "a batch of 2 " in str(raised.value)
    shorter = MemoryNeed(wanted.weights, wanted.each * 11_776 // 32_768, wanted.working)
    memory.check(shorter, batch=8, context=11_776, device="cpu", available=30 * 10**9)


def test_no_context_helps_where_the_weights_do_not_fit() -> None:
    wanted = MemoryNeed(weights=16 * 10**9, each=4 * 10**9, working=10**9)
    with pytest.raises(GeneratorUnavailable, match="smaller base model"):
        memory.check(wanted, batch=1, context=32_768, device="cuda", available=16 * 10**9)


def test_the_remedy_does_fit() -> None:
    wanted = MemoryNeed(weights=16 * 10**9, each=4 * 10**9, working=10**9)
    memory.check(wanted, batch=2, context=32_768, device="cpu", available=30 * 10**9)
    with pytest.raises(GeneratorUnavailable, match="a batch of 2 "):
        memory.check(wanted, batch=3, context=32_768, device="cpu", available=30 * 10**9)


def test_a_model_that_is_too_much_for_the_machine_is_not_loaded(tiny_llama: Path) -> None:
    model = LlamaModel(LlamaSetup(base=str(tiny_llama), device="cpu", batch=10**8))
    with pytest.raises(GeneratorUnavailable, match="are free"):
        model.load()


def test_a_container_may_have_less(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = memory.free("cpu")
    monkeypatch.setattr(memory, "GROUP", tmp_path)
    told = {
        "memory.max": "3000000",
        "memory.current": "2000000",
        "memory.stat": "anon 1\ninactive_file 500000",
    }
    for name, text in told.items():
        (tmp_path / name).write_text(text + "\n")
    assert memory.free("cpu") == 1_500_000
    (tmp_path / "memory.max").write_text("max\n")
    assert memory.free("cpu") == pytest.approx(whole, rel=0.5)
    monkeypatch.setattr(memory, "MEMINFO", tmp_path / "none")
    assert memory.free("cpu") >= whole


def test_memory_is_what_linux_says() -> None:
    assert 10**7 < memory.free("cpu") < 10**15
    if torch.cuda.is_available():
        assert memory.free("cuda") > 0
