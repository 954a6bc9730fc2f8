"""Adapters that do not fit or have no effect are found before the first question."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import torch

from generation.errors import GeneratorUnavailable
from generation.models.llama.adapters import LeanLinear
from generation.models.llama.loading import device_of
from generation.models.llama.model import LlamaModel
from generation.models.types import CompletionRequest, LlamaSetup, Message, MessageRole
from tests.failing import fails
from tests.generation.models import tiny


def load(base: Path, **adapters: Path) -> LlamaModel:
    model = LlamaModel(LlamaSetup(base=str(base), adapters=adapters))
    model.load()
    return model


def lean(model: LlamaModel) -> list[LeanLinear]:
    return [part for part in model._scheduler()._network.model.modules() if isinstance(part, LeanLinear)]


def test_an_adapter_never_trained_is_found_out(tiny_llama: Path, tiny_adapter: Path, tmp_path: Path) -> None:
    empty = tiny.adapt(tiny_llama, tmp_path / "empty", strength=0)
    with fails(GeneratorUnavailable, match=r"changes nothing.*empty"):
        load(tiny_llama, analysis=tiny_adapter, default=empty)


def test_an_adapter_of_another_base_is_found_out(
    tiny_llama: Path, tiny_adapter: Path, tmp_path: Path
) -> None:
    wide = tiny.build(tmp_path / "wide", hidden=96)
    other = tiny.adapt(wide, tmp_path / "other")
    with fails(GeneratorUnavailable, match=r"not for this base.*has no counterpart there"):
        load(tiny_llama, default=other)
    with fails(GeneratorUnavailable, match=r"not for this base.*wide"):
        load(tiny_llama, analysis=tiny_adapter, default=other)


def test_the_base_that_a_manifest_names_is_the_one(
    tiny_llama: Path, tiny_adapter: Path, tmp_path: Path
) -> None:
    """Two bases of one shape: only the manifest shows that the adapter is for the other."""
    adapter = Path(shutil.copytree(tiny_adapter, tmp_path / "adapter"))
    own = LlamaModel(LlamaSetup(base=str(tiny_llama))).name.partition(":")[2]
    (adapter / "manifest.json").write_text(json.dumps({"base": {"name": "tiny", "sha256": own + "0" * 52}}))
    load(tiny_llama, default=adapter)
    with fails(GeneratorUnavailable, match="trained on a different base"):
        load(tiny.build(tmp_path / "other", seed=9), default=adapter)


def test_damaged_weights_are_found_out(tiny_llama: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    folder = Path(shutil.copytree(tiny_llama, tmp_path / "base"))
    weights = load_file(folder / "model.safetensors")
    weights["model.norm.weight"] *= torch.nan
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with fails(GeneratorUnavailable, match="not a number"):
        load(folder)


@pytest.mark.soak
def test_files_that_change_under_their_name_are_not_loaded(tiny_llama: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(tiny_llama, tmp_path / "base"))
    model = LlamaModel(LlamaSetup(base=str(folder)))
    assert model.name
    tiny.build(folder, seed=5)
    with fails(GeneratorUnavailable, match="have changed"):
        model.load()


def test_a_tokenizer_without_a_template_is_found_out(
    tiny_llama: Path, tiny_adapter: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(tiny_llama, tmp_path / "base"))
    (folder / "chat_template.jinja").unlink()
    with fails(GeneratorUnavailable, match="no chat template"):
        LlamaModel(LlamaSetup(base=str(folder)))
    # An adapter may bring the template that it was trained with.
    adapter = Path(shutil.copytree(tiny_adapter, tmp_path / "adapter"))
    (adapter / "chat_template.jinja").write_text(tiny.TEMPLATE)
    assert load(folder, default=adapter).count_prompt([Message(MessageRole.USER, "Who?")]) > 8


def test_an_adapter_is_asked_with_its_own_template(
    tiny_llama: Path, tiny_adapter: Path, tmp_path: Path
) -> None:
    adapter = Path(shutil.copytree(tiny_adapter, tmp_path / "adapter"))
    (adapter / "chat_template.jinja").write_text("Listen well. " + tiny.TEMPLATE)
    plain, own = load(tiny_llama, default=tiny_adapter), load(tiny_llama, default=adapter)
    asked = (Message(MessageRole.USER, "Who is Bess?"),)
    assert own.count_prompt(asked) > plain.count_prompt(asked)
    request = CompletionRequest(asked, 8, temperature=0)
    assert own.complete([request])[0].usage.prompt_tokens == own.count_prompt(asked)


def test_tasks_share_an_adapter_that_is_given_twice(tiny_llama: Path, tiny_adapter: Path) -> None:
    model = load(tiny_llama, description=tiny_adapter, joint=tiny_adapter)
    assert {len(layer._all) for layer in lean(model)} == {1}


def test_adapters_have_the_precision_of_the_base(tiny_llama: Path, tiny_adapter: Path) -> None:
    layers = lean(load(tiny_llama, default=tiny_adapter))
    assert len(layers) == 2 * len(tiny.PROJECTIONS)
    for layer in layers:
        [(down, up, _)] = layer._all.values()
        assert down.dtype == up.dtype == layer.weight.dtype


def test_windows_of_attention_are_refused(tiny_llama: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(tiny_llama, tmp_path / "base"))
    config = json.loads((folder / "config.json").read_text("utf-8"))
    config |= {"model_type": "mistral", "sliding_window": 128, "architectures": ["MistralForCausalLM"]}
    (folder / "config.json").write_text(json.dumps(config))
    with fails(GeneratorUnavailable, match="windowed attention"):
        LlamaModel(LlamaSetup(base=str(folder)))


def test_a_model_of_unknown_kind_is_refused(tiny_llama: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(tiny_llama, tmp_path / "base"))
    (folder / "config.json").write_text('{"model_type": "abacus"}')
    with fails(GeneratorUnavailable, match="not a known language model"):
        LlamaModel(LlamaSetup(base=str(folder)))


@pytest.mark.parametrize("wanted", ["tpu", "cuda:x", "mps:1", "CPU", ""])
def test_there_is_no_such_device(wanted: str) -> None:
    with fails(GeneratorUnavailable, match="no device type"):
        device_of(wanted)


def test_devices() -> None:
    assert device_of("cpu") == "cpu"
    assert device_of("auto") == ("cuda" if torch.cuda.is_available() else "cpu")
    with fails(GeneratorUnavailable, match="no Apple GPU"):
        device_of("mps")
    with fails(GeneratorUnavailable, match=f"finds {torch.cuda.device_count()} with CUDA"):
        device_of("cuda:99")


def test_an_apple_gpu_comes_before_the_processor_and_after_cuda(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)
    for cuda, device in ((False, "mps"), (True, "cuda")):
        monkeypatch.setattr(torch.cuda, "is_available", lambda there=cuda: there)
        assert device_of("auto") == device
    assert device_of("mps") == "mps"
