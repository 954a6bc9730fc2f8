"""The places that answer a question: found, grown to a readable length, ranked, and never past the gate."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import cast

import numpy as np
import pytest

from books.gate import cut
from books.reading import read
from books.types import Book
from evaluation import novella
from retrieval.asking import question_vectors, reading
from retrieval.asking.places import LEAST, NEAR, READ, answering_places, around, found_places
from retrieval.asking.reading import read as read_places
from retrieval.asking.signs import NAMES
from retrieval.index import BookIndex, build
from retrieval.pairs.pair_reader import PairReader
from retrieval.pairs.types import Asks
from retrieval.registry import make_embedder
from retrieval.sentences import flat
from retrieval.telling.sentence_table import Floats
from tests.novella import indexed

QUESTION = "What was the name of the ship that was lost?"


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> dict[str, BookIndex]:
    """The first half of the novella."""
    whole = read(novella.text().encode())
    book, folder = cut(whole, whole.end_of_chapter(7)), tmp_path_factory.mktemp("minilm")
    build(book, folder, embedder=make_embedder("minilm"))
    hashed = indexed(book, tmp_path_factory.mktemp("hashing"))
    return {"minilm": BookIndex.open(folder, book=book), "hashing": hashed}


@pytest.fixture(params=["minilm", "hashing"])
def index(shelf: dict[str, BookIndex], request: pytest.FixtureRequest) -> BookIndex:
    """Hashed vectors mean nothing to the encoder of questions: then only words find."""
    return shelf[request.param]


def test_each_sentence_is_a_question_that_its_own_place_answers(index: BookIndex) -> None:
    lines = index.sentences[::40].tolist()
    first = 0
    for start, end, _ in lines:
        found, _ = found_places(index, index.book.text[start:end])
        first += any(place.span.start <= start < place.span.end for place in found[:1])
    assert first >= 0.8 * len(lines)


def test_places_do_not_overlap_and_are_whole(index: BookIndex) -> None:
    places = answering_places(index, QUESTION)
    assert all(0 <= p.score <= 1 for p in places)
    spans = sorted(p.span for p in places)
    assert all(a.end <= b.start for a, b in pairwise(spans))
    for place in places:
        assert all(place.span.covers(s.span) for s in place.sentences)
        assert {int(index.chapters[n]) for n in place.passages} == {place.chapter}


def test_a_place_grows_within_its_chapter(index: BookIndex) -> None:
    for passage in range(0, len(index), 7):
        first, last = around(index, passage, len(index))
        assert first <= passage <= last
        assert len(set(index.chapters[first : last + 1].tolist())) == 1
        long = index.spans[last, 1] - index.spans[first, 0]
        whole = index.chapters == index.chapters[passage]
        assert long >= LEAST or last - first + 1 == whole.sum() or first < last or long > LEAST / 4


@pytest.mark.parametrize("chapter", [1, 4])
def test_a_reader_gets_the_same_as_if_the_book_ended_there(index: BookIndex, chapter: int) -> None:
    book: Book = index.book
    upto = book.end_of_chapter(chapter)
    places = answering_places(index, QUESTION, upto=upto)
    assert places
    assert all(p.span.end <= upto for p in places)


def test_only_what_is_nearest_in_a_place_is_read(shelf: dict[str, BookIndex]) -> None:
    book = shelf["minilm"].book
    asked: list[tuple[str, str]] = []

    def reader(pairs: Sequence[tuple[str, str]], asks: Asks) -> Floats:
        asked.extend(pairs)
        return np.full(len(pairs), asks, np.float32)

    places = found_places(shelf["minilm"], QUESTION)[0]
    assert read_places(cast(PairReader, reader), QUESTION, places, book.text).tolist() == [1.0] * len(places)
    assert any(len(place.span.of(book.text)) > 700 for place in places)
    for place, (question, text) in zip(places, asked, strict=True):
        nearest = max(place.sentences, key=lambda each: each.score).span.of(book.text)
        assert question == QUESTION
        assert flat(nearest) in text
        assert len(text) <= max(500, len(nearest))


def test_a_question_is_read_once() -> None:
    encoder = question_vectors.shipped()
    assert encoder is not None
    assert encoder(QUESTION) is encoder(QUESTION)


def test_chapters_are_the_only_ones_with_places(index: BookIndex) -> None:
    few = answering_places(index, QUESTION, chapters=[1, 3])
    assert {place.chapter for place in few} == {1, 3}
    assert answering_places(index, QUESTION, chapters=range(99)) == answering_places(index, QUESTION)
    assert answering_places(index, QUESTION, upto=index.book.end_of_chapter(1), chapters=[1]) == ()


def test_nothing_read_answers_nothing(index: BookIndex) -> None:
    assert answering_places(index, QUESTION, upto=0) == ()


def test_further_names_of_the_people_find_more(shelf: dict[str, BookIndex]) -> None:
    index = shelf["hashing"]
    text = index.book.text
    named = answering_places(index, "xyzzy", names=("Captain",))
    assert any("Captain" in place.span.of(text) for place in named)


def test_without_minilm_words_find_alone(
    shelf: dict[str, BookIndex], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(question_vectors, "shipped", lambda: None)
    index = shelf["minilm"]
    places = answering_places(index, QUESTION)
    assert any(word in places[0].span.of(index.book.text) for word in ("ship", "lost", "name"))
    signs = found_places(index, QUESTION)[1]
    nearest = signs[:, NAMES.index("nearest sentence")]
    assert 0 < nearest.max() <= 1
    assert nearest.min() >= 0


def test_the_signs_of_a_place(shelf: dict[str, BookIndex]) -> None:
    index = shelf["minilm"]
    start, end, _ = index.sentences[len(index.sentences) // 2].tolist()
    found, signs = found_places(index, index.book.text[start:end])
    at = next(n for n, place in enumerate(found) if place.span.start <= start < place.span.end)
    assert signs.shape == (len(found), len(NAMES))
    assert np.isfinite(signs).all()
    own = dict(zip(NAMES, signs[at].tolist(), strict=True))
    assert own["share of the words"] == pytest.approx(1)
    assert 0.5 < own["words beside the best"] <= 1
    assert own["nearest sentence"] >= own["second"] >= own["third"]
    assert (signs[:, NAMES.index("before all others")] > 0).sum() == 1


def test_a_sentence_is_as_near_in_its_place_as_in_the_book(shelf: dict[str, BookIndex]) -> None:
    places = answering_places(shelf["minilm"], QUESTION)
    nearest = max(s.score for place in places for s in place.sentences)
    assert nearest == max(s.score for s in places[0].sentences) or nearest < 1
    assert all(-1 <= s.score <= 1.01 for place in places for s in place.sentences)


def test_places_that_reading_could_not_put_first_are_not_read(
    shelf: dict[str, BookIndex], monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[Floats] = []

    def reader(_question: str, _places: object, _text: str, said: Floats) -> Floats:
        heard.append(said[:, 0].copy())
        return said

    monkeypatch.setattr(reading, "shipped", lambda: reader)
    index = shelf["minilm"]
    start, end, _ = index.sentences[len(index.sentences) // 2].tolist()
    for asked in (index.book.text[start:end], QUESTION, "What happens?"):
        answering_places(index, asked)
    assert all((scores >= scores[0] - NEAR).all() for scores in heard)
    assert len(heard[0]) < READ == max(map(len, heard))
