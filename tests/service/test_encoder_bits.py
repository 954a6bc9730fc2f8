"""The precision of the encoders is measured once on a machine, and kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import service.encoder_bits as bits
from coref.encoder_bits import EncoderBits
from coref.native import encoder_speed
from service import kept_by_machine
from service.encoder_bits import BitsRule

RATES = {EncoderBits.EIGHT: 200.4, EncoderBits.SIXTEEN: 50.0, EncoderBits.THIRTY_TWO: 80.0}


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count the measurements."""
    calls: list[int] = []

    def measure() -> dict[EncoderBits, float]:
        calls.append(1)
        return RATES

    monkeypatch.setattr(encoder_speed, "measure_rates", measure)
    bits._measured_once.cache_clear()
    return calls


def test_it_is_measured_once(tmp_path: Path, measured: list[int]) -> None:
    rule = BitsRule("auto", tmp_path / "new" / "bits.json")
    assert rule() is EncoderBits.EIGHT
    bits._measured_once.cache_clear()  # as in another process
    assert rule.choice() == bits.BitsChoice(EncoderBits.EIGHT, {"8": 200, "16": 50, "32": 80})
    assert len(measured) == 1


def test_another_machine_measures_for_itself(
    tmp_path: Path, measured: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = BitsRule("auto", tmp_path / "bits.json")
    for name in ("here", "there"):
        monkeypatch.setattr(kept_by_machine, "machine", lambda name=name: name)
        bits._measured_once.cache_clear()
        rule()
    assert len(measured) == 2
    assert set(json.loads(rule.file.read_text())) == {"here", "there"}


def test_it_remembers_some_machines_only(
    tmp_path: Path, measured: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = BitsRule("auto", tmp_path / "bits.json")
    for number in range(25):
        monkeypatch.setattr(kept_by_machine, "machine", lambda number=number: f"container {number}")
        bits._measured_once.cache_clear()
        rule()
    assert list(json.loads(rule.file.read_text())) == [f"container {number}" for number in range(5, 25)]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"here": {"bits": "7"}}', '{"here": 3}'])
def test_a_damaged_file_is_written_anew(
    tmp_path: Path, measured: list[int], text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_by_machine, "machine", lambda: "here")
    file = tmp_path / "bits.json"
    file.write_text(text)
    assert BitsRule("auto", file)() is EncoderBits.EIGHT
    assert json.loads(file.read_text())["here"]["bits"] == "8"


def test_a_folder_that_cannot_be_written_is_no_obstacle(tmp_path: Path, measured: list[int]) -> None:
    (tmp_path / "file").write_text("")
    assert BitsRule("auto", tmp_path / "file" / "bits.json")() is EncoderBits.EIGHT


def test_a_setting_is_not_measured(tmp_path: Path, measured: list[int]) -> None:
    rule = BitsRule("16", tmp_path / "bits.json")
    assert rule() is EncoderBits.SIXTEEN
    assert not measured
    assert BitsRule.from_line(rule.to_line()) == rule
