"""The facts that judges are measured on: the table matches its description."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from evaluation import novella
from evaluation.judging.facts import answer_sentences, file_of, known_facts, missing
from evaluation.judging.types import NOVELLA, Falsehood, JudgingHalf
from generation.types import Category


def test_there_are_enough_true_and_false_ones_of_every_kind() -> None:
    facts = known_facts()
    assert len(facts) >= 380
    assert len({f.book for f in facts}) == 5
    for half in JudgingHalf:
        mine = [f for f in facts if f.half is half]
        assert abs(sum(f.true for f in mine) - len(mine) / 2) < 0.05 * len(mine)
        assert {f.falsehood for f in mine} == {None, *Falsehood}
        assert {f.category for f in mine} == set(Category)


def test_no_novel_is_in_both_halves() -> None:
    halves = {(f.book, f.half) for f in known_facts() if f.book != NOVELLA}
    assert max(Counter(book for book, _ in halves).values()) == 1


def test_no_fact_is_there_twice() -> None:
    said = Counter((f.book, f.fact) for f in known_facts())
    assert [fact for fact, count in said.items() if count > 1] == []


def test_the_novella_has_the_words_that_its_facts_rest_on() -> None:
    facts = known_facts()
    assert list(missing(facts, NOVELLA, novella.text())) == []
    other = [replace(f, words="there was a dragon") for f in facts if f.book == NOVELLA]
    assert len(list(missing(other, NOVELLA, novella.text()))) == len(other)


def test_words_are_found_whatever_the_marks_and_lines() -> None:
    fact = replace(known_facts()[0], words="“It’s a woman—and a clerk”", book="x")
    assert list(missing([fact], "x", "He said: It's a _woman_--and\na clerk.")) == []


@pytest.mark.parametrize(
    "row",
    [
        "emma,held_out,Emma,Emma is rich.,personality,maybe,,rich",
        "emma,held_out,Emma,Emma is rich.,personality,true,relation,rich",
        "emma,held_out,Emma,Emma is poor.,personality,false,,rich",
        "emma,both,Emma,Emma is rich.,personality,true,,rich",
        "emma,held_out,Emma,Emma is rich.,wealth,true,,rich",
    ],
)
def test_a_wrong_row_is_named(row: str, tmp_path: Path) -> None:
    table = tmp_path / "facts.csv"
    table.write_text(f"book,half,character,fact,category,truth,kind,words\n{row}\n")
    with pytest.raises(ValueError, match="row 1"):
        known_facts(table)


def test_books_are_found_by_the_beginning_of_their_titles() -> None:
    paths = [Path(f"{name}.txt.gz") for name in ("12677_emma_mcchesney_and_co", "158_emma", "9_dr_emma")]
    assert file_of("emma", paths) == paths[1]
    assert file_of("emma", paths[::2]) == paths[0]
    assert file_of("dracula", paths) is None


def test_sentences_about_the_novella_cite_words_that_it_has_once() -> None:
    sentences = answer_sentences()
    assert Counter(s.true for s in sentences) == {True: 20, False: 20}
    text = " ".join(novella.text().split())
    assert [s.words for s in sentences if text.count(s.words) != 1] == []


HEADER = "book,half,character,fact,category,truth,kind,words"


@pytest.mark.parametrize(("text", "wrong"), [("hi\n", "the column book is missing"), (HEADER, "no rows")])
def test_a_table_without_facts_is_refused(tmp_path: Path, text: str, wrong: str) -> None:
    (tmp_path / "facts.csv").write_text(text, "utf-8")
    with pytest.raises(ValueError, match=wrong):
        known_facts(tmp_path / "facts.csv")
