"""Search many books with one question, in one comparable ranking.

BM25 scores of different books do not compare, because each book has its own idea of which words are rare. So
terms are weighted by the passages of all searched books, as if they were one index; cosines compare as they
are; and `hybrid` fuses these two rankings. The gate of each book applies to the statistics too. What has
none of the words and is not near in meaning either is left out of `hybrid`, which so can find nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from coref.types import Annotations
from retrieval.bm25_statistics import TermStatistics, floor
from retrieval.errors import RetrieverUnknown
from retrieval.finding.marks import Marker
from retrieval.finding.search import FLOOR, having
from retrieval.index import BookIndex
from retrieval.protocols import CountTokens, Embedder
from retrieval.retrievers.hybrid import DEPTH, fused
from retrieval.retrievers.lexical import distinct_terms
from retrieval.retrievers.meaning import same_model
from retrieval.retrievers.packing import SPARE, Budget, beside
from retrieval.retrievers.search import RankedHit, ranked
from retrieval.types import Bm25Formula, Order, Passage, Query

LIBRARY_RETRIEVERS = ("bm25", "dense", "hybrid")


@dataclass(frozen=True, slots=True)
class SearchedBook:
    """An open book, as far as it has been read."""

    key: str
    """The caller's name for it."""
    index: BookIndex
    annotations: Annotations
    upto: int | None = None
    """The gate of this book."""


@dataclass(frozen=True, slots=True)
class LibraryHit:
    key: str
    passage: Passage
    rank: int
    """Rank among the finds of all books, from 1; a neighbour has the rank of its find."""
    rank_in_book: int


Opener = Callable[[], AbstractContextManager[SearchedBook]]

_BOOK = 32
"""A position in the library is one number: the book above this bit, the passage below."""


def search_library(
    books: Sequence[Opener],
    query: Query,
    *,
    retriever: str = "hybrid",
    embedder: Embedder,
    per_book: int | None = None,
    formula: Bm25Formula = Bm25Formula.LUCENE,
    count_tokens: CountTokens | None = None,
    marker: Marker | None = None,
) -> list[LibraryHit]:
    """Return the best passages of all books for `query.text`; at most `per_book` finds of any one of them.

    Each of `books` is called to open a book, and its result is entered and left before the next is called:
    one book is open at a time. A book is opened once for its statistics (`bm25` and `hybrid` only), once for
    its ranking and, if any passage of it is listed, once more for its text; in between it must not change.

    With a `marker`, only passages that have all of its phrases are listed.

    `query.characters` only counts mentions, in every book that has these ids. Every book brings its own gate,
    so `query.upto` must be None. In story order, books keep their given order.
    """
    if retriever not in LIBRARY_RETRIEVERS:
        raise RetrieverUnknown(
            f"`{retriever}` cannot search a library.",
            remedy=f"Choose one of {', '.join(LIBRARY_RETRIEVERS)}.",
        )
    if query.upto is not None:
        raise ValueError("each book has a gate of its own")
    if query.k <= 0 or (per_book is not None and per_book <= 0) or not query.text.strip():
        return []
    spare = 1 if query.token_budget is None else SPARE
    most = spare * (query.k if per_book is None else min(query.k, per_book))
    hits = _hits(books, query, retriever, embedder, formula, most, marker)
    candidates = list(islice(_capped(hits, most), spare * query.k))
    shown = _read(books, query, candidates)
    budget = Budget(query.token_budget, count_tokens)
    finds = list(_chosen(candidates, shown, query, per_book, budget))
    return _listed(finds, shown, query, budget)


def _hits(
    books: Sequence[Opener],
    query: Query,
    retriever: str,
    embedder: Embedder,
    formula: Bm25Formula,
    most: int,
    marker: Marker | None,
) -> list[RankedHit]:
    """Return the global ranking, with at most `most` passages per book, or `DEPTH` where two are fused."""
    asked = distinct_terms([query.text])
    vector = embedder.embed([query.text])[0] if retriever != "bm25" else None
    among = _statistics(books, asked, formula) if retriever != "dense" else None
    depth = max(most, DEPTH) if retriever == "hybrid" else most
    lexical: list[tuple[int, float]] = []
    nearest: list[tuple[int, float]] = []
    for number, opener in enumerate(books):
        with opener() as book, book.index.reading():
            visible = book.index.visible(book.upto)
            phrased = _phrased(book.index, visible, marker) if marker and marker.phrases else None
            if among is not None and phrased is not None:
                scores = book.index.bm25.scores(asked, visible=visible, formula=formula, among=among)
                lexical += _placed(number, _top(phrased, scores[phrased], depth))
            elif among is not None:
                found = book.index.bm25.top(asked, depth, visible=visible, formula=formula, among=among)
                lexical += _placed(number, found)
            if vector is not None:
                same_model(book.index, embedder)
            if vector is not None and (retriever == "dense" or book.index.understands(query.text)):
                if phrased is None:
                    near = book.index.dense.top(vector, depth, visible=visible)
                else:
                    near = _top(phrased, book.index.dense.vectors(phrased) @ vector, depth)
                nearest += _placed(number, near)
    hits = ranked("bm25", sorted(lexical, key=_best)) + ranked("dense", sorted(nearest, key=_best))
    return list(filter(_is_near, fused(hits, limit=len(hits)))) if retriever == "hybrid" else hits


def _is_near(hit: RankedHit) -> bool:
    """Whether a passage has any of the words, or is near in meaning."""
    return any(finding.source == "bm25" or finding.score >= FLOOR for finding in hit.findings)


def _statistics(books: Sequence[Opener], asked: Sequence[str], formula: Bm25Formula) -> TermStatistics:
    """Return statistics of the readable passages of all books."""
    passages = words = 0
    holding: Counter[str] = Counter(dict.fromkeys(asked, 0))
    every: Counter[str] = Counter()
    for opener in books:
        with opener() as book, book.index.reading():
            visible = book.index.visible(book.upto)
            own = book.index.bm25.statistics(asked, visible=visible, formula=Bm25Formula.LUCENE)
            passages += own.passages
            words += own.words
            holding.update(own.holding)
            if formula is Bm25Formula.OKAPI:
                every.update(book.index.bm25.census(visible))
    held = np.fromiter(every.values(), dtype=np.int64)
    return TermStatistics(passages=passages, words=words, holding=holding, floor=floor(held, passages))


def _phrased(index: BookIndex, visible: int, marker: Marker) -> list[int]:
    """Return the passages that have all phrases, in story order."""
    rows = having(index, " ".join(marker.line.phrases), np.ones(visible, bool))
    return [row for row in rows.tolist() if marker.all_in(index.passages[row].text)]


def _top(rows: Sequence[int], scores: NDArray[np.floating], k: int) -> list[tuple[int, float]]:
    """Return the best of some passages, ties in story order."""
    return [(rows[at], float(scores[at])) for at in np.argsort(-scores, kind="stable")[:k]]


def _placed(book: int, found: Iterable[tuple[int, float]]) -> list[tuple[int, float]]:
    return [(book << _BOOK | index, score) for index, score in found]


def _best(found: tuple[int, float]) -> tuple[float, int]:
    return -found[1], found[0]


def _capped(hits: Iterable[RankedHit], most: int) -> Iterator[RankedHit]:
    seen: Counter[int] = Counter()
    for hit in hits:
        book = hit.index >> _BOOK
        seen[book] += 1
        if seen[book] <= most:
            yield hit


@dataclass(slots=True)
class _Shown:
    """The data of the answer: texts by position, and the title of each book."""

    passages: dict[int, Passage] = field(default_factory=dict)
    keys: dict[int, str] = field(default_factory=dict)


def _read(books: Sequence[Opener], query: Query, candidates: Iterable[RankedHit]) -> _Shown:
    """Read the candidates and their possible neighbours, with how often the characters are mentioned."""
    places: defaultdict[int, list[int]] = defaultdict(list)
    for hit in candidates:
        places[hit.index >> _BOOK].append(hit.index & ((1 << _BOOK) - 1))
    width = max(query.neighbours, 0)
    shown = _Shown()
    for number, finds in places.items():
        with books[number]() as book, book.index.reading():
            shown.keys[number] = book.key
            visible = book.index.visible(book.upto)
            postings = book.index.postings(book.annotations)
            mentions = postings.counts(query.characters, visible=visible, upto=book.upto)
            wanted = (range(max(at - width, 0), min(at + width + 1, visible)) for at in finds)
            for at in set(chain.from_iterable(wanted)):
                passage = replace(book.index.passages[at], mentions=int(mentions[at]))
                shown.passages[number << _BOOK | at] = passage
    return shown


def _chosen(
    candidates: Iterable[RankedHit], shown: _Shown, query: Query, per_book: int | None, budget: Budget
) -> Iterator[tuple[int, LibraryHit]]:
    """Yield the finds, each with the number of its book; one that is too long makes room for the next."""
    rank, of_book = 0, Counter[int]()
    for hit in candidates:
        book = hit.index >> _BOOK
        passage = replace(shown.passages[hit.index], score=hit.score, findings=hit.findings)
        if of_book[book] != per_book and budget.take(passage.text):
            rank += 1
            of_book[book] += 1
            yield book, LibraryHit(shown.keys[book], passage, rank, of_book[book])
        if rank == query.k or budget.spent:
            break


def _listed(
    finds: Sequence[tuple[int, LibraryHit]], shown: _Shown, query: Query, budget: Budget
) -> list[LibraryHit]:
    """Return the finds with their neighbours, in the requested order."""
    taken: defaultdict[int, set[int]] = defaultdict(set)
    for book, find in finds:
        taken[book].add(find.passage.index)
    listed: list[tuple[int, LibraryHit]] = []
    for book, find in finds:

        def at(index: int, book: int = book) -> Passage | None:
            return shown.passages.get(book << _BOOK | index) if index >= 0 else None

        near = beside(find.passage, find.rank, query.neighbours, at=at, taken=taken[book], budget=budget)
        group = sorted((find.passage, *near), key=lambda p: p.index)
        listed += [(book, replace(find, passage=passage)) for passage in group]
    if query.order is Order.STORY:
        listed.sort(key=lambda entry: (entry[0], entry[1].passage.index))
    return [hit for _, hit in listed]
