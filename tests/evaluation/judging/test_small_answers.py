"""The answers of a small model: the table in the documentation follows from the rows judged by hand."""

from __future__ import annotations

from pathlib import Path

from evaluation.judging.small_answers import KINDS, SmallFigures, asks, figures, judged, rows, table

QUALITY = Path(__file__).parents[3] / "docs" / "quality.md"


def row(answer: str, **cells: str) -> dict[str, str]:
    empty = dict.fromkeys(("rejected", "sentence", "cited", "supported", "verdict", "false_facts"), "")
    return {"answer": answer, "kind": "question"} | empty | cells


def test_the_table_in_the_documentation_follows_from_the_rows() -> None:
    assert table(judged()) in QUALITY.read_text("utf-8")


def test_each_answer_was_asked_for_and_each_sentence_shown_was_judged() -> None:
    found = judged()
    about = {int(r["answer"]): (r["kind"], r["about"], int(r["seed"])) for r in found}
    wanted = dict(enumerate(((a.kind, a.about, a.seed) for a in asks()), 1))
    assert len(wanted) == 30
    assert {kind for kind, _, _ in wanted.values()} == set(KINDS)
    assert about == wanted
    for one in found:
        assert bool(one["rejected"]) is not bool(one["sentence"])
        assert one["verdict"] in (("true", "false", "empty") if one["sentence"] else ("",))
        assert int(one["false_facts"] or 0) <= len(one["supported"].splitlines())


def test_figures_count_answers_and_sentences() -> None:
    found = [
        row("1", rejected="it repeats itself"),
        row("2", sentence="A.", cited="a", verdict="false", supported="x\ny", false_facts="1"),
        row("2", sentence="B.", verdict="false"),
        row("2", sentence="C.", cited="c", verdict="true", supported="z", false_facts="0"),
    ]
    assert figures(found) == SmallFigures(2, 1, 3, 2, 1, 1)
    assert table(found).endswith("| all | 2 | 1 | 3 | 2 | 1 | 1 |\n")


def test_rows_have_what_is_cited_and_supported_for_each_sentence() -> None:
    ask = next(asks())
    answer = {
        "rejected": None,
        "sentences": [
            {"text": "A.", "citations": [{"quote": "the\nsea"}, {"quote": "a ship"}]},
            {"text": "B.", "citations": []},
        ],
        "facts": [
            {"sentence": 0, "text": "A is.", "label": "supported"},
            {"sentence": 1, "text": "B is.", "label": "uncertain"},
        ],
    }
    first, second = rows(7, ask, answer)
    assert (first["answer"], first["cited"], first["supported"]) == (7, "the sea\na ship", "A is.")
    assert (second["sentence"], second["cited"], second["supported"]) == ("B.", "", "")
    (none,) = rows(8, ask, {"rejected": {"reason": "it repeats itself"}})
    assert none["rejected"] == "it repeats itself"
    assert "sentence" not in none
