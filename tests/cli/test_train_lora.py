"""`bookworm train lora`, on the story of the lamp and a tiny Llama."""

from __future__ import annotations

import json
import shutil
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from books.digests import file_sha256
from generation.training.types import Recipe
from service.cli.app import run
from tests.cli.conftest import STORY, Bookworm, Ran
from tests.generation.models import tiny
from tests.generation.training.school import short_templates

OTHER = STORY.replace("THE LAMP AT HARBOUR POINT", "THE LIGHT OF THE NORTH").replace("Tuesday", "Friday")
SAID = {
    "Margaret Lowe": "Margaret Lowe keeps the lamp and is a pilot's daughter.",
    "Captain Briggs": "Captain Briggs is the master of the supply boat.",
    "Peter": "Peter Lowe is a clerk who hates the sea.",
}
QUICK = ("--precision", "fp32", "--epochs", "2", "--accumulation", "2", "--picture", "none", "--threads", "1")


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.build(tmp_path_factory.mktemp("llama") / "base")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three people of one book to learn, and one of another to choose by; both lie beside the lines."""
    folder = tmp_path_factory.mktemp("data")
    (folder / "lamp.txt").write_text(STORY, "utf-8")
    (folder / "light.txt").write_text(OTHER, "utf-8")
    rows = [line("lamp.txt", who, said) for who, said in SAID.items()]
    rows.append(line("light.txt", "Peter", "A clerk in the town.", split="validation"))
    return written(folder / "data.jsonl", *rows)


@pytest.fixture(autouse=True)
def templates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tiny model has no room for the real ones."""
    short_templates(tmp_path / "templates")
    monkeypatch.setenv("BOOKWORM_TEMPLATES", str(tmp_path / "templates"))


def line(book: str, who: object, said: str, **more: Any) -> dict[str, Any]:
    return {"book": book, "character": who, "task": "description", "reference": said, **more}


def written(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    return path


@pytest.fixture(scope="module")
def library(shelf: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the shelf: training reads books into it, and other tests count theirs."""
    folder = tmp_path_factory.mktemp("library") / "copy"
    shutil.copytree(shelf, folder, ignore=shutil.ignore_patterns("workers"))
    return folder


@pytest.fixture
def lora(bookworm: Bookworm, llama: Path, data: Path, library: Path, tmp_path: Path) -> Bookworm:
    def call(*arguments: str, data: Path = data, base: Path = llama, to: Path = tmp_path / "to") -> Ran:
        told = ("--data", str(data), "--base", str(base), "--output", str(to))
        return bookworm("train", "lora", *told, *QUICK, *arguments, data_dir=library)

    return call


def test_it_trains_tells_and_keeps(lora: Bookworm, data: Path, tmp_path: Path) -> None:
    ran = lora("--json", "--picture", "svg")
    assert ran.status == 0, ran.err
    manifest = ran.json
    assert manifest["folder"] == str(tmp_path / "to" / "adapter")
    assert manifest["metrics"]["steps"] == 4
    assert {book["title"]: book["split"] for book in manifest["data"]["books"]} == {
        "The Lamp at Harbour Point": "train",
        "The Light of the North": "validation",
    }
    assert manifest["prompts"]["retriever"] == "telling"
    assert manifest["data"]["file_sha256"] == file_sha256(data)
    assert (tmp_path / "to" / "loss.svg").is_file()
    assert (tmp_path / "to" / "adapter" / "adapter_model.safetensors").is_file()
    assert "epoch 2 (step 4): loss" in ran.err
    assert "Samples" in ran.err
    assert "weights are trained" in ran.err


def test_lines_about_unknown_people_are_left_out_if_asked(lora: Bookworm, data: Path) -> None:
    rows = [json.loads(each) for each in data.read_text("utf-8").splitlines()]
    more = written(data.with_name("more.jsonl"), *rows, line("lamp.txt", "Ishmael", "Somebody."))
    refused = lora("--dry-run", data=more)
    assert refused.status == 1
    assert "line 5: " in refused.err
    ran = lora("--dry-run", "--json", "--skip-unknown", data=more)
    assert ran.status == 0, ran.err
    assert ran.json["splits"]["train"]["samples"] == len(SAID)
    assert "Left out: 1, whose name fits nobody" in ran.err


@pytest.mark.soak
def test_done_it_is_not_done_again_unless_anew(lora: Bookworm, tmp_path: Path) -> None:
    assert lora().status == 0
    again = lora()
    assert again.status == 0
    assert "epoch" not in again.err
    assert "vllm serve" in again.out
    assert "BOOKWORM_LLAMA_ADAPTERS" in again.out
    other = lora("--rate", "1e-3")
    assert other.status == 1
    assert "another recipe" in other.err
    assert "--anew" in other.err
    anew = lora("--rate", "1e-3", "--anew")
    assert anew.status == 0
    assert "epoch 2" in anew.err


def test_what_can_not_be_trained_is_said_at_once(lora: Bookworm) -> None:
    ran = lora("--full", "--bits", "4")
    assert ran.status == 1
    assert "Only an adapter can be trained beside a base in 4 bits" in ran.err


def test_a_dry_run_trains_nothing(lora: Bookworm, tmp_path: Path) -> None:
    ran = lora("--dry-run", "--json")
    assert ran.status == 0, ran.err
    assert ran.json["steps"] == 4
    train, validation = ran.json["splits"]["train"], ran.json["splits"]["validation"]
    assert (train["books"], train["samples"], validation["samples"]) == (1, 3, 1)
    assert train["characters_a_book"]["most"] == 3
    assert train["reference_words"] == {"least": 9, "median": 9, "mean": 9.3, "most": 10, "total": 28}
    assert ran.json["tokens"] == 2 * (train["prompt_tokens"]["total"] + train["answer_tokens"]["total"])
    assert ran.json["memory"]["trainable"] == 16_384
    assert not (tmp_path / "to").exists()
    page = lora("--dry-run")
    assert "4 steps" in page.out
    assert "Tokens per prompt" in page.out
    assert "16,384 of 172,352 weights are trained (9.51%)" in page.out


OPTIONS: dict[str, tuple[object, ...]] = {
    "--rank": ("rank", 4),
    "--alpha": ("alpha", 32),
    "--dropout": ("dropout", 0.0),
    "--layer": ("layers", "q_proj"),
    "--rate": ("rate", 0.001),
    "--decay": ("decay", "constant"),
    "--warm-up": ("warm_up", 3),
    "--weight-decay": ("weight_decay", 0.1),
    "--clip": ("clip", 0.5),
    "--batch": ("batch", 2),
    "--accumulation": ("accumulation", 1),
    "--epochs": ("epochs", 3),
    "--tokens": ("tokens", 300),
    "--precision": ("precision", "bf16"),
    "--packed": ("packed", 900),
    "--rope": ("rope", "yarn:2"),
    "--seed": ("seed", 9),
}
FLAGS = {"--full": ("full", True), "--apart": ("apart", True), "--no-checkpointing": ("checkpointing", False)}


@pytest.mark.soak
def test_every_part_of_a_recipe_has_an_option(lora: Bookworm) -> None:
    """What a part does is tested with the loop; here, that each option reaches its own."""
    usually = lora("--dry-run", "--json").json["recipe"]
    assert usually["rate"] == 2e-5
    assert usually["tokens"] == tiny.CONTEXT, "the model reads no more"
    given = [word for option, (_, value) in OPTIONS.items() for word in (option, str(value))]
    told = lora("--dry-run", "--json", *given, *FLAGS, "--layer", "v_proj").json["recipe"]
    wanted = dict((*OPTIONS.values(), *FLAGS.values()))
    whole = {"layers": ["q_proj", "v_proj"], "bits": 16}
    assert told == wanted | whole, "fewer bits are refused where all weights are trained"
    assert all(told[name] != usually[name] for name in wanted)
    assert set(told) == {field.name for field in fields(Recipe)}


@pytest.mark.soak
def test_how_prompts_are_made(lora: Bookworm) -> None:
    usually = lora("--dry-run", "--json").json
    fewer = lora("--dry-run", "--json", "--budget", "30").json
    assert fewer["prompts"]["budget"] == 30
    assert fewer["splits"]["train"]["passages"]["total"] < usually["splits"]["train"]["passages"]["total"]
    other = lora("--dry-run", "--json", "--retriever", "lead").json
    assert other["prompts"]["retriever"] == "lead"
    assert other["splits"]["train"]["prompt_tokens"] != usually["splits"]["train"]["prompt_tokens"]
    unnamed = lora("--dry-run", "--json", "--no-cast-list").json
    assert (
        usually["splits"]["train"]["prompt_tokens"]["least"]
        > 20 + unnamed["splits"]["train"]["prompt_tokens"]["least"]
    )
    least = usually["splits"]["train"]["prompt_tokens"]["least"]
    short = lora("--dry-run", "--json", "--tokens", str(least)).json
    assert short["splits"]["train"]["left_out"]["most"] > 0
    assert usually["splits"]["train"]["left_out"]["most"] == 0


@pytest.mark.soak
def test_in_full(lora: Bookworm, tmp_path: Path) -> None:
    told = lora("--full", "--json")
    assert told.status == 0, told.err
    assert told.json["kind"] == "model"
    assert (tmp_path / "to" / "model" / "model.safetensors").is_file()


@pytest.mark.soak
def test_how_often_the_state_is_saved(
    lora: Bookworm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from generation.training import training_checkpoint

    saved: list[int] = []
    monkeypatch.setattr(training_checkpoint, "save", lambda folder, story, *_: saved.append(story.step))
    assert lora("--accumulation", "1").status == 0
    assert saved == [3, 6], "at the end of each epoch"
    saved.clear()
    assert lora("--accumulation", "1", "--save-every", "2", to=tmp_path / "more").status == 0
    assert saved == [2, 3, 4, 6]


def test_what_is_wrong_with_the_data_names_its_lines(lora: Bookworm, data: Path, tmp_path: Path) -> None:
    lamp = str(data.parent / "lamp.txt")
    wrong = written(
        tmp_path / "wrong.jsonl",
        line("no such book", "Peter", "A."),
        line(lamp, "Nobody At All", "B."),
        line(lamp, "Peter", "C.", upto="99"),
        line(lamp, "Peter", "D."),
        line(lamp, ["Captain Briggs", "Margaret Lowe"], "## Captain Briggs\nE.", task="joint"),
    )
    ran = lora(data=wrong)
    assert ran.status == 1
    assert "line 1: There is no book or file “no such book”." in ran.err
    assert "line 2: " in ran.err
    assert "line 3: There is no chapter 99" in ran.err
    assert "line 4: " not in ran.err
    assert "line 5: the reference has no line “## Margaret Lowe”" in " ".join(ran.err.split())


def test_a_leak_is_refused_by_name(lora: Bookworm, data: Path, tmp_path: Path) -> None:
    lamp = str(data.parent / "lamp.txt")
    rows = [line(lamp, "Peter", "A.", split="train"), line(lamp, "Margaret", "B.", split="test")]
    ran = lora(data=written(tmp_path / "leak.jsonl", *rows))
    assert ran.status == 1
    assert "training_leak" in ran.err
    assert "“The Lamp at Harbour Point” is in train and test" in " ".join(ran.err.split())


@pytest.mark.soak
def test_the_gate_holds_in_prompts(lora: Bookworm, data: Path, tmp_path: Path) -> None:
    """Of the first chapter alone there is less to show, and who comes later is not met."""
    lamp = str(data.parent / "lamp.txt")
    tokens = []
    for upto in (None, "1"):
        rows = [line(lamp, "Margaret Lowe", "A keeper.", upto=upto)]
        ran = lora("--dry-run", "--json", data=written(tmp_path / "one.jsonl", *rows))
        tokens.append(ran.json["splits"]["train"]["prompt_tokens"]["total"])
    assert tokens[1] < tokens[0]


def test_without_what_draws_it_says_so_before_it_begins(
    lora: Bookworm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib", None)
    ran = lora("--picture", "png")
    assert ran.status == 1
    assert "--picture none" in ran.err
    assert not (tmp_path / "to").exists()


def test_too_little_memory_is_foretold(lora: Bookworm, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "memory are free" not in lora("--dry-run").err
    monkeypatch.setattr("generation.models.llama.memory.free", lambda device: 1_000_000)
    assert "0.0 GB of memory are free" in lora("--dry-run").err


@pytest.mark.soak
def test_what_is_odd_about_the_data_is_told(lora: Bookworm, data: Path, tmp_path: Path) -> None:
    usual = lora("--dry-run").err
    assert "no validation data" not in usual
    assert "truncated" not in usual
    long = line(str(data.parent / "lamp.txt"), "Peter", "He hates the sea. " * 300)
    told = lora("--dry-run", data=written(tmp_path / "one.jsonl", long)).err
    assert "no validation data" in told
    assert "too long and are truncated: 1." in told


@pytest.mark.soak
def test_it_trains_where_it_is_told(lora: Bookworm, monkeypatch: pytest.MonkeyPatch) -> None:
    assert lora("--dry-run", "--json", "--device", "cpu").json["device"] == "cpu"
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert lora("--device", "cuda").status == 1
    assert run(["train", "lora"]) == 2
