"""The models that can be trained, and what the others lack."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from generation.errors import GeneratorUnavailable
from generation.models.llama import folders, quantisation
from generation.training.base_model import TrainingBase, find
from generation.training.errors import TrainingImpossible
from generation.training.types import LAYERS, Precision, Recipe
from tests.failing import fails

RECIPE = Recipe(precision=Precision.FP32)


def counts(model: torch.nn.Module) -> tuple[int, int]:
    weights = list(model.parameters())
    return sum(w.numel() for w in weights), sum(w.numel() for w in weights if w.requires_grad)


def test_an_adapter_is_trained_and_nothing_else(tiny_llama: Path) -> None:
    model = find(str(tiny_llama)).model(RECIPE, "cpu")
    trained = [name for name, weight in model.named_parameters() if weight.requires_grad]
    assert all(".lora_" in name for name in trained)
    assert {name.split(".lora_")[0].rpartition(".")[2] for name in trained} == set(LAYERS)
    # rank 8: eight rows and columns beside each of seven layers, in two blocks
    sizes = [(64, 64), (64, 32), (64, 32), (64, 64), (64, 128), (64, 128), (128, 64)]
    assert counts(model)[1] == 2 * 8 * sum(a + b for a, b in sizes)


def test_in_16_bits_the_adapter_stays_in_32(tiny_llama: Path) -> None:
    model = find(str(tiny_llama)).model(replace(RECIPE, precision=Precision.BF16), "cpu")
    kinds = {(weight.requires_grad, weight.dtype) for weight in model.parameters()}
    assert kinds == {(True, torch.float32), (False, torch.bfloat16)}


def test_trained_in_full_all_weights_are_in_32_bits(tiny_llama: Path) -> None:
    model = find(str(tiny_llama)).model(Recipe(full=True, precision=Precision.BF16), "cpu")
    assert {(w.requires_grad, w.dtype) for w in model.parameters()} == {(True, torch.float32)}


def test_fewer_bits_need_a_library_and_an_adapter(tiny_llama: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quantisation, "NEEDED", ("no_such_library",))
    with pytest.raises(TrainingImpossible, match="in 4 bits needs no_such_library") as raised:
        find(str(tiny_llama)).model(replace(RECIPE, bits=4), "cpu")
    assert "bookworm[quantised]" in raised.value.advice
    with pytest.raises(TrainingImpossible, match="Only an adapter"):
        find(str(tiny_llama)).model(replace(RECIPE, bits=4, full=True), "cpu")


@pytest.mark.parametrize("full", [False, True])
def test_a_sketch_has_as_many_weights_and_holds_none(tiny_llama: Path, full: bool) -> None:
    base = find(str(tiny_llama))
    recipe = replace(RECIPE, full=full)
    sketch = base.sketch(recipe)
    assert {weight.device.type for weight in sketch.parameters()} == {"meta"}
    assert counts(sketch) == counts(base.model(recipe, "cpu"))


def test_the_same_seed_begins_with_the_same_adapter(tiny_llama: Path) -> None:
    base = find(str(tiny_llama))
    one, two, other = (base.model(replace(RECIPE, seed=seed), "cpu") for seed in (1, 1, 2))
    weights = [[w for w in model.parameters() if w.requires_grad] for model in (one, two, other)]
    assert all(torch.equal(a, b) for a, b in zip(weights[0], weights[1], strict=True))
    assert not all(torch.equal(a, b) for a, b in zip(weights[0], weights[2], strict=True))


def test_how_much_it_reads(tiny_llama: Path) -> None:
    assert find(str(tiny_llama)).context() == 1024
    assert TrainingBase("bloom", folders.BaseFolder(tiny_llama, (), {})).context() is None


def test_an_encoder_decoder_is_refused(tiny_llama: Path, tmp_path: Path) -> None:
    folder = tmp_path / "t5"
    shutil.copytree(tiny_llama, folder)
    config = json.loads((folder / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(json.dumps({**config, "is_encoder_decoder": True}), "utf-8")
    with pytest.raises(TrainingImpossible, match="t5” is an encoder-decoder") as raised:
        find(str(folder))
    assert "a causal model such as Llama" in raised.value.advice


def test_what_is_no_model(tmp_path: Path) -> None:
    with fails(GeneratorUnavailable, match=r"config\.json"):
        find(str(tmp_path))
    with fails(GeneratorUnavailable, match="nobody/nothing"):
        find("nobody/nothing")


def test_layers_that_are_not_there(tiny_llama: Path) -> None:
    with pytest.raises(TrainingImpossible) as raised:
        find(str(tiny_llama)).sketch(replace(RECIPE, layers=("query",)))
    assert "q_proj" in raised.value.advice


def test_a_tokenizer_without_a_chat_template(tiny_llama: Path, tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    shutil.copytree(tiny_llama, folder)
    (folder / "chat_template.jinja").unlink()
    with pytest.raises(TrainingImpossible, match="no chat template"):
        find(str(folder)).tokenizer()


def test_weights_that_do_not_load(tiny_llama: Path, tmp_path: Path) -> None:
    folder = tmp_path / "damaged"
    shutil.copytree(tiny_llama, folder)
    whole = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(TrainingImpossible, match="can't be loaded"):
        find(str(folder)).model(RECIPE, "cpu")
    weights = load_file(tiny_llama / "model.safetensors")
    weights.pop("lm_head.weight")
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(TrainingImpossible, match=r"lacks 1 weights, such as lm_head\.weight"):
        find(str(folder)).model(RECIPE, "cpu")
