"""`bookworm evaluate long`, `chinese` and `positions` on little texts and a tiny model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.chinese.gold import chapters
from evaluation.chinese.types import WindowSize
from evaluation.chinese.windows import RANGES, WindowRange
from generation import registry
from generation.models.scripted_model import ScriptedModel
from service.cli.app import run
from service.cli.exits import Exit
from tests.generation.models.tiny import build

GOOD = "林秋月在渡口等周大海的船，把信交给了许文。"
TEXT = "林秋月站在渡口，等周大海的船回来。许文走过来，她把信交给了他。船来的时候，天已经黑了。"


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    path = tmp_path / "cnnsum_L_16k.jsonl"
    rows = [{"context": TEXT * n, "summary": GOOD} for n in (1, 2, 3)]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


def test_samples_are_summarised_with_both_prompts(
    samples: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(
        registry.MODELS, "scripted-model", lambda _: ScriptedModel([GOOD, "她走了。" * 30] * 2)
    )
    command = ["evaluate", "long", str(samples), "--generator", "scripted-model", "--most", "2"]
    assert run([*command, "--json"]) == Exit.OK
    told = json.loads(capsys.readouterr().out)
    assert [(score["size"], score["prompt"], score["samples"]) for score in told["scores"]] == [
        ("L", "IB", 2),
        ("L", "IE", 2),
    ]
    assert told["scores"][0]["rouge"] > 40
    assert told["scores"][0]["abnormal"]["repeated"] == 0.5
    assert told["mse"] is not None
    assert len(told["answers"]) == 4
    assert len(told["published"]) == 32
    assert run(command) == Exit.OK
    shown = capsys.readouterr().out
    assert "ROUGE-L" in shown
    assert "repeated:" in shown
    assert "Moonshot-v1-128k" in shown


def test_novels_are_gathered_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(RANGES, WindowSize.L, WindowRange(200, 400, 600))
    novel = tmp_path / "ferry.txt"
    novel.write_text("\n\n".join(f"第{n}章 渡口\n\n" + TEXT * 4 for n in "一二三四五六"), "utf-8")
    out = tmp_path / "out.jsonl"
    assert run(["evaluate", "long", "--novel", str(novel), "--size", "L", "--samples", str(out)]) == Exit.OK
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert len(rows) >= 2
    assert all(row["summary"] is None and TEXT in row["context"] for row in rows)
    assert rows[0]["source"].startswith("ferry: chapters 1 to ")
    assert "characters" in capsys.readouterr().out


def test_what_websites_left_is_taken_out_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(RANGES, WindowSize.L, WindowRange(200, 400, 600))
    novel = tmp_path / "ferry.txt"
    advert = "请记住本站域名 www.example.com"
    novel.write_text("\n\n".join(f"第{n}章 渡口\n\n{TEXT * 4}\n\n{advert}" for n in "一二三"), "utf-8")
    out = tmp_path / "out.jsonl"
    assert run(["evaluate", "long", "--novel", str(novel), "--size", "L", "--samples", str(out)]) == Exit.OK
    assert "example" not in out.read_text("utf-8")
    shown = capsys.readouterr().out
    assert "Removed from ferry: 3" in shown
    assert f"advertisement: {advert}" in shown


def test_files_that_tell_no_size_or_hold_something_else_are_refused(
    samples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = samples.rename(samples.with_name("novels.jsonl"))
    assert run(["evaluate", "long", str(other)]) == Exit.USAGE
    assert "tells no size" in capsys.readouterr().err
    broken = samples.with_name("cnnsum_L_16k.jsonl")
    broken.write_text('{"text": 1}\n', "utf-8")
    assert run(["evaluate", "long", str(broken)]) == Exit.USAGE
    assert run(["evaluate", "long"]) == Exit.USAGE


def test_marked_chapters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["evaluate", "chinese", "--split", "test", "--json"]) == Exit.OK
    told = json.loads(capsys.readouterr().out)
    assert set(told) == {"all", *(gold.name for gold in chapters() if gold.split == "test")}
    assert told["all"]["main"]["right"] > 10
    assert run(["evaluate", "chinese", "--split", "train"]) == Exit.USAGE
    assert run(["evaluate", "chinese", "--citations", str(tmp_path / "none")]) == Exit.USAGE
    assert run(["evaluate", "chinese", "--citations", str(tmp_path)]) == Exit.ERROR
    assert "evaluation/chinese/README.md" in capsys.readouterr().err


def test_perplexity_by_position(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base, book = build(tmp_path / "base"), tmp_path / "book.txt"
    book.write_text("Chapter 1\n\n" + "Bess came down to the quay. " * 60, "utf-8")
    command = ["evaluate", "positions", str(book), "--base", str(base), "--length", "64", "--length", "128"]
    assert run([*command, "--rope", "pi:4", "--json"]) == Exit.OK
    told = json.loads(capsys.readouterr().out)
    assert {name: [curve["length"] for curve in curves] for name, curves in told.items()} == {
        "as trained": [64, 128],
        "pi:4": [64, 128],
    }
    assert told["pi:4"][0]["whole"] != told["as trained"][0]["whole"]
    assert run([*command, "--rope", "nonsense"]) != Exit.OK


def test_the_model_whose_perplexity_is_asked_for_must_be_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = tmp_path / "book.txt"
    book.write_text("Bess came down to the quay.", "utf-8")
    assert run(["evaluate", "positions", str(book), "--base", str(tmp_path)]) != Exit.OK
    assert "has no config.json" in capsys.readouterr().err


def test_two_annotators_of_the_chapters(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["evaluate", "chinese", "--agreement"]) == Exit.OK
    shown = capsys.readouterr().out
    assert "Marked by both" in shown
    assert "guxiang" in shown
    assert run(["evaluate", "chinese", "--agreement", "--json"]) == Exit.OK
    assert json.loads(capsys.readouterr().out)["sanguo38"]["mentions"]["right"] > 400
