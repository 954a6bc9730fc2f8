"""`bookworm evaluate memory`, on the novella as if it were a novel of the corpus."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from books.reading import read
from evaluation import novella
from evaluation.corpus import loading
from evaluation.corpus.types import ChapterEvent, CorpusNovel
from service.cli.exits import Exit
from tests.cli.conftest import Bookworm


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    (folder / "low_water.txt").write_text(novella.text(), "utf-8")
    return folder


@pytest.fixture
def corpus(monkeypatch: pytest.MonkeyPatch) -> None:
    book = read(novella.text().encode(), name="low_water.txt")
    events = tuple(
        ChapterEvent(p.chapter + 1, f"{p.index}: {words}", words)
        for p in book.paragraphs[::12]
        if "Bess" in (words := book.slice(p.span).split("\n")[0])
    )
    novel = CorpusNovel("low_water", "Low Water", "Nobody", "dev", (), events)
    none = CorpusNovel("other", "Other", "Nobody", "dev", ())

    def novels(_: str) -> Iterator[CorpusNovel]:
        yield from (novel, none)

    monkeypatch.setattr(loading, "novels", novels)


@pytest.mark.soak
def test_the_test_is_taken_and_its_files_are_written(
    bookworm: Bookworm, corpus: None, texts: Path, tmp_path: Path
) -> None:
    curve, rows = tmp_path / "curve.svg", tmp_path / "questions.jsonl"
    asked = ("evaluate", "memory", "--novels", str(texts), "--corrections", "--generator", "scripted-model")
    ran = bookworm(
        *asked, "--context", "none", "--context", "3", "--curve", str(curve), "--questions", str(rows)
    )
    for name in ("nearest", "model, none", "model, 3", "unchanged"):
        assert name in ran.out
    assert "no usable answer" in ran.out
    assert "<svg" in curve.read_text("utf-8")
    written = [json.loads(line) for line in rows.read_text("utf-8").splitlines()]
    assert f"{len(written)} questions" in ran.out
    assert all(row["options"][-1] == "None of these." for row in written)
    results = bookworm(*asked, "--context", "none", "--json").json
    assert set(results["results"]) == set(results["curves"]) == {"nearest", "words, none", "model, none"}
    assert all("accuracy" in point for curve in results["curves"].values() for point in curve)
    assert set(results["corrections"]["model, none"]) >= {"all", "scene", "book"}


def test_what_cannot_be_asked_is_told(bookworm: Bookworm, corpus: None, texts: Path, tmp_path: Path) -> None:
    assert bookworm("evaluate", "memory", "--novels", str(tmp_path)).status == Exit.ERROR
    unresolved = bookworm("evaluate", "memory", "--novels", str(texts), "--only-resolved")
    assert "Leave out --only-resolved" in unresolved.err
    other = bookworm("evaluate", "memory", "--novels", str(texts), "--only", "Bleak HOUSE")
    assert "None of the novels chosen by --only is used here" in other.err
    unknown = bookworm("evaluate", "memory", "--novels", str(texts), "--only", "nosuch")
    assert unknown.status == Exit.USAGE
    assert "No novel's name contains “nosuch”" in unknown.err
    wrong = bookworm("evaluate", "memory", "--novels", str(tmp_path), "--context", "half")
    assert "or a number of passages" in wrong.err
    assert wrong.status == Exit.USAGE
    for option in ("--curve", "--questions"):
        away = bookworm(
            "evaluate", "memory", "--novels", str(tmp_path), option, str(tmp_path / "no" / "file")
        )
        assert (away.status, option in away.err) == (Exit.USAGE, True)
    alone = bookworm("evaluate", "memory", "--novels", str(texts), "--scenes", "8")
    assert "It needs --generator" in alone.err
    assert "It needs --corrections" in bookworm("evaluate", "memory", "--novels", str(texts), "--qa").err
