"""Passages cover the narrative's paragraphs exactly."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from books.types import Book, Span
from retrieval.passages import LIMIT, cut, split
from tests.retrieval.conftest import make_book


def test_a_paragraph_is_a_passage_and_a_heading_is_none(book: Book) -> None:
    passages = split(book)
    assert [p.text for p in passages][:2] == [
        "Ann Lee was a tall girl with red hair. She lived beside the garden wall.",
        "The rain fell on the town all night, and nobody came.",
    ]
    assert [p.index for p in passages] == list(range(8))
    assert [p.chapter for p in passages] == [0] * 4 + [1] * 4
    assert "The Garden" not in [p.text for p in passages]


def test_a_long_paragraph_is_cut_at_sentence_ends_into_like_pieces() -> None:
    sentences = [f"Sentence number {i} goes on for about sixty characters or a few more." for i in range(40)]
    passages = split(make_book([["One", " ".join(sentences)]]))
    assert len(passages) == 3
    assert all(p.text.startswith("Sentence") and p.text.endswith("more.") for p in passages)
    lengths = [len(p.span) for p in passages]
    assert max(lengths) - min(lengths) < 200


def test_a_title_does_not_end_a_sentence() -> None:
    opening = "He walked on and on " * 28
    text = f"{opening}until he met Mrs. Dale at the gate. {'Then they went home together ' * 30}"
    first = next(cut(text, Span(0, len(text))))
    assert first.of(text).endswith("at the gate.")


def test_closing_quote_marks_stay_with_their_sentence() -> None:
    text = "“" + "Go on and on " * 45 + "now!” " + "She went home again " * 40
    first = next(cut(text, Span(0, len(text))))
    assert first.of(text).endswith("now!”")


def test_text_without_any_sentence_or_space_is_still_cut() -> None:
    pieces = list(cut("x" * 3000, Span(0, 3000)))
    assert pieces[0].start == 0
    assert pieces[-1].end == 3000
    assert all(len(p) <= LIMIT for p in pieces)


@given(st.text(alphabet="ab .!?”\n;,—", max_size=4000))
def test_pieces_hold_all_that_is_not_white_space(text: str) -> None:
    pieces = list(cut(text, Span(0, len(text))))
    assert all(0 < len(p) <= LIMIT for p in pieces)
    assert all(p.of(text) == p.of(text).strip() for p in pieces)
    assert all(a.end <= b.start for a, b in pairwise(pieces))
    assert "".join("".join(p.of(text) for p in pieces).split()) == "".join(text.split())
