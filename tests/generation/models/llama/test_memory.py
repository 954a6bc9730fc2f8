"""The memory that a model needs is computed before it is loaded."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import AutoModelForCausalLM, LlamaConfig

from generation.answering import default_words
from generation.errors import GeneratorUnavailable
from generation.models.llama import loaded_model, memory
from generation.models.llama.memory import Capacity, MemoryNeed
from generation.models.llama.model import LlamaModel
from generation.models.scripted_model import ScriptedModel
from generation.models.types import LlamaSetup
from generation.types import AnswerLimits, Task
from generation.writing.answer_sizes import context_for
from generation.writing.writer import PortraitWriter
from service.settings import Settings
from tests.failing import fails

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
    with fails(GeneratorUnavailable, match="damaged"):
        memory.numbers([cut])


def test_what_an_answer_of_llama_3_takes() -> None:
    wanted = memory.need(EIGHT, 0, context=8192, chunk=8192, batch=8, size=2)
    assert wanted.each == 8192 * 2 * 32 * 8 * 128 * 2  # 131,072 bytes a token, its known value


def test_long_prompts_are_read_with_a_mask() -> None:
    short, long = (memory.need(EIGHT, 0, context=c, chunk=8192, batch=1, size=2) for c in (8192, 16_384))
    assert long.working - short.working > 8192 * 16_384


def eight_billion(batch: int, context: int) -> MemoryNeed:
    return memory.need(EIGHT, 8_030_261_248, context=context, chunk=8192, batch=batch, size=2)


def fitted(
    free: float,
    *,
    batch: int = 8,
    context: int = 32_768,
    asked: bool = False,
    enough: int | None = None,
) -> Capacity:
    return memory.fit(
        eight_billion,
        batch=batch,
        context=context,
        asked=asked,
        device="cuda",
        available=int(free * 10**9),
        enough=enough,
    )


@pytest.mark.parametrize(
    ("free", "capacity"),
    [
        (80, Capacity(8, 32_768)),
        (40, Capacity(8, 18_176)),
        (23.5, Capacity(4, 8_448)),
        (19.5, Capacity(1, 7_680)),
    ],
)
def test_batch_and_context_are_fitted_to_what_is_free(free: float, capacity: Capacity) -> None:
    """Llama-3.1-8B in 16 bits on cards of 80, 40, 24 and 20 GB."""
    assert fitted(free) == capacity


def test_a_model_of_8192_tokens_has_no_more_where_more_would_fit() -> None:
    """Llama-3-8B on a card of 24 GB."""
    assert fitted(23.5, context=8192) == Capacity(4, 8192)


def test_with_few_passages_more_answers_are_written_together(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Settings().writers.llama.enough is None
    monkeypatch.setenv("BOOKWORM_TOKEN_BUDGET", "2000")
    enough = Settings().writers.llama.enough
    assert enough == context_for(2000) == 4864
    assert fitted(23.5, enough=enough) == fitted(23.5, context=8192, enough=enough) == Capacity(8, 5376)
    assert fitted(80, enough=enough) == fitted(80), "nothing is given up where there is room"
    assert fitted(23.5, enough=context_for(20_000)) == fitted(23.5)


@pytest.mark.parametrize("task", [Task.DESCRIPTION, Task.ANALYSIS, Task.JOINT, Task.QUESTION])
def test_that_context_has_room_for_the_passages(task: Task) -> None:
    writer = PortraitWriter(ScriptedModel(context=context_for(2000)))
    room = writer.room(task, AnswerLimits(words=default_words(task)))
    assert room is not None
    assert room >= 2000


def test_the_model_reckons_with_it(tiny_llama: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int | None] = []

    def fit(*_: object, enough: int | None, **__: object) -> Capacity:
        asked.append(enough)
        return Capacity(1, 512)

    monkeypatch.setattr(memory, "fit", fit)
    monkeypatch.setattr(loaded_model, "_reckoned", {})  # what is reckoned here is of no use to other tests
    for enough in (None, 700):
        assert LlamaModel(LlamaSetup(base=str(tiny_llama), device="cpu", enough=enough)).context == 512
    assert asked == [None, 700]


def test_a_context_that_was_asked_for_is_kept() -> None:
    assert fitted(40, context=32_768, asked=True) == Capacity(3, 32_768)
    with fails(GeneratorUnavailable, match="GB for an answer of 32,768 tokens"):
        fitted(23.5, context=32_768, asked=True)


def test_what_does_not_fit_at_all_is_refused() -> None:
    with fails(GeneratorUnavailable, match=r"16\.0 GB are free: 16\.1 GB for the weights.* smaller base"):
        fitted(16)


@given(
    free=st.floats(10, 200), batch=st.integers(1, 64), context=st.integers(512, 131_072), asked=st.booleans()
)
def test_what_is_fitted_fits(free: float, batch: int, context: int, asked: bool) -> None:
    try:
        found = fitted(free, batch=batch, context=context, asked=asked)
    except GeneratorUnavailable:
        return
    wanted = eight_billion(found.batch, found.context)
    assert wanted.weights + wanted.working + (found.batch + 1) * wanted.each <= free * 10**9
    assert 1 <= found.batch <= batch
    assert found.context == context if asked else min(context, 2048) <= found.context <= context


def test_a_model_that_is_too_much_for_the_machine_is_not_loaded(
    tiny_llama: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "free", lambda _: 10**5)
    model = LlamaModel(LlamaSetup(base=str(tiny_llama), device="cpu", batch=7))
    with fails(GeneratorUnavailable, match="are free"):
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
