"""What becomes of a small model's sentences: the documented table follows from the rows judged by hand."""

from __future__ import annotations

from pathlib import Path

from evaluation.judging.small_answers import DESCRIBED, judged
from evaluation.judging.small_drafts import SEEDS, TABLE, table

QUALITY = Path(__file__).parents[3] / "docs" / "quality.md"


def row(verdict: str, **cells: str) -> dict[str, str]:
    return {"verdict": verdict, "cited": "", "supported": "", "false_facts": ""} | cells


def test_the_table_in_the_documentation_follows_from_the_rows() -> None:
    assert table(judged(TABLE)) in QUALITY.read_text("utf-8")


def test_each_sentence_was_judged() -> None:
    found = judged(TABLE)
    assert {r["about"] for r in found} == set(DESCRIBED)
    assert {int(r["seed"]) for r in found} == set(range(SEEDS))
    for one in found:
        assert one["sentence"]
        assert one["verdict"] in ("true", "false", "empty")
        assert int(one["false_facts"] or 0) <= len(one["supported"].splitlines())


def test_sentences_are_counted_by_what_a_reader_called_them() -> None:
    found = [
        row("false", cited="a", supported="x\ny", false_facts="2"),
        row("false"),
        row("true", cited="b", supported="z", false_facts="0"),
    ]
    assert [line.strip("|").split("|") for line in table(found).splitlines()[2:]] == [
        [" true ", " 1 ", " 1 ", " 1 ", " 0 "],
        [" false ", " 2 ", " 1 ", " 1 ", " 2 "],
        [" empty ", " 0 ", " 0 ", " 0 ", " 0 "],
    ]
