"""Each retriever chooses the right passages, gives a reason, and applies every option of the query."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from books.types import Book, Span
from coref.types import Annotations, Mention, MentionKind, Quote, Trait, TraitKind
from retrieval.embedders.hashing import HashingEmbedder
from retrieval.errors import IndexStale
from retrieval.index import BookIndex
from retrieval.protocols import Embedder, Retriever
from retrieval.registry import RETRIEVERS, make_retriever
from retrieval.retrievers.mentions import STRETCHES
from retrieval.types import Bm25Formula, Finding, Order, Passage, Query
from tests.retrieval.conftest import PEOPLE, Indexer, annotate, make_book

ANN = Query(characters=("ann",))


class Asker:
    """One book's retrievers by name."""

    def __init__(self, index: BookIndex, annotations: Annotations, embedder: Embedder) -> None:
        self.make = partial(make_retriever, index=index, annotations=annotations, embedder=embedder)

    def counting_words(self, name: str) -> Retriever:
        return self.make(name, count_tokens=lambda text: len(text.split()))

    def __call__(self, name: str, query: Query) -> list[Passage]:
        return self.make(name).search(query)


@pytest.fixture
def ask(index: BookIndex, annotations: Annotations, embedder: Embedder) -> Asker:
    return Asker(index, annotations, embedder)


@pytest.fixture
def ask_of(index_of: Indexer, embedder: Embedder) -> Callable[..., Asker]:
    """Return a function that makes the retrievers of a book with these paragraphs."""

    def make(*paragraphs: str, people: dict[str, dict[str, MentionKind]] = PEOPLE) -> Asker:
        book = make_book([["One", *paragraphs]])
        return Asker(index_of(book), annotate(book, people), embedder)

    return make


def numbers(passages: list[Passage]) -> list[int]:
    return [p.index for p in passages]


# mentions


def test_mentions_finds_every_passage_with_a_mention_and_no_other(ask: Asker) -> None:
    assert numbers(ask("mentions", ANN)) == [0, 2, 4, 7]
    assert numbers(ask("mentions", Query(characters=("tom",)))) == [3, 5]
    assert numbers(ask("mentions", Query(characters=("ann", "tom")))) == [0, 2, 3, 4, 5, 7]
    assert ask("mentions", Query(characters=("nobody",))) == []
    assert ask("mentions", Query(text="Ann")) == []


def test_mentions_by_coreference_not_by_name(ask: Asker) -> None:
    """The last passage calls her Lady Moor."""
    assert ask("mentions", ANN)[-1].mentions == 2


def test_under_k_the_first_appearance_comes_first(ask: Asker) -> None:
    assert numbers(ask("mentions", replace(ANN, k=1))) == [0]


def test_what_tells_more_is_chosen(ask_of: Callable[..., Asker]) -> None:
    told = "Ann was a baker, and her uncle loved her."
    people = {"ann": {"Ann": MentionKind.PROPER, "she": MentionKind.PRONOUN, "her": MentionKind.PRONOUN}}
    ask = ask_of("Ann came.", "Later she sat by the fire.", told, "Then she left.", people=people)
    assert numbers(ask("mentions", replace(ANN, k=2))) == [0, 2]


def test_what_the_annotations_know_of_them_tells_too(index_of: Indexer, embedder: Embedder) -> None:
    book = make_book([["One", "Ann came.", "Ann ate bread.", "Then Ann, proud as ever.", "Ann left."]])
    bare = annotate(book, PEOPLE)
    at = book.text.index("proud")
    known = replace(bare, traits=(Trait("ann", TraitKind.IS, Span(at, at + 5), "proud"),))
    index = index_of(book)
    assert numbers(Asker(index, bare, embedder)("mentions", replace(ANN, k=2))) == [0, 1]
    assert numbers(Asker(index, known, embedder)("mentions", replace(ANN, k=2))) == [0, 2]


def test_the_choice_is_spread_over_the_story(ask_of: Callable[..., Asker]) -> None:
    """The first half names her twice a passage, the second half once; it is represented all the same."""
    topics = [f"apple{n} pear{n} plum{n} fig{n}" for n in range(400)]
    said = [f"Ann saw Ann by {t}." if n < 200 else f"Ann met {t}." for n, t in enumerate(topics)]
    found = numbers(ask_of(*said)("mentions", replace(ANN, k=2 * STRETCHES)))
    late = [i for i in found if i >= 200]
    assert len(found) == 2 * STRETCHES
    assert len(late) >= STRETCHES * 0.4
    assert {i // 20 for i in found} == set(range(20))


def test_repeats_are_passed_over_while_there_is_anything_else(ask_of: Callable[..., Asker]) -> None:
    song = "Ann Lee, Ann Lee, come down to the sea."
    ask = ask_of("Ann woke.", song, song, song, "Ann ate bread.", "Ann mended a net.")
    assert numbers(ask("mentions", replace(ANN, k=4))) == [0, 1, 4, 5]
    assert len(ask("mentions", replace(ANN, k=5))) == 5


def test_speech_counts_for_the_speaker(ask_of: Callable[..., Asker]) -> None:
    ask = ask_of("Ann woke.", "Rain fell on Ann.", "“No rain at all!” said Ann.")
    assert numbers(ask("mentions", replace(ANN, k=2))) == [0, 2]


def test_where_they_only_speak_counts_too(index_of: Indexer, embedder: Embedder) -> None:
    """In a dialogue nobody is named any more after a while, and a long speech spans paragraphs."""
    said = "“No rain at all, and none tomorrow.”"
    book = make_book([["One", "Ann and Tom met.", said, "Rain fell.", "“It is dry.", "It will be dry.”"]])
    known = annotate(book, PEOPLE)
    short, long = book.text.index(said), book.text.index("“It is dry.")
    spans = Span(short, short + len(said)), Span(long, len(book.text))
    known = replace(known, quotes=tuple(Quote(span, "ann", None, 1.0) for span in spans))
    found = Asker(index_of(book), known, embedder)("mentions", ANN)
    assert [(p.index, p.mentions) for p in found] == [(0, 1), (1, 0), (3, 0), (4, 0)]


# the others


def test_bm25_takes_the_question_or_else_the_names(ask: Asker) -> None:
    assert numbers(ask("bm25", Query(text="Who kept the bees?"))) == [4, 6]
    assert numbers(ask("bm25", ANN)) == [0, 2, 4, 7]
    assert ask("bm25", Query()) == []
    assert ask("bm25", Query(text="zebra")) == []


def test_bm25_does_not_count_a_family_name_once_per_alias(ask_of: Callable[..., Asker]) -> None:
    told = ("Ann Lee and Miss Lee came.", "Lee sang.", "Ann sang.", "Tom Lee sat.", "Old Lee sat.")
    people = {"ann": {"Ann Lee": MentionKind.PROPER, "Miss Lee": MentionKind.PROPER}}
    found = ask_of(*told, people=people)("bm25", replace(ANN, order=Order.SCORE, k=2))
    assert numbers(found) == [0, 2]


def test_dense_finds_by_meaning_and_drops_what_has_nothing_in_common(ask: Asker) -> None:
    found = ask("dense", Query(text="bees in the hills", order=Order.SCORE))
    assert set(numbers(found)[:2]) == {4, 6}
    assert 3 not in numbers(found)
    assert numbers(ask("dense", replace(ANN, k=1, order=Order.SCORE))) == [7]
    assert ask("dense", Query()) == []


def test_dense_refuses_vectors_of_another_model(index: BookIndex, annotations: Annotations) -> None:
    with pytest.raises(IndexStale, match=r"hashing/\d+-64"):
        Asker(index, annotations, HashingEmbedder(dimension=64))("dense", Query(text="bees"))


def test_hybrid_fuses_by_reciprocal_rank(ask: Asker) -> None:
    query = Query(text="bees in the hills", characters=("ann",), order=Order.SCORE)
    fused = {p.index: p for p in ask("hybrid", query)}
    expected: dict[int, float] = {}
    for name in ("mentions", "bm25", "dense"):
        for rank, passage in enumerate(ask(name, query), start=1):
            expected[passage.index] = expected.get(passage.index, 0) + 1 / (60 + rank)
    assert {i: p.score for i, p in fused.items()} == pytest.approx(expected)
    assert fused[4].sources == ("mentions", "bm25", "dense")
    assert fused[6].sources == ("bm25", "dense")
    for name in ("mentions", "bm25", "dense"):
        own = {p.index: p.findings[0] for p in ask(name, query)}
        kept = {i: f for i, p in fused.items() for f in p.findings if f.source == name}
        assert kept == own


@pytest.mark.parametrize("name", RETRIEVERS)
def test_a_finding_says_who_found_it_and_where(ask: Asker, name: str) -> None:
    found = ask(name, Query(text="Ann and the letter", characters=("ann",), order=Order.SCORE))
    if name != "hybrid":
        assert sorted(p.findings[0].rank for p in found) == list(range(1, len(found) + 1))
        assert all(p.findings == (Finding(name, p.score, p.findings[0].rank),) for p in found)


@pytest.mark.parametrize("name", ["bm25", "hybrid"])
def test_the_formula_is_honoured(ask: Asker, name: str) -> None:
    query = Query(text="Ann and the letter")
    by = {
        formula: {
            p.index: f.score
            for p in ask.make(name, bm25=formula).search(query)
            for f in p.findings
            if f.source == "bm25"
        }
        for formula in Bm25Formula
    }
    assert {4, 5, 7} == by[Bm25Formula.OKAPI].keys() < by[Bm25Formula.LUCENE].keys()
    assert all(by[Bm25Formula.LUCENE][i] != score for i, score in by[Bm25Formula.OKAPI].items())


def test_lead_is_the_beginning(ask: Asker) -> None:
    assert numbers(ask("lead", replace(ANN, k=3))) == [0, 1, 2]
    assert [p.mentions for p in ask("lead", replace(ANN, k=3))] == [3, 0, 1]


def test_random_follows_its_seed(ask: Asker) -> None:
    drawn = [numbers(ask("random", Query(k=4, seed=seed))) for seed in (1, 1, 2, 3)]
    assert drawn[0] == drawn[1]
    assert len({tuple(d) for d in drawn}) > 1
    assert all(len(set(d)) == 4 for d in drawn)


# all retrievers


@pytest.mark.parametrize("name", RETRIEVERS)
def test_every_option_works_on_every_retriever(ask: Asker, book: Book, name: str) -> None:
    query = Query(text="Ann and the letter in the garden", characters=("ann",), k=3)
    in_story, by_score = ask(name, query), ask(name, replace(query, order=Order.SCORE))
    assert len(in_story) == 3
    assert numbers(in_story) == sorted(numbers(in_story))
    assert set(numbers(in_story)) == set(numbers(by_score))
    assert [p.score for p in by_score] == sorted((p.score for p in by_score), reverse=True)
    assert all(p.score > 0 and p.sources for p in in_story)
    assert all(p.text == book.slice(p.span) for p in in_story)
    assert {p.index: p.mentions for p in in_story}.items() <= dict(
        enumerate([3, 0, 1, 0, 2, 0, 0, 2])
    ).items()
    assert ask(name, replace(query, k=0)) == []
    assert ask(name, replace(query, upto=0)) == []
    assert ask.make(name).name == name


@pytest.mark.parametrize("name", RETRIEVERS)
def test_k_results_before_the_gate_are_k_results(ask: Asker, book: Book, name: str) -> None:
    """A filter after top-k would lose some: the best are in the second chapter."""
    query = Query(text="Ann garden town gate", characters=("ann", "tom"), k=3, upto=book.end_of_chapter(1))
    found = ask(name, query)
    assert len(found) == 3
    assert all(p.span.end <= book.end_of_chapter(1) for p in found)


@pytest.mark.parametrize("name", RETRIEVERS)
def test_the_token_budget_holds_and_is_used(ask: Asker, name: str) -> None:
    query = Query(text="Ann and the letter in the garden", characters=("ann",), token_budget=22)
    found = ask.counting_words(name).search(query)
    assert found
    assert sum(len(p.text.split()) for p in found) <= 22
    assert ask.counting_words(name).search(replace(query, token_budget=1)) == []


def test_a_passage_is_counted_once_at_most(ask: Asker) -> None:
    counted: list[str] = []

    def count(text: str) -> int:
        counted.append(text)
        return len(text.split())

    query = Query(text="Ann and the letter in the garden", characters=("ann",), token_budget=30, neighbours=2)
    for name in RETRIEVERS:
        counted.clear()
        ask.make(name, count_tokens=count).search(query)
        assert counted
        assert len(counted) == len(set(counted))
    counted.clear()
    ask.make("lead", count_tokens=count).search(replace(query, token_budget=None))
    assert counted == []


def test_where_no_passage_fits_none_comes(ask: Asker, index: BookIndex) -> None:
    """Half a passage could say the opposite of the whole."""
    words = ask.counting_words("lead")
    shortest = min(len(p.text.split()) for p in index.passages)
    assert words.search(Query(token_budget=shortest - 1)) == []
    assert len(words.search(Query(token_budget=shortest))) == 1


# neighbours


def test_neighbours_come_with_what_is_found(ask: Asker) -> None:
    query = Query(text="afraid", neighbours=1)
    found = ask("bm25", query)
    assert numbers(found) == [4, 5, 6]
    assert found[0].findings == found[2].findings == (Finding("neighbour", 0.0, 1),)
    assert [p.score > 0 for p in found] == [False, True, False]
    assert numbers(ask("bm25", replace(query, neighbours=2))) == [4, 5, 6, 7]
    assert [p.mentions for p in ask("bm25", replace(query, characters=("ann",)))] == [2, 0, 0]


def test_neighbours_end_with_the_chapter_and_at_the_gate(ask: Asker, index: BookIndex) -> None:
    assert numbers(ask("bm25", Query(text="gate", neighbours=3))) == [0, 1, 2, 3]
    gate = index.passages[6].span.end - 1
    assert numbers(ask("bm25", Query(text="afraid", neighbours=3, upto=gate))) == [4, 5]


def test_what_was_found_itself_stays_a_find(ask: Asker) -> None:
    found = ask("bm25", Query(text="bees", neighbours=2))
    assert {p.index: p.sources for p in found} == {
        4: ("bm25",),
        5: ("neighbour",),
        6: ("bm25",),
        7: ("neighbour",),
    }


@pytest.mark.parametrize("neighbours", [-1, 0, 10**12])
def test_any_number_of_neighbours_is_a_number(ask: Asker, neighbours: int) -> None:
    expected = [4, 5, 6, 7] if neighbours > 0 else [5]
    assert numbers(ask("bm25", Query(text="afraid", neighbours=neighbours))) == expected


def test_neighbours_do_not_count_as_found(ask: Asker) -> None:
    found = ask("bm25", Query(text="bees", neighbours=1, k=1))
    assert [p.sources for p in found if p.score] == [("bm25",)]
    assert len(found) == 3


def test_by_score_neighbours_stand_around_their_find(ask: Asker) -> None:
    found = ask("bm25", Query(text="gate afraid", neighbours=1, order=Order.SCORE))
    assert numbers(found) == [2, 3, 4, 5, 6]
    turned = ask("bm25", Query(text="garden afraid of it afraid", neighbours=1, order=Order.SCORE, k=2))
    assert numbers(turned)[:3] == [4, 5, 6]
    assert [p.findings[0].rank for p in turned[:3]] == [1, 1, 1]
    assert {p.findings[0].rank for p in turned[3:]} == {2}


def test_a_find_has_the_budget_before_any_neighbour(ask: Asker) -> None:
    words = ask.counting_words("bm25")
    query = Query(text="bees", neighbours=2)
    # The finds have 7 and 14 words, those between and after them 10 each.
    assert numbers(words.search(replace(query, token_budget=30))) == [4, 6]
    assert numbers(words.search(replace(query, token_budget=31))) == [4, 5, 6]
    assert numbers(words.search(replace(query, token_budget=40))) == [4, 5, 6]
    assert numbers(words.search(replace(query, token_budget=41))) == [4, 5, 6, 7]


def test_a_side_ends_where_a_neighbour_has_no_room(ask_of: Callable[..., Asker]) -> None:
    words = ask_of("Bees.", "Far too long to fit in here.", "Rain.", "Hill.").counting_words("bm25")
    assert numbers(words.search(Query(text="bees", neighbours=3, token_budget=4))) == [0]
    assert numbers(words.search(Query(text="rain", neighbours=3, token_budget=4))) == [2, 3]


def test_a_passage_too_long_for_the_budget_makes_room_for_the_next(ask: Asker) -> None:
    words = ask.counting_words("lead")
    assert numbers(words.search(Query(token_budget=13))) == [1]
    assert numbers(words.search(Query(token_budget=17))) == [0]
    assert numbers(words.search(Query(token_budget=20))) == [0, 3]


def test_without_a_tokenizer_a_token_is_about_four_characters(ask: Asker) -> None:
    found = ask("lead", Query(token_budget=30))
    assert 60 <= sum(len(p.text) for p in found) <= 120


def test_a_mention_that_crosses_the_gate_is_not_counted(
    book: Book, index: BookIndex, embedder: Embedder
) -> None:
    base = annotate(book, PEOPLE)
    end = index.passages[3].span.end
    across = Mention(Span(end - 5, end + 8), MentionKind.NOMINAL, "ann")
    ask = Asker(index, replace(base, mentions=(*base.mentions, across)), embedder)
    assert numbers(ask("mentions", replace(ANN, upto=end))) == [0, 2]
