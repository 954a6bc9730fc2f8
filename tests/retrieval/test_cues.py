"""Cues are found where they stand, and never across two passages."""

from __future__ import annotations

from retrieval.cues import describing, kin
from retrieval.passages import split
from tests.retrieval.conftest import make_book


def test_describing_phrases_and_kin() -> None:
    book = make_book([["One", "Ann was a\nbaker, and her Sisters seemed kind. The sister-in-law wept."]])
    told = split(book)
    assert [book.text[at:][:6] for at in describing(book.text, told)] == ["was a\n", "seemed"]
    assert [book.text[at:][:6] for at in kin(book.text, told)] == ["Sister", "sister"]


def test_a_phrase_does_not_run_on_into_the_next_passage() -> None:
    book = make_book([["One", "He said what she was", "a fool would know."]])
    assert len(describing(book.text, split(book))) == 0


def test_headings_hold_no_cues() -> None:
    book = make_book([["The Father", "Nothing."]])
    assert len(kin(book.text, split(book))) == 0
