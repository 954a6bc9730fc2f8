"""What claims are categorised by: the labels it is learnt from, and the learning."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from safetensors.torch import load_file

from coref.native.minilm import encoder_folder
from evaluation.corpus.loading import novels
from evaluation.facts import category_lessons, category_training
from evaluation.facts.category_lessons import agreement, claims, facts
from evaluation.facts.labelled import read
from evaluation.facts.types import FactsHalf
from generation.checking.categories import categorise
from generation.types import Category
from retrieval.telling.reader import SentenceReader
from service.cli.app import run

RESERVED = (
    "Sign of the Four|Who Was Thursday|Mysterious Affair|Age of Innocence|Persuasion|Anne of Green Gables"
    "|Pride and Prejudice|^Emma$"
)


def test_nothing_is_learnt_of_reserved_or_test_titles() -> None:
    tests = {novel.novel for novel in novels("test")} | {novel.title for novel in novels("test")}
    learnt = {lesson.novel for lesson in (*claims(), *facts())}
    assert len(learnt) > 60
    assert not learnt & tests
    assert not any(re.search(RESERVED, name.replace("_", " "), re.IGNORECASE) for name in learnt)


def test_what_was_held_out_is_not_learnt() -> None:
    held_out = {fact.fact for fact in read() if fact.half is FactsHalf.HELD_OUT}
    assert held_out.isdisjoint(lesson.text for lesson in facts())


def test_claims_have_every_category_and_readers_agree() -> None:
    found = Counter(claim.category for claim in claims())
    assert set(found) == set(Category)
    assert sum(found.values()) == 1300
    pairs, alike = agreement(claims())
    assert (pairs, round(alike, 2)) == (360, 0.86)


def test_facts_are_about_alex_or_about_somebody_with_a_name() -> None:
    corpus = [lesson.text for lesson in facts() if lesson.weight < 1]
    assert 0.3 < sum(text.startswith("Alex ") for text in corpus) / len(corpus) < 0.7


def test_two_categories_are_told_apart_after_a_short_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = (Category.RELATIONSHIP, Category.EVENT)
    some = [lesson for lesson in facts() if lesson.category in wanted and lesson.weight == 1]
    learnt, asked = some[:40], some[40:80]
    brisk = replace(category_training.COURSE, rate=3e-3, warm=2, batch=8)
    monkeypatch.setattr(category_training, "COURSE", brisk)
    monkeypatch.setattr(category_lessons, "facts", lambda: iter(learnt))
    monkeypatch.setattr(category_lessons, "claims", lambda: learnt[:2])
    file = tmp_path / "categories.safetensors"
    assert run(["train", "categories", "--output", str(file), "--folds", "0"]) == 0
    assert "2 claims and 40 facts" in capsys.readouterr().err
    reader = SentenceReader(encoder_folder(), load_file(file))
    said = categorise([lesson.text for lesson in asked], reader)
    right = sum(a is lesson.category for a, lesson in zip(said, asked, strict=True))
    assert right / len(asked) > 0.7, "most often, by chance, a half"


def test_what_is_chinese_is_other() -> None:
    assert categorise(["宋江是梁山的头领。", "Tom died."]) == [Category.OTHER, Category.EVENT]


def test_nothing_has_no_categories() -> None:
    assert categorise([]) == []
