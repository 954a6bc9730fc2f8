"""Sentences that tell what happens: chosen within each chapter, of what is read, and learnt from examples."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from books.reading import read
from books.types import count_words
from coref.gate import gate
from coref.language.syntax import ROOT, Parse
from coref.registry import make_resolver
from retrieval.events import sentences, training
from retrieval.events.sentences import event_sentences, scored_events, spread
from retrieval.events.signs import event_signs, stretches
from retrieval.events.training import EventCourse, EventRows, WantedSentences
from retrieval.telling.head import TellingHead
from tests.novella import OpenedNovella, indexed


def test_each_chapter_has_its_own_in_story_order(low_water: OpenedNovella) -> None:
    book, annotations, index = low_water
    found = event_sentences(index, annotations)
    assert [e.span for e in found] == sorted(e.span for e in found)
    assert {e.chapter for e in found} == set(range(len(book.chapters)))
    for chapter in range(len(book.chapters)):
        mine = [e for e in found if e.chapter == chapter]
        assert sorted(e.rank for e in mine) == list(range(len(mine)))
        assert all(book.chapters[chapter].span.covers(e.span) for e in mine)
        assert max(mine, key=lambda e: e.score).rank == 0, "the first is the one with the highest score"


def test_a_very_long_chapter_is_told_along_its_length(tmp_path: Path, low_water: OpenedNovella) -> None:
    short, _, _ = low_water
    prose = [text for text in map(short.slice, (p.span for p in short.paragraphs)) if len(text) > 300]
    prose *= -(-16_500 // sum(map(count_words, prose)))
    book = read("\n\n".join(prose).encode(), name="long.txt")
    assert len(book.chapters) == 1
    index = indexed(book, tmp_path)
    stretch = stretches(index, len(index.sentences))
    words = np.bincount(stretch, [count_words(book.text[a:b]) for a, b, _ in index.sentences.tolist()])
    assert len(words) == book.word_count // 4_000
    assert all(3_700 < n < 4_300 for n in words[:-1])
    assert words[-1] < 8_000
    found = event_sentences(index, make_resolver("rules").annotate(book))
    assert [e.stretch for e in found if e.rank == 0] == list(range(len(words)))
    read_on = stretches(index, 3 * len(stretch) // 4)
    assert np.array_equal(read_on, np.minimum(stretch[: len(read_on)], read_on[-1])), "the last is longer"


@pytest.mark.parametrize("chapter", [1, 3])
def test_a_reader_in_the_middle_is_told_of_nothing_later(low_water: OpenedNovella, chapter: int) -> None:
    book, annotations, index = low_water
    upto = book.end_of_chapter(chapter)
    gated = gate(annotations, upto=upto)
    found = event_sentences(index, gated, upto=upto)
    assert found
    assert all(e.span.end <= upto for e in found)
    assert len(scored_events(index, gated, upto)) < len(index.sentences)


def test_the_signs_are_finite_and_as_many_as_the_head_reads(low_water: OpenedNovella) -> None:
    _, annotations, index = low_water
    signs = event_signs(index, annotations, None)
    assert signs.shape == (len(index.sentences), sentences.shipped().size)
    assert np.isfinite(signs).all()


def test_a_sentence_without_a_verb_tells_of_nothing_that_happens(tmp_path: Path) -> None:
    dated, signed = "The Mill, Tuesday, 21st May 1821", "Your friend, and nobody else’s."
    letter = "I have burned the paper. I return the pearls, for they are yours."
    book = read(f"{dated}\n\n{letter}\n\n{signed}".encode(), name="letter.txt")
    verbs = {"have": "AUX", "burned": "VERB", "return": "VERB", "are": "AUX"}
    words = list(re.finditer(r"\w+", book.text))
    parse = Parse(
        starts=[w.start() for w in words],
        ends=[w.end() for w in words],
        sentences=[(0, len(words))],
        tags=[verbs.get(w[0], "NOUN") for w in words],
        lemmas=[w[0] for w in words],
        heads=[ROOT] * len(words),
        relations=["root"] * len(words),
        events=[False] * len(words),
    )
    annotations, index = make_resolver("rules").annotate(book), indexed(book, tmp_path)
    found = event_sentences(index, replace(annotations, parse=parse))
    assert " ".join(book.slice(e.span) for e in found) == letter
    verbless = replace(parse, tags=["NOUN"] * len(words))
    assert len(event_sentences(index, replace(annotations, parse=verbless))) == 4, "there is nothing else"


def test_nothing_read_has_no_events(low_water: OpenedNovella) -> None:
    _, annotations, index = low_water
    assert event_sentences(index, gate(annotations, upto=0), upto=0) == ()


def test_the_next_is_the_best_that_is_least_like_those_before() -> None:
    scores = np.array([5.0, 4.9, 3.0, 1.0], np.float32)
    vectors = np.array([[1, 0], [1, 0], [0, 1], [0.6, 0.8]], np.float32)
    assert list(spread(scores, vectors, 4))[:2] == [0, 2], "the second says the same as the first"
    assert sorted(spread(scores, vectors, 9)) == [0, 1, 2, 3]


def test_a_wide_head_says_the_mean_of_several() -> None:
    chance = np.random.default_rng(0)

    def head() -> training.Weights:
        shapes = {
            "meaning.weight": (4, 8), "meaning.bias": (4,), "hidden.weight": (6, 9), "hidden.bias": (6,),
            "out.weight": (2, 6), "out.bias": (2,), "direct.weight": (2, 5),
        }  # fmt: skip
        drawn = {name: chance.normal(size=size).astype(np.float32) for name, size in shapes.items()}
        return {"mean": np.zeros(5, np.float32), "deviation": np.ones(5, np.float32), **drawn}

    heads = [head() for _ in range(3)]
    signs = chance.normal(size=(7, 5)).astype(np.float32)
    vectors = chance.normal(size=(7, 8)).astype(np.float32)
    each = [TellingHead(one)(signs, vectors) for one in heads]
    np.testing.assert_allclose(
        TellingHead(training.mean_of(heads))(signs, vectors), np.mean(each, axis=0), rtol=1e-4, atol=1e-4
    )


def test_it_learns_which_sentences_of_a_chapter_are_wanted() -> None:
    chance = np.random.default_rng(0)

    def rows(seed: int) -> EventRows:
        own = np.random.default_rng(seed)
        signs = own.normal(size=(60, 5)).astype(np.float32)
        chapter = np.repeat(np.arange(3), 20)
        best = [int(np.argmax(np.where(chapter == c, signs[:, 2], -9))) for c in range(3)]
        wanted = tuple(WantedSentences(np.array([n]), 1.0) for n in best)
        vectors = chance.normal(size=(60, 8)).astype(np.float32)
        judged = np.stack((np.full(60, np.nan), signs[:, 1] > 0), axis=1).astype(np.float32)
        return EventRows(signs, vectors, chapter, wanted, judged)

    weights = training.train(
        [rows(n) for n in range(20)], EventCourse(epochs=20, hidden=8, meaning=4, members=2)
    )
    head, unseen = TellingHead(weights), rows(99)
    scores = head(unseen.signs, unseen.vectors)
    hits = sum(
        int(np.argmax(np.where(unseen.chapter == unseen.chapter[w.sentences[0]], scores[:, 0], -9e9)))
        == w.sentences[0]
        for w in unseen.wanted
    )
    assert hits >= 2, "by chance it is one of twenty"
    assert np.mean((scores[:, 1] > 0) == (unseen.judged[:, 1] > 0)) > 0.8
