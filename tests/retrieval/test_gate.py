"""The gate, by property: whatever comes after it, the answer is the same, to the last bit of every score."""

from __future__ import annotations

import re
from contextlib import nullcontext
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from books.gate import cut
from books.types import Book, Span
from coref.types import Annotations, MentionKind, Trait, TraitKind
from retrieval.index import BookIndex, build
from retrieval.library_search import LIBRARY_RETRIEVERS, SearchedBook, search_library
from retrieval.passages import split
from retrieval.protocols import Embedder
from retrieval.registry import RETRIEVERS, make_retriever
from retrieval.types import Bm25Formula, Order, Passage, Query
from tests.retrieval.conftest import annotate, make_book

PEOPLE = {
    "ann": {"Ann": MentionKind.PROPER, "Lady Moor": MentionKind.PROPER, "she": MentionKind.PRONOUN},
    "tom": {"Tom": MentionKind.PROPER, "he": MentionKind.PRONOUN},
}
WORDS = [
    "Ann",
    "Tom",
    "Lady Moor",
    "she",
    "he",
    "was a",
    "seemed",
    "sister",
    "bees",
    "letter",
    "rain",
    "wall.",
]
sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)
spoken = sentences.map(lambda s: f"“{s}” said Ann.")
# A speech that continues in the next paragraph, which names its speaker.
opened = sentences.map(lambda s: f"Ann rose. “{s}")
long = sentences.map(lambda s: f"{s} and on. " * 60).map(str.strip)
stories = st.lists(
    st.lists(st.one_of(sentences, opened, spoken, long), min_size=1, max_size=9).map(
        lambda p: ["Heading", *p]
    ),
    min_size=1,
    max_size=3,
)
queries = st.builds(
    Query,
    text=st.sampled_from(["", "bees and a letter", "Tom"]),
    characters=st.sampled_from([("ann",), ("ann", "tom"), ()]),
    k=st.sampled_from([1, 2, 3, 4, 20]),
    token_budget=st.sampled_from([None, 40, 400]),
    neighbours=st.sampled_from([0, 0, 1, 3]),
    order=st.sampled_from(Order),
    seed=st.integers(0, 3),
)


def answers(book: Book, annotations: Annotations, query: Query, folder: Path, embedder: Embedder) -> Answers:
    """Return answers of every retriever and formula, and of a search in a library of two."""
    build(book, folder, embedder=embedder)
    index = BookIndex.open(folder, book=book)
    found = {
        f"{name} {formula}": make_retriever(
            name, index=index, annotations=annotations, embedder=embedder, bm25=formula
        ).search(query)
        for name in RETRIEVERS
        for formula in Bm25Formula
    }
    shelf = [SearchedBook(key, index, annotations, query.upto) for key in ("one", "other")]
    for name, formula in product(LIBRARY_RETRIEVERS, Bm25Formula):
        hits = search_library(
            [lambda book=book: nullcontext(book) for book in shelf],  # type: ignore[misc]
            replace(query, upto=None),
            retriever=name,
            embedder=embedder,
            formula=formula,
        )
        found[f"library {name} {formula}"] = [hit.passage for hit in hits]
    return found


Answers = dict[str, list[Passage]]


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("gate")


@settings(max_examples=60)
@given(story=stories, query=queries, data=st.data())
def test_nothing_depends_on_what_comes_after(
    story: list[list[str]], query: Query, data: st.DataObject, scratch: Path, embedder: Embedder
) -> None:
    """A gated search of the whole book equals an ungated search of a book that ends at the gate."""
    book = make_book(story)
    ends = [unit.span.end for unit in (*book.paragraphs, *split(book))]
    upto = data.draw(st.one_of(st.integers(0, len(book.text)), st.sampled_from(ends)))
    whole = with_traits(annotate(book, PEOPLE), book)
    short = cut(book, upto)
    gated = answers(book, whole, replace(query, upto=upto), scratch / "whole", embedder)
    ended = answers(short, _until(whole, upto), query, scratch / "short", embedder)
    assert gated == ended
    assert all(p.span.end <= upto for found in gated.values() for p in found)


def with_traits(annotations: Annotations, book: Book) -> Annotations:
    """Add traits: some words describe Ann, others say that she and Tom are kin."""
    kinds = {"rain": TraitKind.IS, "letter": TraitKind.KIN}
    return replace(
        annotations,
        traits=tuple(
            Trait("ann", kinds[found.group()], Span(*found.span()), found.group(), other="tom")
            for found in re.finditer("rain|letter", book.text)
        ),
    )


def _until(annotations: Annotations, upto: int) -> Annotations:
    return replace(
        annotations,
        characters=tuple(
            replace(c, aliases=tuple(a for a in c.aliases if a.first + len(a.text) <= upto))
            for c in annotations.characters
        ),
        mentions=tuple(m for m in annotations.mentions if m.span.end <= upto),
        quotes=tuple(q for q in annotations.quotes if q.span.end <= upto),
        traits=tuple(t for t in annotations.traits if t.span.end <= upto),
    )


@pytest.mark.parametrize("name", ["mentions", "bm25", "dense", "hybrid"])
def test_a_late_name_does_not_find_early_passages(name: str, tmp_path: Path, embedder: Embedder) -> None:
    """The lady of chapter 1 turns out to be Ann in chapter 2; before that, nothing may reveal it."""
    book = make_book([["One", "Ann dug.", "Lady Moor rode by."], ["Two", "Lady Moor was Ann."]])
    annotations = annotate(book, {"ann": {"Ann": MentionKind.PROPER}})
    late = replace(
        annotations,
        characters=tuple(
            replace(
                c,
                aliases=(
                    *c.aliases,
                    replace(c.aliases[0], text="Lady Moor", first=book.text.index("Lady Moor was")),
                ),
            )
            for c in annotations.characters
        ),
    )
    query = Query(characters=("ann",), upto=book.end_of_chapter(1))
    found = answers(book, late, query, tmp_path, embedder)[f"{name} lucene"]
    assert [p.text for p in found] == ["Ann dug."]
