"""A tiny Llama memorises three answers, and whoever loads its adapter gets them.

The writer `llama` is tested with it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from books.digests import file_sha256
from generation.models.llama.folders import MANIFEST, find_base, name_of
from generation.models.llama.model import LlamaModel
from generation.models.types import CompletionRequest, LlamaSetup, Message, MessageRole
from generation.training.course import Trained, train
from generation.training.errors import TrainingDataInvalid, TrainingDiffers
from generation.training.saved_model import serving
from generation.training.types import LAYERS, DataSplit, Recipe, TrainingLesson
from generation.types import Task
from generation.writing.answer_parsing import unmarked
from tests.generation.models import tiny
from tests.generation.models.llama.test_quantisation import INSTALLED
from tests.generation.training.conftest import Heard
from tests.generation.training.school import REFERENCES, by_heart, course, lessons


@pytest.fixture(scope="module")
def made(tiny_llama: Path, tmp_path_factory: pytest.TempPathFactory) -> list[TrainingLesson]:
    return lessons(tiny_llama, tmp_path_factory.mktemp("lessons"))


@pytest.fixture(scope="module")
def trained(
    tiny_llama: Path, made: list[TrainingLesson], tmp_path_factory: pytest.TempPathFactory
) -> Trained:
    folder = tmp_path_factory.mktemp("trained")
    return train(course(tiny_llama, folder, made, by_heart()), told=Heard())


def answers(model: Any, made: list[TrainingLesson]) -> list[tuple[int, ...]]:
    """Return its answer to each prompt with the most likely tokens."""
    said = []
    for lesson in made[:3]:
        prompt = torch.tensor([lesson.example.prompt])
        out = model.eval().generate(
            input_ids=prompt, attention_mask=torch.ones_like(prompt), max_new_tokens=60, do_sample=False
        )
        said.append(tuple(out[0, prompt.shape[1] :].tolist()))
    return said


def loaded(folder: Path) -> Any:
    from transformers import AutoModelForCausalLM

    return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)


def test_it_says_the_references_and_stops(
    tiny_llama: Path, made: list[TrainingLesson], trained: Trained
) -> None:
    from peft import PeftModel
    from transformers import AutoTokenizer

    wanted = [lesson.example.answer for lesson in made[:3]]
    assert answers(loaded(tiny_llama), made) != wanted
    assert answers(PeftModel.from_pretrained(loaded(tiny_llama), trained.folder), made) == wanted
    tokenizer = AutoTokenizer.from_pretrained(trained.folder)
    said = [tokenizer.decode(ids) for ids in wanted]
    assert [unmarked(text) for text in said] == [f"{text}<|eot_id|>" for text in REFERENCES.values()]
    assert any("[1]" in text for text in said)


def test_merged_it_says_the_same(
    tiny_llama: Path, made: list[TrainingLesson], trained: Trained, tmp_path: Path
) -> None:
    merged = tiny.merge(tiny_llama, trained.folder, tmp_path / "merged")
    assert answers(loaded(merged), made) == [lesson.example.answer for lesson in made[:3]]


def test_the_folder_is_what_servers_want(tiny_llama: Path, trained: Trained) -> None:
    from safetensors.torch import load_file

    told = json.loads((trained.folder / "adapter_config.json").read_text("utf-8"))
    assert (told["r"], told["lora_alpha"], told["lora_dropout"], told["bias"]) == (8, 16, 0.05, "none")
    assert told["modules_to_save"] is None
    assert sorted(told["target_modules"]) == sorted(LAYERS)
    assert told["base_model_name_or_path"] == str(tiny_llama)
    assert all(".lora_" in name for name in load_file(trained.folder / "adapter_model.safetensors"))
    assert (trained.folder / "chat_template.jinja").read_text("utf-8") == tiny.TEMPLATE
    assert {path.name for path in trained.folder.parent.iterdir()} == {
        "adapter", "best.safetensors", "loss.jsonl", "state.safetensors",
    }  # fmt: skip


def test_the_manifest_says_all_of_it(tiny_llama: Path, trained: Trained) -> None:
    told = json.loads((trained.folder / MANIFEST).read_text("utf-8"))
    assert told["kind"] == "lora"
    assert told["base"]["name"] == str(tiny_llama)
    assert name_of(find_base(str(tiny_llama)), {}).endswith(told["base"]["sha256"][:12])
    assert told["recipe"]["rank"] == 8
    assert told["recipe"]["layers"] == list(LAYERS)
    assert told["data"]["splits"]["train"]["samples"] == 3
    assert told["data"]["books"] == [
        {"title": "The Harbour, train", "text_sha256": "text for train", "split": "train"},
        {"title": "The Harbour, validation", "text_sha256": "text for validation", "split": "validation"},
    ]
    assert told["prompts"] == {"retriever": "the first"}
    assert told["metrics"]["steps"] == 30
    assert told["metrics"]["validation_loss"] == min(e["validation"] for e in told["metrics"]["epochs"])
    assert told["metrics"]["validation_loss"] < 0.2
    assert told["metrics"]["test_loss"] is None
    assert set(told["versions"]) == {"python", "bookworm", "torch", "transformers", "peft", "safetensors"}
    assert told["date"].startswith("20")
    assert {"adapter_config.json", "adapter_model.safetensors", "tokenizer.json"} <= set(told["files"])
    assert all((trained.folder / name).stat().st_mode & 0o777 == 0o644 for name in told["files"])
    assert all(file_sha256(trained.folder / name) == digest for name, digest in told["files"].items())


@pytest.mark.parametrize(
    ("recipe", "words"),
    [
        (Recipe(), "--enable-lora --max-lora-rank 8 --lora-modules bookworm=/to/adapter"),
        (Recipe(rank=12), "--max-lora-rank 16 "),
        (Recipe(rank=64), "--max-lora-rank 64 "),
        (Recipe(full=True), "vllm serve /to/model"),
    ],
)
def test_how_to_serve_it(recipe: Recipe, words: str) -> None:
    told = serving("my base", Path("/to"), recipe, tasks=list(Task))
    assert words in told["vllm"]
    assert ("'my base'" in told["vllm"]) is not recipe.full


def test_an_adapter_serves_the_task_that_it_learnt() -> None:
    alone, both = (
        serving("base", Path("/to"), Recipe(), tasks=tasks)["bookworm"]
        for tasks in ([Task.ANALYSIS], [Task.ANALYSIS, Task.JOINT])
    )
    assert alone == """BOOKWORM_LLAMA_BASE=base BOOKWORM_LLAMA_ADAPTERS='{"analysis": "/to/adapter"}'"""
    assert both == """BOOKWORM_LLAMA_BASE=base BOOKWORM_LLAMA_ADAPTERS='{"default": "/to/adapter"}'"""


def test_an_adapter_is_served_beside_the_base_it_was_trained_beside() -> None:
    told = serving("base", Path("/to"), Recipe(bits=4), tasks=[Task.ANALYSIS])
    assert told["bookworm"].startswith("BOOKWORM_LLAMA_BASE=base BOOKWORM_LLAMA_BITS=4 ")


@pytest.mark.soak
@pytest.mark.skipif(not INSTALLED, reason="bitsandbytes is not installed")
@pytest.mark.parametrize("bits", [8, 4])
def test_beside_a_base_in_fewer_bits_it_learns_them_too(
    tiny_llama: Path, made: list[TrainingLesson], tmp_path: Path, bits: int
) -> None:
    found = train(course(tiny_llama, tmp_path, made, by_heart(bits=bits)), told=Heard())
    assert "bitsandbytes" in found.manifest["versions"]
    first, *_, last = found.outcome.points
    assert last.loss < first.loss / 10
    setup = LlamaSetup(base=str(tiny_llama), adapters={"default": found.folder}, bits=bits, device="cpu")
    asked = Message(MessageRole.USER, "Who is Bess?")
    assert LlamaModel(setup).complete([CompletionRequest((asked,), 12)])[0].text


def test_done_once_more_it_is_the_same(
    tiny_llama: Path, made: list[TrainingLesson], trained: Trained, heard: Heard
) -> None:
    before = (trained.folder / "adapter_model.safetensors").read_bytes()
    train(course(tiny_llama, trained.folder.parent, made, by_heart()), told=heard)
    assert not heard.points
    assert (trained.folder / "adapter_model.safetensors").read_bytes() == before


def test_other_data_or_another_base_is_another_training(
    tiny_llama: Path,
    made: list[TrainingLesson],
    trained: Trained,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """This is found before the model is loaded."""
    monkeypatch.setattr("generation.training.base_model.TrainingBase.model", None)
    with pytest.raises(TrainingDiffers, match="another data"):
        train(course(tiny_llama, trained.folder.parent, made[::-1], by_heart()), told=Heard())
    other = tiny.build(tmp_path / "other", seed=3)
    with pytest.raises(TrainingDiffers, match="another base"):
        train(course(other, trained.folder.parent, made, by_heart()), told=Heard())


def test_without_a_line_to_train_on(tiny_llama: Path, made: list[TrainingLesson], tmp_path: Path) -> None:
    only = [lesson for lesson in made if lesson.placed.split is DataSplit.VALIDATION]
    with pytest.raises(TrainingDataInvalid, match="nothing to train on"):
        train(course(tiny_llama, tmp_path, only, by_heart()), told=Heard())


def test_in_full_it_says_the_references_too(
    tiny_llama: Path, made: list[TrainingLesson], tmp_path: Path
) -> None:
    done = train(course(tiny_llama, tmp_path, made, by_heart(full=True)), told=Heard())
    assert done.folder == tmp_path / "model"
    assert answers(loaded(done.folder), made) == [lesson.example.answer for lesson in made[:3]]
    assert json.loads((done.folder / MANIFEST).read_text("utf-8"))["kind"] == "model"
