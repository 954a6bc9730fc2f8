"""`bookworm evaluate booookscore` on a small folder in the form of the released one, and on summaries."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from generation import registry
from generation.models.scripted_model import ScriptedModel
from retrieval.registry import make_embedder
from service.cli.app import run
from tests.evaluation.booookscore.conftest import MILL, SYSTEM, entry, packed, release

__all__ = ["release"]


def test_the_table_shows_measured_beside_published(release: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["evaluate", "booookscore", str(release)]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    score = next(row for row in rows if row[:1] == [SYSTEM])
    # Three summaries: 3 of 4 sentences, 2 of 2, 1 of 1.
    assert score[:6] == [SYSTEM, "3", "7", "91.7", "[75.0–100.0]", "82.4"]
    assert score[6] == "+9.3"
    assert next(row for row in rows if row[:2] == ["people,", SYSTEM])[2:5] == ["0.00", "0.00", "25.00"]
    assert ["people", "3", "1", "1", "1", "66.7", "79.7"] in rows
    assert ["GPT-4", "1", "1", "0", "0", "100.0", "78.2"] in rows
    assert [SYSTEM, "4", "1", "3", "1", "0.20"] in rows


def test_the_document_has_every_summary(release: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["evaluate", "booookscore", str(release), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    first, other = found["systems"]
    assert (first["measured"]["name"], first["published"]["score"]) == (SYSTEM, 82.4)
    assert [s["score"] for s in first["measured"]["summaries"]] == [0.75, 1.0, 1.0, None]
    assert (other["published"], other["difference"]) == (None, None)
    assert other["measured"]["kinds"]["salience"] == 0.25
    assert found["people"][0]["measured"]["score"]["mean"] == 0.5
    assert found["confirmed"][0]["partly"] == 1


def test_a_folder_of_something_else_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["evaluate", "booookscore", str(tmp_path), "--json"]) != 0
    assert json.loads(capsys.readouterr().out)["code"] == "summaries_invalid"


def test_broken_annotations_are_refused(release: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (release / "annotations/other.json.gz").write_bytes(b"nothing")
    assert run(["evaluate", "booookscore", str(release), "--json"]) != 0
    assert "other.json.gz" in json.loads(capsys.readouterr().out)["detail"]


CLEAR = "No confusion"
ANSWERS = [CLEAR, "Questions: Who is Dr. Voss?\nTypes: entity omission", CLEAR, CLEAR]


@pytest.fixture
def judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A folder of summaries, and the scripted model with its answers."""
    monkeypatch.setitem(registry.MODELS, "scripted-model", lambda _: ScriptedModel(ANSWERS))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "mill.txt").write_text(MILL, "utf-8")
    (tmp_path / "books").mkdir()
    (tmp_path / "books" / "mill.txt").write_text("Ada inherits a mill.", "utf-8")
    more = ["--generator", "scripted-model", "--out", str(tmp_path / "kept")]
    return ["evaluate", "booookscore", str(tmp_path / "mine"), *more]


def test_a_model_judges_summaries_and_its_cost_is_told(
    judged: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*judged, "--books", str(tmp_path / "books")]) == 0
    told = capsys.readouterr().out
    rows = [line.split() for line in told.splitlines()]
    # 3 of the 18 different trigrams of the summary are in the book.
    assert ["mill", "75.0", "4", "1", "15", "0.0", "83.3"] in rows
    assert "4 sentences asked about, 0 kept" in " ".join(told.split())
    assert (tmp_path / "kept" / "judgements.jsonl").exists()
    assert run([*judged, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["asked"], found["kept"], found["usage"]["calls"]) == (0, 4, 0)
    assert found["score"]["score"]["mean"] == 0.75
    assert found["summaries"][0]["confusions"][0]["questions"] == "Who is Dr. Voss?"


def test_sentences_can_be_asked_about_together(
    judged: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    numbered = "\n".join(f"{n}. {' '.join(each.split())}" for n, each in enumerate(ANSWERS, 1))
    monkeypatch.setitem(registry.MODELS, "scripted-model", lambda _: ScriptedModel([numbered]))
    assert run([*judged, "--together", "4", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["usage"]["calls"], found["score"]["score"]["mean"]) == (1, 0.75)


def test_a_model_that_understands_nothing_is_told(
    judged: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(registry.MODELS, "scripted-model", lambda _: ScriptedModel())
    assert run([*judged, "--json"]) != 0
    assert "no usable answer" in json.loads(capsys.readouterr().out)["detail"]


def test_a_generator_without_a_model_is_refused(
    judged: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*judged, "--generator", "offline", "--json"]) != 0
    assert json.loads(capsys.readouterr().out)["code"] == "generator_unavailable"


def test_an_estimate_asks_no_model(judged: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    folder = judged[2]
    assert run(["evaluate", "booookscore", folder, "--estimate"]) == 0
    told = capsys.readouterr().out
    assert "Estimated score" in told
    assert "Dr. Voss objects to the sale." in told
    assert run(["evaluate", "booookscore", folder, "--estimate", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["summaries"]
    assert found["book"] == "mill"
    assert 0 < found["score"] < 1
    assert len(found["sentences"]) == 4


@pytest.mark.parametrize("option", [["--generator", "offline"], ["--together", "4"], ["--estimate"]])
def test_options_without_an_effect_are_refused(
    release: Path, option: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["evaluate", "booookscore", str(release), *option]) != 0
    assert option[0] in capsys.readouterr().err


def test_one_text_alone_is_refused(judged: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["evaluate", "booookscore", f"{judged[2]}/mill.txt"]) == 2
    assert "Give the folder with the texts" in capsys.readouterr().err


def test_an_estimate_takes_no_options_of_judging(
    judged: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*judged, "--estimate"]) != 0
    assert "--generator" in capsys.readouterr().err


def test_the_estimate_is_fitted_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On summaries in which the sentence about a stranger confuses."""
    monkeypatch.setattr("retrieval.registry.make_embedder", lambda: make_embedder("hashing"))
    stranger = "Zed demands the ledger of the harbour."
    texts = {f"{at}.epub": f"Ada inherits mill {at}. {stranger} She sells the mill." for at in range(30)}
    for name in ("one", "two"):
        packed(tmp_path / f"summaries/{name}.json.gz", texts)
        packed(tmp_path / f"annotations/{name}.json.gz", {b: {stranger: entry("language")} for b in texts})
    weights = tmp_path / "weights.safetensors"
    assert run(["train", "booookscore", str(tmp_path), "--output", str(weights)]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["any", "confusion", "60", "1.00", "1.00", "1.00", "1.00"] in rows
    assert ["language", "60", "1.00", "1.00", "1.00", "1.00"] in rows
    assert weights.exists()
    assert run(["train", "booookscore", str(tmp_path), "--output", str(weights), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["sentences"] == 180
    (tmp_path / "annotations/one.json.gz").write_bytes(b"nothing")
    assert run(["train", "booookscore", str(tmp_path), "--output", str(weights), "--json"]) != 0
    assert json.loads(capsys.readouterr().out)["code"] == "summaries_invalid"
