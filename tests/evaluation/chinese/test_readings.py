"""What readers said of Chinese sentences, and the head that learns it."""

from __future__ import annotations

import json
import random
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from coref.chinese.resolver import ChineseResolver
from evaluation.chinese import readings as module
from evaluation.chinese.gold import chapters
from evaluation.chinese.readings import (
    ChineseLessons,
    ReadChineseSentence,
    held_out,
    lessons,
    readings,
    train,
    would_show,
)
from evaluation.chinese.sources import as_book
from retrieval.telling.head import JUDGED, OUTPUTS
from tests.novella import indexed

SIGNS = 3


def drawn(count: int) -> ChineseLessons:
    """The rules to learn: 姓 makes a sentence telling; the second sign says that it is about the person."""
    chance = random.Random(1)
    read, signs = [], np.zeros((count, SIGNS), np.float32)
    for row in range(count):
        about, telling = chance.random() < 0.5, chance.random() < 0.5
        signs[row, 1] = about
        words = "".join(chance.choices("天地山水火木", k=6)) + "姓" * telling
        read.append(ReadChineseSentence("她", words, about, 2 * telling, alone=True, kind="role"))
    marked = tuple(f"她, told: {each.sentence}" for each in read)
    return ChineseLessons(tuple(read), marked, signs, tuple(f"x {row % 10}" for row in range(count)))


def test_readings_tell_whether_a_sentence_is_wanted() -> None:
    for novel, least in (("sanguo", 1000), ("honglou", 200)):
        read = readings(novel)
        assert len({(each.person, each.sentence) for each in read}) == len(read) > least
        assert {each.telling for each in read} == {0, 1, 2}
        assert 0.1 < np.mean([each.wanted for each in read]) < 0.3
        assert not any(each.wanted and not (each.about and each.alone) for each in read)


def test_a_head_learns_what_readers_said() -> None:
    told = drawn(200)
    head = train(told)
    signs = np.array([[0, 1, 0], [0, 1, 0], [0, 0, 0]], np.float32)
    scores = head(signs, ["她, told: 天地姓", "她, told: 天地山", "她, told: 天地姓"])
    any_, about, telling = (scores[:, OUTPUTS.index(name)] for name in ("any", "about", "telling"))
    assert any_.argmax() == 0
    assert about[:2].min() > about[2] + 1
    assert min(telling[0], telling[2]) > telling[1] + 0.5


def test_what_is_shown_is_certain_telling_and_understood_alone() -> None:
    scores = np.full(len(OUTPUTS), 3.0, np.float32)
    assert would_show(scores)
    for name in JUDGED:
        less = scores.copy()
        less[OUTPUTS.index(name)] = -0.5
        assert not would_show(less), name


def test_whoever_is_measured_was_not_read() -> None:
    told = drawn(100)
    seen = list(held_out(told))
    assert sorted(each.sentence for each, _ in seen) == sorted(each.sentence for each in told.read)
    whole = train(told)(told.signs, told.marked)
    by_sentence = dict(zip((each.sentence for each in told.read), whole, strict=True))
    assert all((by_sentence[each.sentence] != scores).any() for each, scores in seen)


def test_sentences_are_found_where_their_person_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gold = next(each for each in chapters() if each.name == "sanguo01")
    book = as_book([gold.text])
    annotations = ChineseResolver().annotate(book)
    index = indexed(book, tmp_path)
    people = {"曹操", "刘备", "张飞"}
    kept = [asdict(e) for e in readings("sanguo") if e.person in people and e.sentence in gold.text]
    monkeypatch.setattr(module, "READINGS", tmp_path)
    nobody = {**kept[0], "person": "无名氏"}
    (tmp_path / "here.json").write_text(json.dumps([*kept, nobody]), "utf-8")
    found = lessons("here", index, annotations)
    assert {who.removeprefix("here ") for who in found.people} <= people
    assert 0 < len(found.read) <= len(kept)
    assert found.signs.shape[0] == len(found.read) == len(found.people)
    (tmp_path / "here.json").write_text(json.dumps([{**kept[0], "sentence": "书中没有这句话。"}]), "utf-8")
    with pytest.raises(ValueError, match="not found"):
        lessons("here", index, annotations)
