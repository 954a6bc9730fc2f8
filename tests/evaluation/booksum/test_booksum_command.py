"""`bookworm evaluate booksum` on a few rows and a novel of three chapters."""

from __future__ import annotations

import json
from csv import DictReader
from pathlib import Path
from typing import Any

import pytest
from typer import BadParameter

from evaluation.commands.booksum import BookSumInvalid
from service.cli import output
from tests.evaluation.command import evaluated, printed

BODY = "Anne kept the lamp and looked at the sea for a very long time. " * 12
NOVEL = "\n\n".join(f"CHAPTER {n}. {title}\n\n{BODY}" for n, title in enumerate(("Lamp", "Sea", "Storm"), 1))


def row(section: str, bid: str = "7", title: str = "The Keeper", **more: Any) -> dict[str, Any]:
    return {
        "bid": bid,
        "is_aggregate": False,
        "source": "guide",
        "chapter_path": f"chapters/{bid}-chapters/{section}.txt",
        "summary_path": f"summaries/guide/{title}/{section}.txt",
        "book_id": f"{title}.{section}",
        "summary_id": section,
    } | more


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "booksum"
    folder.mkdir()
    rows = [
        row("chapter 1", summary_id="chapter 1: the lamp"),
        row("chapters 2-3"),
        row("chapter 4", summary_id="chapter 5"),
        row("chapter 1", bid="8", title="Elsewhere"),
    ]
    (folder / "chapter_summary_aligned_test_split.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return folder


@pytest.fixture
def novels(tmp_path: Path) -> Path:
    folder = tmp_path / "novels"
    folder.mkdir()
    (folder / "7_the_keeper.txt").write_text(NOVEL)
    return folder


def test_the_document(data: Path, novels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = printed(capsys, "booksum", data, "--novels", novels)
    assert [(each["group"], each["examples"]) for each in told["splits"]] == [("test", 4), ("all", 4)]
    (novel,) = told["novels"]
    assert (novel["bid"], novel["paired"], novel["chapters"], novel["covered"]) == ("7", "number", 3, 3)
    assert novel["matched"] == {"printed number": 2}
    assert [each["section"] for each in novel["unmatched"]] == ["chapter 4"]
    assert (novel["titled"], novel["same_title"]) == (1, 1)
    assert [each["summary_id"] for each in told["disputed"]] == ["chapter 5"]
    assert told["check"]["shared"] == []


def test_the_page(
    data: Path, novels: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output.out, "width", 140, raising=False)
    evaluated("booksum", data, "--novels", novels)
    page = capsys.readouterr().out
    assert "12,630" in page
    assert "Matched: 2 of 3 examples of 1 books." in page
    assert "there is no chapter 4 here" in page
    evaluated("booksum", data)
    assert "Matched" not in capsys.readouterr().out


@pytest.fixture
def texts(tmp_path: Path, data: Path) -> Path:
    """Summaries of both novels, and a text only of the second one; the first is among the novels."""
    folder = tmp_path / "texts"
    for name, content in {
        "summaries/guide/The Keeper/chapter 1.txt": "Summary\nAnne keeps the lamp.\nAnalysis\nA symbol.",
        "summaries/guide/The Keeper/chapters 2-3.txt": "Anne looks at the sea. A storm comes.",
        "summaries/guide/Elsewhere/chapter 1.txt": "Peter leaves the town.",
        "chapters/8-chapters/chapter 1.txt": "Peter left the town at dawn. The dog barked. It rained.",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    return folder


def test_texts_and_baselines(
    data: Path, novels: Path, texts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def told(*more: str | Path) -> Any:
        return printed(capsys, "booksum", data, "--texts", texts, "--embedder", "hashing", *more)["texts"]

    alone = told()
    assert (alone["without_summary"], alone["without_text"], alone["dropped"]) == (1, 2, 0)
    assert [(each["level"], each["pairs"]) for each in alone["levels"]] == [("paragraph", 1), ("chapter", 1)]
    assert alone["systems"] == []
    both = told("--novels", novels, "--baselines")
    assert (both["without_text"], both["dropped"]) == (0, 3)
    assert [(each["level"], each["pairs"]) for each in both["levels"]] == [("paragraph", 4), ("chapter", 3)]
    chapter = {each["system"]: each for each in both["systems"] if each["level"] == "chapter"}
    assert set(chapter) == {"lead", "random", "oracle", "centrality", "matched"}
    assert chapter["oracle"]["scores"]["rouge1"]["mean"] > chapter["random"]["scores"]["rouge1"]["mean"]
    assert "bertscore" not in chapter["lead"]["scores"]
    sheet = tmp_path / "sheet.csv"
    told("--novels", novels, "--baselines", "--sheet", sheet)
    rows = list(DictReader(sheet.read_text("utf-8-sig").splitlines()))
    assert {row["level"] for row in rows} == {"paragraph", "chapter"}
    assert json.loads((tmp_path / "sheet.csv.key.json").read_text()).keys() == {row["id"] for row in rows}
    assert told("--novels", novels, "--limit", "1")["levels"][1]["pairs"] == 1


def test_the_page_of_texts(
    data: Path, novels: Path, texts: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output.out, "width", 180, raising=False)
    evaluated("booksum", data, "--novels", novels, "--texts", texts, "--embedder", "hashing", "--baselines")
    page = capsys.readouterr().out
    assert "Left out: 1 rows without a summary, 0 without a text; 3 lines" in page
    assert "146,532" in page
    assert "14.3 / 2.2 / 8.6" in page


def test_options_that_need_others(data: Path, texts: Path, tmp_path: Path) -> None:
    with pytest.raises(BadParameter, match="need the texts"):
        evaluated("booksum", data, "--baselines")
    with pytest.raises(BadParameter, match="about the baselines"):
        evaluated("booksum", data, "--texts", texts, "--bertscore")
    with pytest.raises(BadParameter, match="--cloze"):
        evaluated("booksum", data, "--texts", texts, "--cloze")
    with pytest.raises(BadParameter, match="--sheet"):
        evaluated("booksum", data, "--texts", texts, "--sheet", tmp_path / "sheet.csv")
    with pytest.raises(BookSumInvalid, match="no summary with its text"):
        evaluated("booksum", data, "--texts", tmp_path, "--embedder", "hashing")


def test_a_folder_without_the_files(data: Path, novels: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadParameter, match="none of BookSum's novels"):
        evaluated("booksum", data, "--novels", tmp_path / "empty")
    with pytest.raises(BookSumInvalid, match="no alignment files"):
        evaluated("booksum", novels)
