"""What a language model wrote is checked by one, and what is offline is checked offline."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.engines import Engines, checker
from service.settings import Settings


def engines(tmp_path: Path, **settings: object) -> Engines:
    return Engines(Settings(data_dir=tmp_path, **settings))  # type: ignore[arg-type]


def test_each_writer_is_checked_by_its_own_kind(tmp_path: Path) -> None:
    made = engines(tmp_path, judge="auto", extractor="auto")
    assert made.judge.name.startswith("offline")
    assert made.judge_for("scripted-model").name.startswith("llm/3+scripted-model")
    assert made.extractor_for("scripted-model").name.startswith("scripted-model/1+facts")
    assert made.extractor_for("offline").name == made.extractor.name


def test_the_default_generator_decides_for_texts_of_readers(tmp_path: Path) -> None:
    made = engines(tmp_path, generator="scripted-model", judge="auto", extractor="auto")
    assert made.judge.name.startswith("llm/3+scripted-model")
    assert made.judge_for("offline").name.startswith("offline")


def test_a_setting_holds_for_every_writer(tmp_path: Path) -> None:
    made = engines(tmp_path, judge="offline", extractor="llm", extractor_model="scripted-model")
    assert made.judge_for("scripted-model").name.startswith("offline")
    assert made.extractor_for("offline").name.startswith("scripted-model")


@pytest.mark.parametrize(
    ("wanted", "generator", "expected"),
    [
        ("auto", "openai", ("llm", "openai")),
        ("auto", "offline", ("offline", "llama")),
        ("llm", "openai", ("llm", "llama")),
        ("nli", "openai", ("nli", "llama")),
    ],
)
def test_who_checks(wanted: str, generator: str, expected: tuple[str, str]) -> None:
    assert checker(wanted, "llama", generator) == expected
