"""Missing files are reported, and names depend on every byte that affects answers."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from generation.errors import GeneratorUnavailable
from generation.models.llama.folders import find_adapters, find_base, name_of
from tests.failing import fails


@pytest.fixture
def base(tiny_llama: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny_llama, tmp_path / "base"))


@pytest.fixture
def adapter(tiny_adapter: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny_adapter, tmp_path / "adapter"))


def without(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def written(name: str, text: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text(text)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (without("config.json"), "no config.json"),
        (without("model.safetensors"), "no weights in safetensors"),
        (without("tokenizer.json"), "no tokenizer"),
        (written("config.json", "{"), "can't be read"),
        (
            written(
                "model.safetensors.index.json", '{"weight_map": {"a": "x.safetensors", "b": "y.safetensors"}}'
            ),
            "lacks 2 of its 2 weight files",
        ),
    ],
)
def test_a_base_that_lacks_something(base: Path, damage: Callable[[Path], object], said: str) -> None:
    damage(base)
    with fails(GeneratorUnavailable, match=said):
        find_base(str(base))


@pytest.mark.parametrize("named", [None, ""])
def test_no_base_at_all(named: str | None) -> None:
    with fails(GeneratorUnavailable, match="BOOKWORM_LLAMA_BASE"):
        find_base(named)


@pytest.mark.parametrize("named", ["no/such-model", "nowhere/at/all", "??"])
def test_nothing_of_this_name_is_here(named: str) -> None:
    with fails(GeneratorUnavailable, match="nothing is downloaded"):
        find_base(named)


def test_a_hub_id_stands_for_what_was_downloaded(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "hub" / "models--somebody--tiny"
    shutil.copytree(base, cache / "snapshots" / "abc123")
    (cache / "refs").mkdir()
    (cache / "refs" / "main").write_text("abc123")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    assert name_of(find_base("somebody/tiny"), {}) == name_of(find_base(str(base)), {})


def test_an_adapter_is_no_base(adapter: Path) -> None:
    with fails(GeneratorUnavailable, match="is an adapter and not a base"):
        find_base(str(adapter))


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (without("adapter_config.json"), "is not a LoRA adapter"),
        (without("adapter_model.safetensors"), "no adapter_model.safetensors"),
        (written("adapter_config.json", json.dumps({"peft_type": "PREFIX_TUNING"})), "PREFIX_TUNING"),
    ],
)
def test_an_adapter_that_will_not_do(adapter: Path, damage: Callable[[Path], object], said: str) -> None:
    damage(adapter)
    with fails(GeneratorUnavailable, match=said):
        find_adapters({"default": adapter})


def test_adapters_are_for_tasks_that_there_are(adapter: Path) -> None:
    with fails(GeneratorUnavailable, match="no task “poem”"):
        find_adapters({"poem": adapter})


@pytest.mark.parametrize(
    "name",
    ["model.safetensors", "config.json", "tokenizer.json", "chat_template.jinja", "generation_config.json"],
)
def test_every_byte_of_a_base_has_a_say_in_its_name(base: Path, name: str) -> None:
    before = name_of(find_base(str(base)), {})
    path = base / name
    if name == "config.json":
        path.write_text(path.read_text("utf-8").replace("{", '{"another": 1,', 1))
    else:
        content = bytearray(path.read_bytes())
        content[-2] ^= 1
        path.write_bytes(content)
    assert name_of(find_base(str(base)), {}) != before


def test_every_byte_of_an_adapter_has_a_say_and_its_notes_have_none(tiny_llama: Path, adapter: Path) -> None:
    def name() -> str:
        return name_of(find_base(str(tiny_llama)), find_adapters({"default": adapter}))

    before = name()
    (adapter / "README.md").write_text("Another story.")
    (adapter / "manifest.json").write_text("{}")
    assert name() == before
    content = bytearray((adapter / "adapter_model.safetensors").read_bytes())
    content[-1] ^= 1
    (adapter / "adapter_model.safetensors").write_bytes(content)
    assert name() != before
