"""Lessons of which pronouns follow a name, from excerpts in which two people are taken for one."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from coref import odds
from coref.decisions.along import FEATURES, gone_with
from coref.training.litbank import LitbankDocument, load
from evaluation.coref.along_lessons import lesson, story_of, taken_for_one
from service.cli.app import run

SENTENCES = (
    "Jane Eyre came in .",
    "She sat down by her fire .",
    "“ I am cold , ” she told Jane Eyre 's cat .",
    "“ I see you , ” said Mr. Rochester .",
    "He shut his door .",
    "Mr. Rochester stood there .",
    "Mr. Rochester took him to his room .",
)
WHO = {"Jane Eyre": "jane", "She": "jane", "she": "jane", "her": "jane"}
WHO |= {"Mr. Rochester": "rochester", "He": "rochester", "his": "rochester", "him": "rochester"}
SAID = {2: "jane", 3: "rochester"}
"""Who says "I" in which sentence."""


def rows() -> list[str]:
    found: list[tuple[str, str]] = []
    for at, sentence in enumerate(SENTENCES):
        words = sentence.split()
        for first in range(len(words)):
            for length in (2, 1):
                text = " ".join(words[first : first + length])
                who = SAID[at] if text == "I" else WHO.get(text)
                if who is None:
                    continue
                kind = "PROP" if length == 2 else "PRON"
                number = f"T{len(found)}"
                last = first + length - 1
                place = f"{at}\t{first}\t{at}\t{last}"
                found.append((f"MENTION\t{number}\t{place}\t{text}\tPER\t{kind}", f"COREF\t{number}\t{who}"))
    return [row for pair in found for row in pair]


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    (tmp_path / "coref").mkdir()
    for name in ("one", "two", "three"):
        (tmp_path / "coref" / f"{name}_brat.txt").write_text("\n".join(SENTENCES), "utf-8")
        (tmp_path / "coref" / f"{name}_brat.ann").write_text("\n".join(rows()), "utf-8")
    (tmp_path / "train.ids").write_text("one_brat\ntwo_brat\n", "utf-8")
    (tmp_path / "dev.ids").write_text("three_brat\n", "utf-8")
    return tmp_path


@pytest.fixture
def document(bank: Path) -> LitbankDocument:
    return load(bank, ["one"])[0]


def test_two_people_are_taken_for_one(document: LitbankDocument) -> None:
    ((known, asked, truth),) = taken_for_one(document)
    text = " ".join(SENTENCES)
    assert [text[each.start :].split()[0] for each in known] == ["Jane", "Jane", "Mr.", "Mr.", "Mr."]
    assert [each.gone for each in known] == [True, True, False, False, False]
    told = [(text[each.start :].split()[0], each.word) for each in asked]
    assert told == [
        ("She", "she/her"), ("her", "she/her"), ("“", "i"), ("she", "she/her"),
        ("“", "i"), ("He", "he/him"), ("his", "he/him"), ("him", "he/him"), ("his", "he/him"),
    ]  # fmt: skip
    assert truth == [True] * 4 + [False] * 5
    quoted = [each.quote for each in asked if each.word == "i"]
    assert [text[q.start : q.end] for q in quoted if q] == ["“ I am cold , ” ", "“ I see you , ” "]


def test_each_question_is_put_both_ways(document: LitbankDocument) -> None:
    taught = lesson(document)
    assert taught.rows.shape == (18, len(FEATURES))
    assert (taught.rows[::2] == -taught.rows[1::2]).all()
    assert (taught.true[::2] == ~taught.true[1::2]).all()
    used = np.abs(taught.rows).sum(axis=0) > 0
    sorts = {name.partition(":")[0] for name, is_used in zip(FEATURES, used, strict=True) if is_used}
    assert sorts == {"I", "other"}


def test_the_story_counts_what_is_right(document: LitbankDocument) -> None:
    documents = [document] * 3
    told = story_of(documents, [lesson(each) for each in documents])
    assert told == {
        "documents": 3,
        "held out": {
            "all": {"asked": 27, "right": 1.0, "right by the name before": 0.889},
            "I": {"asked": 6, "right": 1.0, "right by the name before": 0.5},
            "other": {"asked": 21, "right": 1.0, "right by the name before": 1.0},
        },
    }


def test_the_command_writes_weights_that_are_read(
    bank: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    to = tmp_path / "along.json"
    assert run(["train", "along", "--litbank", str(bank), "--output", str(to), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["held out"]["all"]["asked"] == 27
    model = odds.read(to.read_text("utf-8"), FEATURES, of="way in which pronouns follow")
    ((known, asked, truth),) = taken_for_one(load(bank, ["one"])[0])
    assert gone_with(known, asked, model) == truth


def test_nothing_is_learnt_from_nobody(
    bank: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two", "three"):
        (bank / "coref" / f"{name}_brat.ann").write_text("", "utf-8")
    to = tmp_path / "along.json"
    assert run(["train", "along", "--litbank", str(bank), "--output", str(to)]) == 1
    assert "several people are named" in capsys.readouterr().err
    assert not to.exists()
