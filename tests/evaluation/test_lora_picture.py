"""The loss curve as a picture, and the error if nothing can draw it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from evaluation.commands.lora_picture import draw, library, smoothed
from generation.training.errors import TrainingImpossible
from generation.training.types import LossPoint, TrainingEpoch

POINTS = [LossPoint(n, 1 + n // 4, 4.0 / n, 1e-5, 100, 0.1) for n in range(1, 9)]
EPOCHS = [TrainingEpoch(1, 4, 2.0, 1.75), TrainingEpoch(2, 8, 0.6, 1.25)]


def test_it_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for name, start in (("loss.png", b"\x89PNG"), ("loss.svg", b"<?xml")):
        draw(POINTS, EPOCHS, tmp_path / name, title="A title")
        assert (tmp_path / name).read_bytes().startswith(start)
    svg = (tmp_path / "loss.svg").read_text("utf-8")
    assert "A title" in svg
    assert "validation" in svg
    assert "1.250" in svg, "the best is written beside its point"
    draw(POINTS, [TrainingEpoch(1, 4, 2.0, None)], tmp_path / "loss.svg", title="A title")
    assert "validation" not in (tmp_path / "loss.svg").read_text("utf-8")
    assert {path.name for path in tmp_path.iterdir()} == {"loss.png", "loss.svg"}


def test_without_what_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(TrainingImpossible) as raised:
        library()
    assert "bookworm[train]" in raised.value.advice
    assert "--picture none" in raised.value.advice


def test_a_smooth_line_is_right_from_its_first_step() -> None:
    assert smoothed([2.0, 2.0, 2.0]) == pytest.approx([2.0, 2.0, 2.0])
    # (0.9 * 0.1 * 1 + 0.1 * 0) / (0.9 * 0.1 + 0.1)
    assert smoothed([1.0, 0.0]) == pytest.approx([1.0, 0.09 / 0.19])
