"""`bookworm train coref` on one small document and an encoder of random weights."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from coref.native.weights import FILE, WeightsOrigin, save_weights
from coref.native.word_heads import Vocabulary
from coref.training.checkpoint import BEST, STATE
from coref.training.training_data import ground_of
from evaluation.corpus.meant import MeantExcerpt, MeantNovel
from service.cli.app import run
from service.cli.device_options import Device, chosen
from tests.coref.native.conftest import encoder_folder
from tests.coref.native.tiny import network_of
from tests.coref.training.test_fit import ROWS, TEXT

__all__ = ["encoder_folder"]

ORIGIN = WeightsOrigin("1", (), "", {}, {})


@pytest.fixture
def litbank(tmp_path: Path) -> Path:
    folder = tmp_path / "litbank"
    (folder / "coref").mkdir(parents=True)
    for name in ("1_home", "2_again"):
        (folder / "coref" / f"{name}_brat.txt").write_text(TEXT, encoding="utf-8")
        (folder / "coref" / f"{name}_brat.ann").write_text(ROWS, encoding="utf-8")
    (folder / "train.ids").write_text("1_home\n", encoding="utf-8")
    (folder / "dev.ids").write_text("2_again\n", encoding="utf-8")
    return folder


def test_it_trains_tells_and_goes_on(
    litbank: Path,
    encoder_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("retrieval.embedders.minilm.package_folder", lambda: encoder_folder)
    to = tmp_path / "weights"
    command = ["train", "coref", "--litbank", str(litbank), "--output", str(to), "--threads", "1", "--epochs"]
    assert run([*command, "2", "--json"]) == 0
    shown = capsys.readouterr()
    story = json.loads(shown.out)
    assert [epoch["number"] for epoch in story["epochs"]] == [0, 1]
    measured = {"score", "conll", "mention_f1", "mention_precision", "mention_recall", "conll_given_mentions"}
    assert set(story["epochs"][0]["measured"]) == measured, "without a treebank no grammar"
    assert 0 < story["epochs"][1]["measured"]["conll_given_mentions"] <= 1
    assert "epoch 2" in shown.err
    assert (to / BEST).is_file()
    assert (to / STATE).is_file()
    assert run([*command, "2"]) == 0
    assert "epoch" not in capsys.readouterr().err


def test_it_goes_on_from_weights_with_the_excerpts(
    litbank: Path,
    encoder_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("retrieval.embedders.minilm.package_folder", lambda: encoder_folder)
    words = ("Ann went home .", "He said , “ I was the old man . ”")
    excerpt = MeantExcerpt(0, 0, words, "0000" + "00021111112", {}, ((0, 1, "a"), (4, 5, "m"), (8, 9, "m")))
    monkeypatch.setattr(
        "evaluation.corpus.meant.meant_novels",
        lambda split: iter([MeantNovel(f"1_{split}", split, (excerpt,))]),
    )
    start, to = tmp_path / "start", tmp_path / "weights"
    save_weights(network_of(encoder_folder), start, ORIGIN, encoder=encoder_folder)
    command = ["train", "coref", "--litbank", str(litbank), "--output", str(to), "--threads", "1"]
    assert (
        run([*command, "--epochs", "1", "--excerpts", "--start", str(start), "--rate", "0.001", "--json"])
        == 0
    )
    story = json.loads(capsys.readouterr().out)
    assert (story["plan"]["trained"], story["plan"]["head_rate"]) == (True, 1e-6)
    [epoch] = story["epochs"]
    assert 0 < epoch["measured"]["conll_meant"] <= 1
    before, after = load_file(start / FILE), load_file(to / BEST)
    assert all(torch.allclose(before[name].float(), after[name], atol=1e-2) for name in after)


def test_weights_of_another_grammar_are_no_start(encoder_folder: Path, tmp_path: Path) -> None:
    start = tmp_path / "start"
    save_weights(network_of(encoder_folder), start, ORIGIN, encoder=encoder_folder)
    ground = replace(ground_of(encoder_folder, None, device="cpu"), vocabulary=Vocabulary((), (), ()))
    with pytest.raises(ValueError, match="another grammar"):
        ground.network(1, start)


def test_a_gpu_that_is_not_there(
    litbank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    for command in ("coref", "cross-validate"):
        told = ["train", command, "--litbank", str(litbank), "--output", str(tmp_path / "to")]
        assert run([*told, "--device", "cuda"]) == 1
        assert "--device" in capsys.readouterr().err


def test_the_device_is_the_likeliest_or_the_one_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    assert [chosen(None), chosen(Device.CUDA), chosen(Device.CPU)] == ["cuda", "cuda", "cpu"]
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert chosen(None) == "cpu"


@pytest.mark.parametrize("command", ["coref", "cross-validate"])
def test_it_trains_where_it_is_told(
    litbank: Path, encoder_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    asked: list[str] = []

    def ground_of(*_: object, device: str) -> None:
        asked.append(device)
        raise ValueError("this is all that is asked")

    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    monkeypatch.setattr("coref.training.training_data.ground_of", ground_of)
    told = ["train", command, "--litbank", str(litbank), "--output", str(tmp_path / "to")]
    for more in ([], ["--device", "cpu"]):
        run([*told, *more])
    assert asked == ["cuda", "cpu"]


@pytest.mark.parametrize("command", ["coref", "cross-validate", "along"])
def test_a_folder_that_is_not_litbank_is_named(
    tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bank").mkdir()
    options = ["--litbank", str(tmp_path / "bank"), "--output", str(tmp_path / "weights")]
    assert run(["train", command, *options]) == 2
    assert "has no train.ids: it is not LitBank" in " ".join(capsys.readouterr().err.split())


def test_speakers_without_the_novels_are_told(
    litbank: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "novels").mkdir()
    options = ["--litbank", str(litbank), "--novels", str(tmp_path / "novels")]
    assert run(["train", "speakers", *options, "--output", str(tmp_path / "weights")]) == 1
    told = capsys.readouterr().err
    assert "speakers_training_invalid" in told
    assert "1_home.txt.gz" in told
