"""The head for Chinese sentences: what it reads in a story that it has not seen, and how it is kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from coref.chinese.resolver import ChineseResolver
from coref.types import Annotations
from retrieval.index import BookIndex
from retrieval.telling import chinese, head, reader
from retrieval.telling.sentences import introducing_sentences, telling_sentences
from tests.coref.chinese.gold import read_gold
from tests.novella import indexed


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> tuple[BookIndex, Annotations]:
    book = read_gold("shop").book
    return indexed(book, tmp_path_factory.mktemp("shop")), ChineseResolver().annotate(book)


def test_a_sentence_is_read_in_either_script_and_no_name_in_it() -> None:
    grams = list(chinese.grams_of("賈母, told: * 賈母 *見他。"))
    assert grams == list(chinese.grams_of("曹操, told: * 操 *见他。"))
    assert grams[:6] == ["told", "^", "@", "见", "他", "。"]
    assert {"@见", "^@见", "@见他"} <= set(grams)
    assert "见他。" not in grams
    signs = np.zeros((2, chinese.shipped().mean.size), np.float32)
    traditional, simplified = chinese.shipped()(signs, ["賈化, told: 原來姓賈。", "贾化, told: 原来姓贾。"])
    assert traditional.shape == (len(head.OUTPUTS),)
    assert (traditional == simplified).all()


@pytest.mark.parametrize(
    ("name", "introduced"),
    [
        ("秦小雨", "店里只有一个伙计，名叫秦小雨，街坊们都喊她小雨。"),
        ("陆平", "我姓陆，叫陆平，在钟楼下面开了一家旧书店。"),
    ],
)
def test_who_somebody_is_comes_before_what_they_do(
    shop: tuple[BookIndex, Annotations], name: str, introduced: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "shipped", lambda: pytest.fail("MiniLM reads no Chinese"))
    index, annotations = shop
    who = next(person.id for person in annotations.characters if person.name == name)
    found = telling_sentences(index, annotations, who)
    best = max(found, key=lambda sentence: sentence.certainty * sentence.telling * sentence.alone)
    assert best.span.of(index.book.text) == introduced
    assert best in introducing_sentences(index, annotations, who)


def test_a_head_is_kept(tmp_path: Path) -> None:
    path = tmp_path / chinese.WEIGHTS
    chinese.save(chinese.shipped(), path)
    kept = chinese.load(path)
    assert kept.known == chinese.shipped().known
    signs = np.ones((1, kept.mean.size), np.float32)
    assert (
        kept(signs, ["她, told: 店里只有一个伙计。"])
        == chinese.shipped()(signs, ["她, told: 店里只有一个伙计。"])
    ).all()
