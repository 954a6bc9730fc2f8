"""A search of many books equals a search of one index that holds them all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from books.gate import cut
from books.types import Book
from coref.types import MentionKind
from retrieval.embedders.hashing import HashingEmbedder
from retrieval.errors import IndexStale, RetrieverUnknown
from retrieval.finding.marks import Marker
from retrieval.finding.query_line import parse
from retrieval.finding.search import FLOOR
from retrieval.index import BookIndex, build
from retrieval.library_search import LIBRARY_RETRIEVERS, LibraryHit, Opener, SearchedBook, search_library
from retrieval.protocols import Embedder
from retrieval.registry import make_embedder, make_retriever
from retrieval.retrievers.hybrid import fused
from retrieval.retrievers.search import ranked
from retrieval.types import Bm25Formula, Finding, Order, Query
from tests.novella import indexed
from tests.retrieval.conftest import annotate, make_book

PEOPLE = {"ann": {"Ann": MentionKind.PROPER, "she": MentionKind.PRONOUN}}
BEES = Query(text="bees", order=Order.SCORE)


class Library:
    """Opens its books one after the other, and notices when two are open together."""

    def __init__(self, folder: Path, embedder: Embedder) -> None:
        self._folder = folder
        self._embedder = embedder
        self.books: list[tuple[Book, int | None]] = []
        self.opened: list[str] = []
        self._open = 0

    def add(self, *chapters: Sequence[str], upto: int | None = None) -> Library:
        book = make_book([["Heading", *paragraphs] for paragraphs in chapters])
        build(book, self._folder / str(len(self.books)), embedder=self._embedder)
        self.books.append((book, upto))
        return self

    def openers(self) -> list[Opener]:
        return [self._opener(number) for number in range(len(self.books))]

    def _opener(self, number: int) -> Opener:
        @contextmanager
        def opener() -> Iterator[SearchedBook]:
            self._open += 1
            assert self._open == 1
            book, upto = self.books[number]
            self.opened.append(f"book {number}")
            try:
                with BookIndex.open(self._folder / str(number), book=book) as index:
                    yield SearchedBook(f"book {number}", index, annotate(book, PEOPLE), upto)
            finally:
                self._open -= 1

        return opener

    def __call__(
        self,
        query: Query,
        retriever: str = "bm25",
        *,
        per_book: int | None = None,
        formula: Bm25Formula = Bm25Formula.LUCENE,
        marker: Marker | None = None,
    ) -> list[LibraryHit]:
        return search_library(
            self.openers(),
            query,
            retriever=retriever,
            embedder=self._embedder,
            per_book=per_book,
            formula=formula,
            count_tokens=lambda text: len(text.split()),
            marker=marker,
        )


@pytest.fixture
def library(tmp_path: Path, embedder: Embedder) -> Library:
    return Library(tmp_path, embedder)


def told(hits: Sequence[LibraryHit]) -> list[tuple[str, int]]:
    return [(hit.key, hit.passage.index) for hit in hits]


# A word that one book is full of counts little there, and much in the other: only pooled counts compare.

words = st.sampled_from(["bees", "rain", "Ann", "she", "letter", "hill", "wall"])
paragraphs = st.lists(st.lists(words, min_size=1, max_size=6).map(" ".join), min_size=1, max_size=6)
shelves = st.lists(paragraphs, min_size=1, max_size=4)
asked = st.sampled_from(["bees", "rain on the hill", "letter bees", "nothing"])


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("library")


@settings(max_examples=80)
@given(shelf=shelves, text=asked, k=st.integers(1, 9), formula=st.sampled_from(Bm25Formula), data=st.data())
def test_many_books_are_asked_as_if_they_were_one(
    shelf: list[list[str]],
    text: str,
    k: int,
    formula: Bm25Formula,
    data: st.DataObject,
    scratch: Path,
    embedder: Embedder,
) -> None:
    """Each has a gate: text behind it is in no book of the single index."""
    library = Library(scratch / "many", embedder)
    gated: list[tuple[int, str]] = []
    for number, paragraphs in enumerate(shelf):
        library.add(paragraphs)
        book, _ = library.books[-1]
        upto = data.draw(st.one_of(st.none(), st.integers(0, len(book.text))))
        library.books[-1] = (book, upto)
        seen = [p for p in cut(book, upto).paragraphs[1:] if upto is None or p.span.end <= upto]
        gated += [(number, book.slice(p.span)) for p in seen]
    one = make_book([["Heading", *(text for _, text in gated)]])
    index = indexed(one, scratch / "one")
    query = Query(text=text, k=k, order=Order.SCORE)
    expected = {
        name: make_retriever(
            name, index=index, annotations=annotate(one, {}), embedder=embedder, bm25=formula
        ).search(replace(query, k=99))
        for name in ("bm25", "dense")
    }
    both = [
        hit for name, found in expected.items() for hit in ranked(name, ((p.index, p.score) for p in found))
    ]
    for name in LIBRARY_RETRIEVERS:
        hits = library(query, name, formula=formula)
        if name == "hybrid":
            by_words = {p.index for p in expected["bm25"]}
            near = {p.index for p in expected["dense"] if p.score >= FLOOR}
            every = fused(both, limit=len(both))
            wanted = [(hit.index, hit.score) for hit in every if hit.index in by_words | near][:k]
        else:
            wanted = [(p.index, p.score) for p in expected[name][:k]]
        assert [h.passage.text for h in hits] == [index.passages[i].text for i, _ in wanted]
        assert [int(h.key.removeprefix("book ")) for h in hits] == [gated[i][0] for i, _ in wanted]
        if name == "dense":
            assert [h.passage.score for h in hits] == pytest.approx([s for _, s in wanted], rel=1e-6)
        else:
            assert [h.passage.score for h in hits] == [s for _, s in wanted]
        assert [h.rank for h in hits] == list(range(1, len(hits) + 1))


def test_a_rare_word_is_rare_in_the_whole_library(library: Library) -> None:
    """Bees are everywhere in one book, and a rarity in the other, which alone would score them higher."""
    library.add(["bees bees and more bees all day"], ["bees sleep"], ["bees"]).add(
        ["rain"], ["bees buzz here"]
    )
    alone = [
        search_library([opener], BEES, retriever="bm25", embedder=make_embedder("hashing"))[0].passage.score
        for opener in library.openers()
    ]
    together = library(BEES)
    assert alone[0] < alone[1]
    assert told(together)[0] == ("book 0", 0)


def test_what_has_no_word_is_found_only_if_it_is_near_in_meaning(library: Library) -> None:
    """To the double “crowner” means “rain”: it has them in one bucket."""
    library.add(["rain"], ["rain fell on a hill, a wall, Ann and her bees"])
    assert told(library(replace(BEES, text="crowner"), "hybrid")) == [("book 0", 0)]
    assert told(library(replace(BEES, text="crowner"), "dense")) == [("book 0", 0), ("book 0", 1)]
    assert told(library(replace(BEES, text="rain"), "hybrid")) == [("book 0", 0), ("book 0", 1)]


@pytest.mark.parametrize("retriever", LIBRARY_RETRIEVERS)
@pytest.mark.parametrize("line", ['"bees on the hill"', '"on the" hill'])
def test_a_phrase_must_be_there(library: Library, retriever: str, line: str) -> None:
    library.add(["the hill of the bees"], ["bees, on the Hill"]).add(["bees on a hill"])
    parsed = parse(line)
    found = library(replace(BEES, text=parsed.text), retriever, marker=Marker(parsed))
    assert told(found) == [("book 0", 1)]


def test_a_phrase_of_common_words_is_found(library: Library) -> None:
    library.add(["rain"], ["who was there?"]).add(["was he who"])
    parsed = parse("who was there")
    assert told(library(replace(BEES, text=parsed.text), "hybrid", marker=Marker(parsed))) == [("book 0", 1)]


def test_ranks_in_all_and_in_the_book(library: Library) -> None:
    library.add(["bees", "rain", "the bees and the rain"]).add(["bees bees", "hill"])
    hits = library(BEES)
    assert told(hits) == [("book 1", 0), ("book 0", 0), ("book 0", 2)]
    assert [h.rank for h in hits] == [1, 2, 3]
    assert [h.rank_in_book for h in hits] == [1, 1, 2]
    assert hits[2].passage.findings == (Finding("bm25", hits[2].passage.score, 3),)


@pytest.mark.parametrize("retriever", LIBRARY_RETRIEVERS)
def test_so_many_of_one_book(library: Library, retriever: str) -> None:
    library.add(*(["bees", "bees"] for _ in range(60))).add(["many bees in one place"])
    assert len({h.key for h in library(replace(BEES, k=5), retriever)}) == 1
    hits = library(replace(BEES, k=5), retriever, per_book=2)
    assert told(hits) == [("book 0", 0), ("book 0", 1), ("book 1", 0)]
    assert [h.rank for h in hits] == [1, 2, 3]
    assert library(BEES, retriever, per_book=0) == []


def test_story_order_goes_book_by_book(library: Library) -> None:
    library.add(["hill bees and rain", "bees"]).add(["bees bees"])
    assert told(library(BEES)) == [("book 1", 0), ("book 0", 1), ("book 0", 0)]
    in_story = library(replace(BEES, order=Order.STORY))
    assert told(in_story) == [("book 0", 0), ("book 0", 1), ("book 1", 0)]
    assert [h.rank for h in in_story] == [3, 2, 1]


def test_neighbours_come_from_the_same_book_and_share_the_rank(library: Library) -> None:
    library.add(["Ann dug", "bees", "rain"], ["hill"]).add(["wall", "bees bees"])
    hits = library(replace(BEES, neighbours=1, k=2, characters=("ann",)))
    assert told(hits) == [("book 1", 0), ("book 1", 1), ("book 0", 0), ("book 0", 1), ("book 0", 2)]
    assert [h.rank for h in hits] == [1, 1, 2, 2, 2]
    assert hits[0].passage.findings == (Finding("neighbour", 0.0, 1),)
    assert [h.passage.mentions for h in hits] == [0, 0, 1, 0, 0]


@pytest.mark.parametrize("neighbours", [-1, 0, 10**12])
def test_any_number_of_neighbours_is_a_number(library: Library, neighbours: int) -> None:
    library.add(["bees", "rain"], ["hill"])
    expected = [("book 0", 0), ("book 0", 1)] if neighbours > 0 else [("book 0", 0)]
    assert told(library(replace(BEES, neighbours=neighbours))) == expected


def test_no_neighbour_from_past_the_gate(library: Library) -> None:
    book = make_book([["Heading", "bees", "rain"]])
    library.add(["bees", "rain"], upto=book.text.index("rain"))
    assert told(library(replace(BEES, neighbours=1))) == [("book 0", 0)]


def test_the_budget_is_for_all_books_together(library: Library) -> None:
    library.add(["bees bees bees bees bees"]).add(["bees rain"]).add(["bees hill wall"])
    assert len(library(replace(BEES, token_budget=10))) == 3
    assert told(library(replace(BEES, token_budget=5, order=Order.STORY))) in (
        [("book 0", 0)],
        [("book 1", 0), ("book 2", 0)],
    )
    assert told(library(replace(BEES, token_budget=4))) == [("book 1", 0)]
    assert library(replace(BEES, token_budget=1)) == []


def test_one_book_is_open_at_a_time_and_only_as_often_as_needed(library: Library) -> None:
    """Once for its statistics, once for its ranking, once for its text; the last only if any is listed."""
    library.add(["bees"]).add(["rain"])
    library(BEES, "bm25")
    assert sorted(library.opened) == ["book 0"] * 3 + ["book 1"] * 2
    library.opened.clear()
    library(BEES, "dense")
    assert sorted(library.opened) == ["book 0"] * 2 + ["book 1"]


def test_what_makes_no_sense_of_many_books_is_refused(library: Library) -> None:
    library.add(["bees"])
    with pytest.raises(RetrieverUnknown, match="bm25, dense, hybrid"):
        library(BEES, "mentions")
    with pytest.raises(ValueError, match="gate"):
        library(replace(BEES, upto=3))


def test_nothing_asked_is_nothing_found(library: Library, embedder: Embedder) -> None:
    library.add(["bees"])
    assert library(replace(BEES, text=" ")) == []
    assert library(replace(BEES, k=0)) == []
    assert search_library([], BEES, retriever="hybrid", embedder=embedder) == []
    assert library.opened == []


def test_a_book_of_another_model_is_stale(library: Library) -> None:
    library.add(["bees"])
    with pytest.raises(IndexStale, match=r"hashing/\d+-64"):
        search_library(library.openers(), BEES, retriever="dense", embedder=HashingEmbedder(dimension=64))
    assert search_library(library.openers(), BEES, retriever="bm25", embedder=HashingEmbedder(dimension=64))


def test_hybrid_goes_by_words_alone_where_the_vectors_do_not_understand_the_question(
    tmp_path: Path, embedder: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(embedder), "name", "all-MiniLM-L6-v2/test")
    library = Library(tmp_path, embedder).add(["Ann kept bees.", "It rained."])
    for asked, sources in (("bees", {"bm25", "dense"}), ("bees 蜂", {"bm25"})):
        hits = library(replace(BEES, text=asked), "hybrid")
        assert {finding.source for hit in hits for finding in hit.passage.findings} == sources
