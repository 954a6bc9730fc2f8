"""Scaled positions: what is asked for, what a model gets, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM

from evaluation.positions.perplexity import curve, windows_of
from generation.errors import GeneratorUnavailable
from generation.models.llama.folders import AdapterFolder, expect_trained_on, find_base
from generation.models.llama.model import LlamaModel
from generation.models.llama.rope import RopeMethod, RopeScaling, scaled
from generation.models.types import CompletionRequest, LlamaSetup, Message, MessageRole
from generation.training.base_model import find
from generation.training.types import Recipe
from tests.failing import fails, in_full
from tests.generation.models.tiny import CONTEXT, build

ASKED = CompletionRequest((Message(MessageRole.USER, "Who is Bess Farrow?"),), 4, temperature=0.0)


def config() -> LlamaConfig:
    return LlamaConfig(
        vocab_size=32,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        max_position_embeddings=64,
    )


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("rope") / "base")


def rotations(scaling: str | None) -> torch.Tensor:
    model = LlamaForCausalLM(scaled(config(), RopeScaling.parse(scaling)))
    found: torch.Tensor = model.model.rotary_emb.inv_freq
    return found


def test_each_method_rotates_as_its_paper_says() -> None:
    plain = rotations(None)
    assert torch.allclose(rotations("pi:4"), plain / 4), "all positions are pressed together"
    width = len(plain) * 2
    base = 10_000 * 4 ** (width / (width - 2))
    ntk = rotations("ntk:4")
    assert torch.allclose(ntk, base ** -(torch.arange(0, width, 2) / width), rtol=1e-4)
    assert ntk[0] == plain[0]
    assert ntk[-1] == pytest.approx(float(plain[-1]) / 4, rel=1e-3), "the slowest is interpolated wholly"
    yarn = rotations("yarn:4")
    assert yarn[0] == pytest.approx(float(plain[0]), rel=1e-4)
    assert yarn[-1] == pytest.approx(float(plain[-1]) / 4, rel=1e-3)
    assert torch.allclose(rotations("abf:500000"), 500_000 ** -(torch.arange(0, width, 2) / width), rtol=1e-4)


def test_the_context_grows_but_for_another_base() -> None:
    asked = {str(method): RopeScaling(method, 4) for method in RopeMethod}
    found = {name: scaled(config(), scaling).max_position_embeddings for name, scaling in asked.items()}
    assert found == {"pi": 256, "ntk": 256, "yarn": 256, "abf": 64}
    given = config()
    scaled(given, asked["pi"])
    assert given.max_position_embeddings == 64, "the given configuration is left alone"


@pytest.mark.parametrize(
    "text", ["yarn", "yarn:x", "yarn:0.5", "yarn:1", "longrope:4", "pi:inf", "pi:nan", ":4"]
)
def test_nonsense_is_refused(text: str) -> None:
    with fails(GeneratorUnavailable, match="no scaling of positions"):
        RopeScaling.parse(text)


def test_nothing_is_no_scaling() -> None:
    assert RopeScaling.parse(None) is None
    assert RopeScaling.parse("") is None
    assert str(RopeScaling.parse("yarn:4.0")) == "yarn:4"


def test_a_model_that_scales_already_is_not_scaled_twice() -> None:
    once = scaled(config(), RopeScaling(RopeMethod.POSITION, 2))
    with fails(GeneratorUnavailable, match="already"):
        scaled(once, RopeScaling(RopeMethod.YARN, 2))
    scaled(once, RopeScaling(RopeMethod.BASE, 50_000))


def test_it_is_served_under_a_name_of_its_own(base: Path) -> None:
    plain = LlamaModel(LlamaSetup(base=str(base), device="cpu"))
    longer = LlamaModel(LlamaSetup(base=str(base), device="cpu", rope="yarn:2"))
    assert longer.name == f"{plain.name}@yarn:2"
    assert longer.context > plain.context == CONTEXT
    (answer,) = longer.complete([ASKED])
    assert answer.usage.completion_tokens > 0


def test_training_reads_longer_texts_with_it(base: Path) -> None:
    found = find(str(base))
    assert (found.context(), found.context("pi:2")) == (CONTEXT, 2 * CONTEXT)
    model = found.model(Recipe(rope="pi:2"), "cpu")
    assert model.config.max_position_embeddings == 2 * CONTEXT


def test_an_adapter_is_served_with_the_positions_of_its_training(base: Path, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(json.dumps({"recipe": {"rope": "yarn:4"}}), "utf-8")
    adapter = AdapterFolder(tmp_path, tmp_path / "adapter_model.safetensors", {})
    known = find_base(str(base))
    expect_trained_on(known, {"default": adapter}, rope="yarn:4")
    with fails(GeneratorUnavailable, match="scaled by `yarn:4`") as refused:
        expect_trained_on(known, {"default": adapter})
    assert "BOOKWORM_LLAMA_ROPE=yarn:4" in in_full(refused.value)


def test_perplexity_by_position() -> None:
    """A model that repeats what it saw: the second half of a window costs as much as a random one."""
    torch.manual_seed(0)
    model = LlamaForCausalLM(config()).eval()
    tokens = torch.randint(0, 32, (1000,)).tolist()
    found = curve(model, tokens, 64, most=5, bins=4)
    assert found is not None
    assert (found.length, found.windows, len(found.bins)) == (64, 5, 4)
    assert all(24 < value < 45 for value in (found.whole, *found.bins)), "near the 32 of pure chance"
    assert curve(model, tokens[:40], 64) is None
    assert [len(window) for window in windows_of(tokens, 300, 9)] == [300, 300, 300]


def test_the_folder_of_a_base_keeps_its_own_positions(base: Path) -> None:
    model = AutoModelForCausalLM.from_pretrained(base, local_files_only=True)
    assert model.config.max_position_embeddings == CONTEXT
