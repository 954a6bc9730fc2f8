"""The corpus as lessons: what a small model learns from, and how it is asked."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from evaluation.corpus.loading import novels
from evaluation.datasets import samples
from evaluation.portraits import lessons, small_model
from generation.training import base_model
from generation.training.types import DataSplit
from generation.writing.templating import TemplatePiece, Templates
from tests.generation.models.openai.llama_cpp import weights

PROMPTS = Path(lessons.__file__).parent / "small_prompts"


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """A folder with one novel of each split."""
    for split in ("train", "dev", "test"):
        (tmp_path / f"{next(novels(split)).novel}.txt").write_text("Chapter 1")
    return tmp_path


def test_lessons_are_of_train_and_dev(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lessons.main(str(shelf))
    file = shelf / "lessons.jsonl"
    file.write_text(capsys.readouterr().out, "utf-8")
    read = samples.read(file)
    train, dev = next(novels("train")), next(novels("dev"))
    assert [(s.reference, s.split) for s in read] == [
        *((p.description, DataSplit.TRAIN) for p in train.people),
        *((p.description, DataSplit.VALIDATION) for p in dev.people),
    ]
    assert {Path(s.book).name for s in read} == {f"{train.novel}.txt", f"{dev.novel}.txt"}
    assert all(json.loads(line)["task"] == "description" for line in file.read_text("utf-8").splitlines())


def test_a_small_model_is_not_asked_for_citations() -> None:
    templates = Templates.load(PROMPTS)
    assert not templates.numbered
    assert "[" not in templates.pieces[TemplatePiece.PASSAGES]


@pytest.mark.soak
@pytest.mark.skipif(weights() is None or find_spec("gguf") is None, reason="they come with `make soak-short`")
def test_the_small_model_is_a_base_that_speaks(tmp_path: Path) -> None:
    from transformers import LlamaForCausalLM

    small_model.write(tmp_path / "base")
    base = base_model.find(str(tmp_path / "base"))
    assert base.context() == 8192
    tokenizer = base.tokenizer()
    asked = "Question: what is the capital of France?\nAnswer: the capital of France is"
    model = LlamaForCausalLM.from_pretrained(tmp_path / "base", local_files_only=True)
    read = tokenizer(asked, return_tensors="pt")
    said = tokenizer.decode(model.generate(**read, max_new_tokens=3, do_sample=False)[0])
    assert said.removeprefix(asked).split()[0] == "Paris."
