"""The calculations of `benchmarks.llm`, and all of it once with a tiny model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import llm, llm_shapes, llm_writing
from benchmarks.llm_roofline import Roofline
from benchmarks.llm_shapes import SHAPES, RandomLlama
from benchmarks.llm_writing import Describing, Reading
from generation.models.llama import loaded_model

EIGHT = SHAPES["8b"]
TINY = SHAPES["tiny"]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("results")
    llm.main(["--shape", "tiny", "--device", "cpu", "--to", str(folder)])
    return dict(json.loads((folder / "llm.json").read_text("utf-8")))


def test_it_is_of_llama_3s_shape() -> None:
    assert EIGHT.weights == 8_030_261_248
    tables = 2 * EIGHT.vocabulary * EIGHT.hidden
    norms = (2 * EIGHT.layers + 1) * EIGHT.hidden
    assert EIGHT.multiplied == 8_030_261_248 - tables - norms
    # One more token: 16 GB of weights but the table, and 131,072 bytes for each cached token.
    assert EIGHT.moved(2, 1000, size=2) == 2 * (EIGHT.multiplied + tables // 2) + 2 * 1000 * 131_072
    assert EIGHT.moved(2, 1000, size=2, bits=4) == EIGHT.moved(2, 1000, size=2) - 1.5 * EIGHT.multiplied
    assert 1.1 < EIGHT.work(8000) / (2 * EIGHT.multiplied * 8000) < 1.2


def test_prompts_have_the_length_that_is_said_and_all_differ(tmp_path: Path) -> None:
    folder = llm_shapes.write_folder(TINY, tmp_path)
    writer = RandomLlama(TINY, folder, None, device="cpu", batch=1, lora=False)
    asked = [writer.request(tokens=5, seed=seed) for seed in range(3)]
    assert [writer.count_prompt(request.messages) for request in asked] == [TINY.prompt] * 3
    assert len({request.messages for request in asked}) == 3


def test_the_model_that_is_given_writes_with_its_adapter_or_without(tmp_path: Path) -> None:
    folder = llm_shapes.write_folder(TINY, tmp_path)
    model = llm_shapes.adapted(llm_shapes.bare(TINY, "cpu"))
    read = []
    model.get_base_model().register_forward_pre_hook(lambda _, given: read.append(given[0].shape[1]))
    texts = []
    for lora in (False, True):
        writer = RandomLlama(TINY, folder, model, device="cpu", batch=1, lora=lora)
        (completion,) = writer.complete([writer.request(tokens=TINY.answer)])
        texts.append(completion.text)
        loaded_model.unload()
        assert sum(read) == TINY.prompt + TINY.answer - 1
        read.clear()
    assert texts[0] != texts[1]


def test_a_prompt_is_read_whole_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    model = llm_shapes.bare(TINY, "cpu")
    read: list[int] = []
    model.register_forward_pre_hook(lambda _, given: read.append(given[0].shape[1]))
    monkeypatch.setattr(llm_writing, "least", lambda work, *_, **__: [work() for _ in range(2)] and 1.0)
    llm_writing.read(TINY, model, Roofline(1e12, 1e12), "cpu", lora=False)
    assert sum(read) == 2 * TINY.prompt


@pytest.mark.soak
def test_everything_is_measured(told: dict[str, Any]) -> None:
    result = told["result"]
    sides = [(lora, rows) for lora in (False, True) for rows in TINY.batches]
    assert [reading["lora"] for reading in result["reading"]] == [False, True]
    assert [(s["lora"], s["rows"]) for s in result["stepping"]] == sides
    assert [(d["lora"], d["requests"]) for d in result["describing"]] == sides
    assert all(d["written"] == d["requests"] * TINY.answer for d in result["describing"])
    assert result["training"]["steps"] == TINY.lessons
    rated = [*result["reading"], *result["stepping"], result["training"]]
    assert all(each["tokens_per_second"] > 0 for each in rated)
    assert all(0 < each["reached"] < 100 for each in rated)
    assert all(each["peak_gib"] > 0 for each in [*rated, *result["describing"]])


@pytest.mark.soak
def test_it_says_when_and_with_what(told: dict[str, Any]) -> None:
    assert told["measured"].startswith("20")
    assert set(told["result"]["versions"]) == {"python", "torch", "transformers", "peft"}
    assert told["result"]["device"] == "cpu"


def test_goals() -> None:
    reading = [
        Reading(False, 8000, 0.3, 26_000, 43_000, 60.0, 20.0),
        Reading(True, 8000, 1, 8000, 43_000, 18.6, 20),
    ]
    describing = [Describing(False, n, n, 12.0, 12.0 / n, 110 * n, 60.0) for n in (8, 32)]
    describing.append(Describing(True, 32, 32, 15.0, 0.5, 3520, 60.0))
    assert [(g.found, g.met) for g in llm.goals(reading, describing)] == [
        (60.0, True),
        (18.6, False),
        (12.0, True),
        (15.0, False),
    ]


@pytest.mark.parametrize(("bits", "file"), [("16", "llm.json"), ("4", "llm-4-bits.json")])
def test_parts_can_be_left_out(tmp_path: Path, bits: str, file: str) -> None:
    arguments = ["--shape", "tiny", "--device", "cpu", "--bits", bits, "--to", str(tmp_path)]
    llm.main([*arguments, "--without", "writing", "training"])
    assert [each.name for each in tmp_path.iterdir()] == [file]
    result = json.loads((tmp_path / file).read_text("utf-8"))["result"]
    assert (result["reading"], result["describing"], result["training"]) == ([], [], None)
    assert result["roofline"]["multiplying"] > 0
