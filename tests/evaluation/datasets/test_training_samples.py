"""The lines of the data, and the messages for wrong ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaluation.datasets.samples import read
from generation.training.errors import TrainingDataInvalid
from generation.training.types import DataSplit, TrainingSample
from generation.types import Task

GOOD: dict[str, Any] = {"book": "b1", "character": "Bess", "task": "description", "reference": " She. "}


def written(tmp_path: Path, *lines: object) -> Path:
    path = tmp_path / "data.jsonl"
    path.write_text("\n".join(json.dumps(line) if isinstance(line, dict) else str(line) for line in lines))
    return path


def test_a_line_is_a_sample(tmp_path: Path) -> None:
    joint = {**GOOD, "task": "joint", "character": ["Bess", " Tom "], "split": "test", "upto": 3}
    first, second = read(written(tmp_path, GOOD, "", joint))
    assert first == TrainingSample(1, "b1", ("Bess",), Task.DESCRIPTION, "She.", None, None)
    assert second == TrainingSample(3, "b1", ("Bess", "Tom"), Task.JOINT, "She.", DataSplit.TEST, "3")


def test_a_mark_of_the_byte_order_is_no_part_of_it(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(GOOD).encode())
    assert len(read(path)) == 1


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"book": "b1", "task": "analysis"}, "`character` and `reference` missing"),
        ({**GOOD, "splits": "train"}, "`splits` unknown"),
        ({**GOOD, "task": "essay"}, "`task` is 'essay'; it must be description or analysis or joint"),
        ({**GOOD, "split": "dev"}, "`split` is 'dev'; it must be train or validation or test"),
        ({**GOOD, "reference": "  "}, "`reference` must be a text"),
        ({**GOOD, "book": 7}, "`book` must be a text"),
        ({**GOOD, "character": ["Bess"]}, "must be a list for the task joint"),
        ({**GOOD, "task": "joint"}, "must be a list for the task joint"),
        ({**GOOD, "task": "joint", "character": []}, "`character` must be a name"),
        ({**GOOD, "character": ""}, "`character` must be a name"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, line: object, said: str) -> None:
    with pytest.raises(TrainingDataInvalid) as raised:
        read(written(tmp_path, GOOD, line))
    assert "line 2: " in raised.value.detail
    assert said in raised.value.detail


def test_no_samples_and_no_text(tmp_path: Path) -> None:
    with pytest.raises(TrainingDataInvalid, match="contains no samples"):
        read(written(tmp_path, ""))
    (tmp_path / "data.jsonl").write_bytes(b'{"book": "\xff"}')
    with pytest.raises(TrainingDataInvalid, match="UTF-8"):
        read(tmp_path / "data.jsonl")
