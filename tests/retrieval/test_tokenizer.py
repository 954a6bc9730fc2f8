"""Terms are the same whichever way a word is dressed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.tokenizer import terms


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Emma’s", "emma"),
        ("James's", "James"),
        ("SISTERS", "sister"),
        ("stories", "story"),
        ("ties", "tie"),
        ("shoes", "shoe"),
        ("Brontë", "Bronte"),
        ("Brontë", "Bronte\u0308"),
        ("_Emma_", "Emma"),
        ("Straße", "STRASSE"),
    ],
)
def test_same_term(one: str, other: str) -> None:
    assert terms(one) == terms(other) != []


def test_function_words_are_left_out_but_names_like_will_stay() -> None:
    assert terms("And so they were with Will, and the May tree") == ["will", "may", "tree"]


def test_repeats_and_order_are_kept() -> None:
    assert terms("bees, then honey, then bees") == ["bee", "honey", "bee"]


def test_words_that_only_look_plural_are_kept() -> None:
    assert terms("class bus gas") == ["class", "bus", "gas"]


def test_ideographs_are_terms_of_their_own() -> None:
    assert terms("约翰 saw 王") == ["约", "翰", "saw", "王"]


def test_inner_apostrophes_hold_a_name_together() -> None:
    assert terms("O’Brien d'Urberville") == ["o'brien", "d'urberville"]


@given(st.text(max_size=60))
def test_any_text_gives_terms_without_white_space(text: str) -> None:
    assert all(term and not any(c.isspace() for c in term) for term in terms(text))
