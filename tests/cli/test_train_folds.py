"""`bookworm train cross-validate` and `train pack`, on small documents and an encoder of random weights."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from coref.native.weights import FILE, load_network, read_manifest
from coref.training.checkpoint import BEST, STATE, STORY
from service.cli.app import run
from tests.cli.test_train import litbank
from tests.coref.native.conftest import encoder_folder

__all__ = ["encoder_folder", "litbank"]


@pytest.fixture(autouse=True)
def small_encoder(encoder_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("retrieval.embedders.minilm.package_folder", lambda: encoder_folder)
    monkeypatch.setattr("coref.native.minilm.encoder_folder", lambda: encoder_folder)
    monkeypatch.setattr("coref.native.weights.encoder_folder", lambda: encoder_folder)


def test_each_fold_in_turn_or_one(litbank: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["train", "cross-validate", "--litbank", str(litbank), "--output", str(tmp_path / "folds")]
    command += ["--folds", "2", "--epochs", "2", "--threads", "1"]
    assert run([*command, "--only", "2"]) == 0
    shown = capsys.readouterr()
    assert "fold 2, epoch 2" in shown.err
    assert "mention_f1:" in shown.out
    assert run([*command, "--json"]) == 0
    shown = capsys.readouterr()
    assert "fold 1, epoch 2" in shown.err
    assert "fold 2" not in shown.err, "it was done before"
    found = json.loads(shown.out)
    assert set(found["folds"]) == {"1", "2"}
    each = [found["folds"][number]["measured"]["conll_given_mentions"] for number in ("1", "2")]
    assert found["spreads"]["conll_given_mentions"]["folds"] == each
    assert found["spreads"]["conll_given_mentions"]["mean"] == pytest.approx(sum(each) / 2, abs=1e-4)


def test_folds_that_cannot_be(litbank: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["train", "cross-validate", "--litbank", str(litbank), "--output", str(tmp_path / "folds")]
    assert run([*command, "--folds", "3"]) == 1
    assert "a number of folds between 2 and" in capsys.readouterr().err
    assert run([*command, "--folds", "2", "--only", "1", "--only", "3"]) == 2
    assert "There is no fold 3: there are 2" in capsys.readouterr().err


@pytest.fixture
def training(litbank: Path, tmp_path: Path) -> Path:
    to = tmp_path / "training"
    command = ["train", "coref", "--litbank", str(litbank), "--output", str(to), "--threads", "1"]
    assert run([*command, "--epochs", "2"]) == 0
    return to


def test_the_best_epoch_is_packed(training: Path, tmp_path: Path, encoder_folder: Path) -> None:
    to = tmp_path / "weights"
    assert run(["train", "pack", "--from", str(training), "--to", str(to), "--version", "7"]) == 0
    origin = read_manifest(to).origin
    story = json.loads((training / STORY).read_text("utf-8"))
    best = max(story["epochs"], key=lambda epoch: epoch["measured"]["score"])
    assert origin.version == "7"
    assert origin.figures == {"epoch": best["number"] + 1, **best["measured"]}
    assert origin.plan == story["plan"]
    assert "--epochs 2 --seed 1" in origin.command
    assert origin.trained_on == ("LitBank, CC BY 4.0",)
    assert not load_network(to, encoder=encoder_folder).training


def test_the_average_at_the_end_is_packed(training: Path, tmp_path: Path, encoder_folder: Path) -> None:
    to = tmp_path / "weights"
    command = ["train", "pack", "--from", str(training), "--to", str(to), "--version", "7", "--last"]
    assert run(command) == 0
    assert read_manifest(to).origin.figures["epoch"] == 2
    packed, state = load_file(to / FILE), load_file(training / STATE)
    assert all(torch.equal(tensor, state[f"average.{name}"].bfloat16()) for name, tensor in packed.items())


def test_the_manifest_tells_what_a_training_went_on_from_and_learnt(training: Path, tmp_path: Path) -> None:
    story = json.loads((training / STORY).read_text("utf-8"))
    story["plan"] |= {"trained": True, "head_rate": 5e-4}
    story["epochs"][-1]["measured"]["conll_meant"] = 0.8
    (training / STORY).write_text(json.dumps(story), encoding="utf-8")
    to = tmp_path / "weights"
    command = ["train", "pack", "--from", str(training), "--to", str(to), "--version", "2", "--last"]
    assert run(command) == 0
    origin = read_manifest(to).origin
    assert " --excerpts --start FOLDER --rate 0.5 --epochs 2 " in origin.command
    assert origin.trained_on == ("LitBank, CC BY 4.0", "excerpts of Bookworm's corpus, CC0 1.0")


@pytest.mark.parametrize("name", [BEST, STORY])
def test_what_is_no_training_is_not_packed(
    training: Path, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (training / name).write_text("{", encoding="utf-8")
    command = ["train", "pack", "--from", str(training), "--to", str(tmp_path / "weights"), "--version", "1"]
    assert run(command) == 1
    assert "train coref" in capsys.readouterr().err
    assert not (tmp_path / "weights").exists()
