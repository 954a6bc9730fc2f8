"""The labelled facts, and what is measured on them."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from pathlib import Path

import pytest
from typer import BadParameter

from evaluation.commands.categories import LabelsInvalid
from evaluation.facts.labelled import read
from evaluation.facts.llm_categories import classify
from evaluation.facts.measure import ClassifierLabels, measured, report
from evaluation.facts.types import FactsHalf
from generation.checking.categories import categorise
from generation.errors import ExtractorUnavailable, GeneratorUnavailable
from generation.models.scripted_model import ScriptedModel
from generation.types import Category
from tests.evaluation.command import evaluated, printed
from tests.failing import fails

ROLE, EVENT, OTHER = Category.ROLE, Category.EVENT, Category.OTHER


def test_the_labelled_facts_are_many_even_and_each_there_once() -> None:
    facts = read()
    assert len(facts) >= 160
    assert len({f.fact for f in facts}) == len(facts)
    counts = Counter(f.category for f in facts)
    assert set(counts) == set(Category)
    assert max(counts.values()) - min(counts.values()) <= 6
    for half in FactsHalf:
        some = Counter(f.category for f in facts if f.half is half)
        assert max(some.values()) - min(some.values()) <= 4
    assert len({f.book for f in facts}) >= 6


def test_figures_by_hand() -> None:
    gold = [ROLE, ROLE, ROLE, EVENT, EVENT, OTHER]
    said = [ROLE, ROLE, EVENT, EVENT, ROLE, OTHER]
    found = measured(gold, ClassifierLabels("hand", said))
    assert found.accuracy == pytest.approx(4 / 6)
    role = found.categories[ROLE]
    assert (role.precision, role.recall, role.f1, role.facts) == (2 / 3, 2 / 3, pytest.approx(2 / 3), 3)
    assert found.categories[EVENT].precision == 0.5
    assert found.categories[Category.PERSONALITY].f1 is None
    assert found.macro_f1 == pytest.approx((2 / 3 + 1 / 2 + 1) / 3)
    assert found.confusion[ROLE][EVENT] == 1
    assert found.kappa == pytest.approx((4 / 6 - 14 / 36) / (22 / 36))


def test_a_floor_of_categories_is_found_in_what_was_held_out() -> None:
    """The minimum may only ever be raised."""
    facts = [f for f in read() if f.half is FactsHalf.HELD_OUT]
    found = report(
        facts, [ClassifierLabels("offline", categorise([f.fact for f in facts]))], half=FactsHalf.HELD_OUT
    )
    second, offline = found.measured
    assert second.annotator == "second pass"
    assert second.accuracy > 0.9
    assert offline.accuracy >= 0.7
    assert found.fleiss is not None
    assert second.kappa is not None
    assert 0.6 < found.fleiss < second.kappa


def test_other_labels_are_other_labels() -> None:
    facts = read()
    assert report(facts, [], half=None).sha256 != report(facts[1:], [], half=None).sha256


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "column fact is missing"),
        ("fact,category\na,role\n", "column second is missing"),
        ("fact,category,second,book,half\n", "no facts"),
        ("fact,category,second,book,half\n,role,role,b,tuning\n", "row 2: the fact is empty"),
        ("fact,category,second,book,half\na,fun,role,b,tuning\n", "row 2: 'fun'"),
        ("fact,category,second,book,half\na,role,role,b,both\n", "row 2: 'both'"),
        ('fact,category,second,book,half\n"a,role\n', "unexpected end|row 2"),
    ],
)
def test_a_table_that_does_not_read_is_refused(text: str, wrong: str, tmp_path: Path) -> None:
    (tmp_path / "facts.csv").write_text(text, "utf-8")
    with pytest.raises(ValueError, match=wrong):
        read(tmp_path / "facts.csv")


# The command


run = partial(evaluated, "categories")


def test_the_command_measures_the_half_that_was_held_out(capsys: pytest.CaptureFixture[str]) -> None:
    held, every = printed(capsys, "categories"), printed(capsys, "categories", "--all")
    assert held["half"] == "held-out"
    assert held["facts"] < every["facts"] == len(read())
    assert [m["annotator"] for m in held["measured"]] == ["second pass", "offline/3"]
    assert sum(f["facts"] for f in held["measured"][1]["categories"].values()) == held["facts"]
    assert printed(capsys, "categories", "--half", "tuning")["facts"] == every["facts"] - held["facts"]


def test_a_model_that_names_no_category_is_said_so(capsys: pytest.CaptureFixture[str]) -> None:
    extractors = ("--extractor", "llm", "--extractor", "offline")
    found = printed(capsys, "categories", *extractors, "--generator", "scripted-model")
    _, model, offline = found["measured"]
    assert model["annotator"] == "scripted-model/1"
    assert model["offline"] == found["facts"]
    assert model["accuracy"] == offline["accuracy"]


def test_the_page_for_people_has_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    run("--extractor", "llm", "--generator", "scripted-model")
    page = capsys.readouterr().out
    assert "Fleiss' kappa over the gold and 2 annotators" in page
    assert "scripted-model/1 gave 78 facts no category" in page
    assert all(c.value in page for c in Category)


def test_what_cannot_be_measured_is_refused(tmp_path: Path) -> None:
    with fails(ExtractorUnavailable, match="llm, offline"):
        run("--extractor", "wish")
    with pytest.raises(BadParameter, match="--extractor llm"):
        run("--generator", "scripted-model")
    with pytest.raises(BadParameter, match="leave out --half"):
        run("--half", "tuning", "--all")
    with fails(GeneratorUnavailable, match="no language model"):
        run("--extractor", "llm", "--generator", "offline")
    (tmp_path / "mine.csv").write_text("fact,category,second,book,half\na,role,role,b,tuning\n", "utf-8")
    with pytest.raises(LabelsInvalid, match="held-out"):
        run("--facts", tmp_path / "mine.csv")
    (tmp_path / "mine.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(LabelsInvalid, match="cannot be read"):
        run("--facts", tmp_path / "mine.csv")


def test_categories_are_asked_for_and_checked() -> None:
    facts = ["Tom is vain.", "Tom ran."]
    told = json.dumps({"categories": ["Personality", "event"]})
    assert classify(ScriptedModel([told]), facts) == ([Category.PERSONALITY, Category.EVENT], [])


@pytest.mark.parametrize("bad", ["", "{}", '{"categories": ["event"]}', '{"categories": ["event", "fun"]}'])
def test_categories_that_cannot_be_used_are_the_offline_ones(bad: str) -> None:
    facts = ["Tom is vain.", "Tom ran."]
    found, without = classify(ScriptedModel([bad, bad]), facts)
    assert found == categorise(facts)
    assert without == [0, 1]
