"""Killed with SIGKILL again and again, a training ends exactly like an uninterrupted one."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from safetensors.torch import load_file

from generation.models.llama.folders import MANIFEST
from generation.training import training_checkpoint
from tests.generation.training import killed
from tests.generation.training.school import lessons


def told(folder: Path) -> tuple[object, object]:
    """Return the losses of every step, and the measurements."""
    points = [replace(point, seconds=0.0) for point in training_checkpoint.points(folder)]
    metrics = json.loads((folder / "adapter" / MANIFEST).read_text("utf-8"))["metrics"]
    return points, {name: value for name, value in metrics.items() if name != "seconds"}


@pytest.mark.soak
def test_killed_it_goes_on_to_the_same_end(tiny_llama: Path, tmp_path: Path) -> None:
    killed.work(tiny_llama, tmp_path / "whole", lessons(tiny_llama, tmp_path))
    (tmp_path / "parts").mkdir()
    done = subprocess.run(
        [sys.executable, "-m", killed.__name__, str(tiny_llama), str(tmp_path / "parts" / "to")],
        stdout=subprocess.PIPE,
        timeout=240,
        check=True,
    )
    assert json.loads(done.stdout) == [-signal.SIGKILL] * len(killed.LINES), "none was quicker than its end"
    assert told(tmp_path / "parts" / "to") == told(tmp_path / "whole")
    weights = [
        load_file(folder / "adapter" / "adapter_model.safetensors")
        for folder in (tmp_path / "whole", tmp_path / "parts" / "to")
    ]
    assert all((weights[0][name] == weights[1][name]).all() for name in weights[0])
