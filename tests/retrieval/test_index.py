"""An index opens complete and for its own book, or reports why not."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Barrier

import numpy as np
import pytest

from books.reading import read
from books.types import Book, Span
from coref.types import Annotations
from retrieval.errors import IndexMissing, IndexStale
from retrieval.index import BookIndex, build
from retrieval.passages import split
from retrieval.protocols import Embedder
from retrieval.registry import RETRIEVERS, make_retriever
from retrieval.types import Query
from tests.retrieval.conftest import GARDEN, Indexer, make_book


def test_an_opened_index_has_the_passages_of_the_book(book: Book, index: BookIndex) -> None:
    assert tuple(index.passages) == split(book)
    assert index.passages[-1] == split(book)[-1]
    assert index.passages[2:4] == split(book)[2:4]
    assert all(p.text == book.slice(p.span) for p in index.passages)
    with pytest.raises(IndexError):
        index.passages[99]


def test_vectors_belong_to_their_passages(index: BookIndex, embedder: Embedder) -> None:
    """They are embedded longest first, so they could be mixed up."""
    expected = embedder.embed([p.text for p in index.passages])
    assert np.array_equal(index.dense.vectors(list(range(len(index)))), expected)


def test_a_passage_is_visible_when_its_paragraph_is(book: Book, index: BookIndex) -> None:
    ends = [p.span.end for p in index.passages]
    assert index.visible(None) == 8
    assert index.visible(ends[2]) == 3
    assert index.visible(ends[2] - 1) == 2
    assert index.visible(0) == 0
    assert index.visible(book.end_of_chapter(1)) == 4


def test_a_piece_of_a_paragraph_waits_for_the_rest_of_it(index_of: Indexer) -> None:
    long = "She went home again. " * 100
    index = index_of(make_book([["One", "Short.", long.strip()]]))
    assert len(index) == 3
    assert index.visible(index.passages[1].span.end) == 1


def test_labels_and_directions_of_a_play_are_no_sentences(tmp_path: Path, embedder: Embedder) -> None:
    acts = (
        "FIRST ACT\n\n[Enter ANN.]\n\nTOM. Is she here? [He sits down.] I am late.\n\nANN. Yes. I hid it.\n\n"
    )
    play = read((acts + "TOM. Why?\n\nANN. Because. [Exit.]\n\n" * 6).encode(), name="play.txt")
    assert play.play is not None
    build(play, tmp_path, embedder=embedder)
    with BookIndex.open(tmp_path, book=play) as found:
        told = [play.slice(Span(*line[:2])) for line in found.sentences.tolist()]
    assert {"Is she here?", "I am late.", "I hid it.", "[Enter ANN.]"} <= set(told)
    assert not {"TOM.", "ANN.", "[He sits down.]", "[Exit.]"} & set(told)


def test_progress_is_told_and_may_stop_the_work(tmp_path: Path, embedder: Embedder) -> None:
    book = make_book([["One", *(f"Paragraph {i}." for i in range(600))]])
    shares: list[float] = []
    build(book, tmp_path / "told", embedder=embedder, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert len(shares) > 2

    def stop(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(book, tmp_path / "stopped", embedder=embedder, progress=stop)
    with pytest.raises(IndexMissing):
        BookIndex.open(tmp_path / "stopped", book=book)


def test_building_twice_gives_the_same_files(book: Book, tmp_path: Path, embedder: Embedder) -> None:
    for name in ("one", "two"):
        build(book, tmp_path / name, embedder=embedder)
    files = [p.relative_to(tmp_path / "one") for p in (tmp_path / "one").rglob("*") if p.is_file()]
    assert len(files) > 8
    assert all((tmp_path / "one" / f).read_bytes() == (tmp_path / "two" / f).read_bytes() for f in files)


def test_a_finished_folder_can_be_built_over(book: Book, tmp_path: Path, embedder: Embedder) -> None:
    """A stage that was interrupted starts again in the same folder."""
    build(make_book(GARDEN[:1]), tmp_path, embedder=embedder)
    build(book, tmp_path, embedder=embedder)
    assert len(BookIndex.open(tmp_path, book=book)) == 8


def test_a_book_of_headings_only_has_an_empty_index(index_of: Indexer) -> None:
    index = index_of(make_book([["One"], ["Two"]]))
    assert len(index) == 0
    assert index.dense.top(np.ones(256, np.float32), 5, visible=0) == []
    assert index.bm25.top(["one"], 5, visible=0) == []


def test_no_folder_is_missing(book: Book, tmp_path: Path) -> None:
    with pytest.raises(IndexMissing, match="Ingest the book again"):
        BookIndex.open(tmp_path / "nowhere", book=book)


def test_another_text_is_stale(book: Book, index: BookIndex) -> None:
    other = make_book([*GARDEN, ("The End", "All was well.")])
    with pytest.raises(IndexStale, match="another text"):
        BookIndex.open(index.folder, book=other)


def test_another_reading_of_the_same_text_is_stale(book: Book, index: BookIndex) -> None:
    merged = replace(book, paragraphs=book.paragraphs[:-1])
    with pytest.raises(IndexStale, match="another reading"):
        BookIndex.open(index.folder, book=merged)


@pytest.mark.parametrize("part", ["format", "passages", "tokenizer", "bm25", "dense", "cues"])
def test_another_version_of_any_part_is_stale(book: Book, index: BookIndex, part: str) -> None:
    card = json.loads((index.folder / "index.json").read_text())
    (index.folder / "index.json").write_text(json.dumps(card | {part: 99}))
    with pytest.raises(IndexStale, match=part):
        BookIndex.open(index.folder, book=book)


FILES = [
    "bm25/counts.npy",
    "bm25/data.csc.index.npy",
    "bm25/indices.csc.index.npy",
    "bm25/indptr.csc.index.npy",
    "bm25/lengths.npy",
    "bm25/params.index.json",
    "bm25/vocab.index.json",
    "dense.faiss",
    "describing.npy",
    "index.json",
    "kin.npy",
    "passages.npy",
    "sentence_vectors.npy",
    "sentences.npy",
]


def test_these_are_the_files_of_an_index(index: BookIndex) -> None:
    found = (p.relative_to(index.folder).as_posix() for p in index.folder.rglob("*") if p.is_file())
    assert sorted(found) == FILES


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def empty(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize("damage", [flip, truncate, empty, Path.unlink])
@pytest.mark.parametrize("name", FILES)
def test_any_damage_to_any_file_is_noticed(
    book: Book, index: BookIndex, name: str, damage: Callable[[Path], None]
) -> None:
    damage(index.folder / name)
    with pytest.raises((IndexStale, IndexMissing)):
        BookIndex.open(index.folder, book=book)


def test_a_part_that_goes_while_the_index_is_open_is_noticed(
    index: BookIndex, annotations: Annotations
) -> None:
    """As when its book is deleted under an answer."""
    for path in index.folder.rglob("*.npy"):
        path.unlink()
    for part in ("sentences", "sentence_vectors", "bm25"):
        with pytest.raises(IndexStale, match=part):
            getattr(index, part)
    with pytest.raises(IndexStale, match="describing"):
        index.postings(annotations)


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"files": {}}'])
def test_a_damaged_card_is_stale(book: Book, index: BookIndex, content: str) -> None:
    (index.folder / "index.json").write_text(content)
    with pytest.raises(IndexStale):
        BookIndex.open(index.folder, book=book)


def test_no_file_needs_unpickling(index: BookIndex) -> None:
    arrays = list(index.folder.rglob("*.npy"))
    assert len(arrays) > 5
    assert all(np.load(path, allow_pickle=False).dtype != object for path in arrays)


def test_a_closed_index_refuses(index: BookIndex) -> None:
    with index:
        assert len(index.bm25) == 8
    with pytest.raises(ValueError, match="closed"):
        _ = index.bm25
    with pytest.raises(ValueError, match="closed"):
        index.visible(5)


def test_a_closed_index_refuses_searches(
    index: BookIndex, annotations: Annotations, embedder: Embedder
) -> None:
    search = make_retriever("bm25", index=index, annotations=annotations, embedder=embedder).search
    index.close()
    with pytest.raises(ValueError, match="closed"):
        search(Query(text="bees"))


def test_whoever_reads_when_it_is_closed_reads_on(index: BookIndex) -> None:
    with index.reading():
        index.close()
        assert [i for i, _ in index.bm25.top(["bee"], 5, visible=index.visible(None))] == [6, 4]
        with pytest.raises(ValueError, match="closed"), index.reading():
            pass
    with pytest.raises(ValueError, match="closed"):
        _ = index.bm25


def test_closing_under_many_threads_gives_right_answers_or_none(
    book: Book, index: BookIndex, annotations: Annotations, embedder: Embedder
) -> None:
    query = Query(text="the letter", characters=("ann",), k=4, neighbours=1)
    makers = {
        name: partial(make_retriever, name, annotations=annotations, embedder=embedder) for name in RETRIEVERS
    }
    expected = {name: make(index=index).search(query) for name, make in makers.items()}
    answered = refused = 0
    for _ in range(12):
        opened = BookIndex.open(index.folder, book=book)
        start = Barrier(65)

        def ask(number: int, opened: BookIndex = opened, start: Barrier = start) -> bool:
            name = list(RETRIEVERS)[number % len(RETRIEVERS)]
            search = makers[name](index=opened).search
            start.wait()
            try:
                assert search(query) == expected[name]
            except ValueError as error:
                if str(error) != "the index is closed":
                    raise
                return False
            return True

        with ThreadPoolExecutor(64) as pool:
            asked = [pool.submit(ask, number) for number in range(64)]
            start.wait()
            opened.close()
            said = [done.result() for done in asked]
        answered, refused = answered + sum(said), refused + len(said) - sum(said)
        with pytest.raises(ValueError, match="closed"):
            opened.visible(None)
    assert answered + refused == 12 * 64


def test_many_threads_find_the_same(
    book: Book, index: BookIndex, annotations: Annotations, embedder: Embedder
) -> None:
    queries = [Query(text="the letter", characters=("ann",), k=4, upto=upto) for upto in (None, 300, 450)]

    def ask(n: int) -> object:
        fresh = make_retriever(
            list(RETRIEVERS)[n % len(RETRIEVERS)], index=index, annotations=annotations, embedder=embedder
        )
        return fresh.search(queries[n % 3])

    alone = [ask(n) for n in range(3 * len(RETRIEVERS))]
    with ThreadPoolExecutor(64) as pool:
        together = list(pool.map(ask, range(len(alone) * 12)))
    assert together == alone * 12
