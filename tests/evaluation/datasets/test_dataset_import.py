"""Data sets: what is read, and what is refused with which line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaluation.commands.dataset import DatasetInvalid, dataset
from evaluation.datasets.bookworm import long_enough, read
from evaluation.datasets.types import DataInvalid
from generation.types import Task

LINE: dict[str, Any] = {
    "id": 105,
    "book": "Persuasion",
    "author": "Jane Austen",
    "character": "Anne Elliot",
    "description": "The second daughter.",
    "source": "SparkNotes",
    "url": "https://example.org",
}


def written(folder: Path, *lines: Any) -> Path:
    path = folder / "data.jsonl"
    path.write_text("\n".join(x if isinstance(x, str) else json.dumps(x) for x in lines), "utf-8")
    return path


def without(*names: str, **more: Any) -> dict[str, Any]:
    return {k: v for k, v in LINE.items() if k not in names} | more


def test_a_line_as_the_scripts_write_it(tmp_path: Path) -> None:
    [entry] = read(written(tmp_path, LINE)).entries
    assert (entry.line, entry.book_id, entry.title, entry.author) == (1, "105", "Persuasion", "Jane Austen")
    assert (entry.character, entry.task, entry.source) == ("Anne Elliot", Task.DESCRIPTION, "SparkNotes")
    assert entry.text == "The second daughter."


def test_other_words_for_the_fields(tmp_path: Path) -> None:
    line = without("id", "book", "description", "url", book_id="x", title="T", text="Long.", task="analysis")
    [entry] = read(written(tmp_path, line)).entries
    assert (entry.book_id, entry.title, entry.task, entry.text) == ("x", "T", Task.ANALYSIS, "Long.")


@pytest.mark.parametrize("author", ["N/A", "", None, "Unknown"])
def test_an_author_whom_nobody_knows(tmp_path: Path, author: str | None) -> None:
    [entry] = read(written(tmp_path, LINE | {"author": author})).entries
    assert entry.author is None


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "no JSON"),
        ("[1]", "not a JSON object"),
        (without("author"), "`author` missing"),
        (without("id", "character"), "`id` and `character` missing"),
        (LINE | {"genre": "novel"}, "`genre` unknown"),
        (LINE | {"title": "Persuasion"}, "mean the same"),
        (LINE | {"id": True}, "`id` must be"),
        (LINE | {"id": " "}, "`id` must be"),
        (LINE | {"author": 7}, "`author` must be"),
        (LINE | {"character": "  "}, "`character` must be a text"),
        (LINE | {"description": None}, "`description` must be a text"),
        (LINE | {"analysis": "Also."}, "`description` and `analysis`"),
        (without("description"), "there is none"),
        (LINE | {"task": "analysis"}, "the text is under `description`"),
        (without("description", text="x"), "`task` is None"),
        (without("description", text="x", task="joint"), "`task` is 'joint'"),
    ],
)
def test_a_wrong_line_is_told_with_its_number(tmp_path: Path, line: Any, why: str) -> None:
    with pytest.raises(DataInvalid) as told:
        read(written(tmp_path, LINE, "", line))
    assert "line 3: " in str(told.value)
    assert why in str(told.value)


def test_many_wrong_lines_are_counted(tmp_path: Path) -> None:
    with pytest.raises(DataInvalid, match=r"line 8: [^\n]*\nand 2 more"):
        read(written(tmp_path, *["{"] * 10))


def test_nothing_and_no_text_at_all(tmp_path: Path) -> None:
    with pytest.raises(DataInvalid, match="holds no texts"):
        read(written(tmp_path, "", ""))
    (tmp_path / "data.jsonl").write_bytes(b"\xff\xfe\x00{")
    with pytest.raises(DataInvalid, match="not in UTF-8"):
        read(tmp_path / "data.jsonl")


def test_a_rare_line_end_within_a_text_is_no_line_end(tmp_path: Path) -> None:
    line = json.dumps(LINE | {"description": "One\u2028two\x85three."}, ensure_ascii=False)
    [entry] = read(written(tmp_path, line)).entries
    assert entry.text == "One\u2028two\x85three."


def test_repeats_are_left_out_and_counted(tmp_path: Path) -> None:
    imported = read(written(tmp_path, LINE, LINE | {"source": "LitCharts"}, LINE))
    assert [entry.line for entry in imported.entries] == [1, 2]
    assert imported.repeats == 1


def test_the_bounds_are_inclusive(tmp_path: Path) -> None:
    def texts(task: str, *counts: int) -> list[dict[str, Any]]:
        return [without("description", **{task: "word " * count}) for count in counts]

    entries = read(written(tmp_path, *texts("description", 29, 30), *texts("analysis", 199, 200))).entries
    kept, short = long_enough(entries)
    assert [len(entry.text.split()) for entry in kept] == [30, 200]
    assert [len(entry.text.split()) for entry in short] == [29, 199]
    assert len(long_enough(entries, {Task.DESCRIPTION: 29, Task.ANALYSIS: 201})[0]) == 2


def test_a_file_of_booksum_is_refused_with_the_command_for_it(tmp_path: Path) -> None:
    path = tmp_path / "chapter_summaries.csv"
    path.write_bytes(b"book_id,summary\nEmma,The governess\x92s wedding\n")
    with pytest.raises(DatasetInvalid) as refused:
        dataset(path, tmp_path)
    assert "evaluate booksum" in refused.value.remedy
