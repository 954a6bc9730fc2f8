"""Spelling variants of a word give the same term."""

from __future__ import annotations

import subprocess
import sys

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
        ("Søren", "SOREN"),
        ("Æneas Łódź", "aeneas lodz"),
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


def test_names_that_end_like_verbs_stay_apart_from_them() -> None:
    """The reason that only the plural is removed."""
    for name, word in [("Harding", "hard"), ("Carrie", "carried"), ("Oliver", "olive"), ("Emma", "Emm")]:
        assert terms(name) != terms(word)
    assert terms("Holmes") == terms("Holmes's") == terms("Holmes’") != terms("Holm")


def test_chinese_is_cut_into_words_and_characters() -> None:
    assert terms("北京大学") == ["北", "京", "大", "学", "北京", "大学", "北京大学"]
    assert terms("约翰 saw 王") == ["约", "翰", "约翰", "saw", "王"]
    assert terms("约翰3次") == ["约", "翰", "约翰", "3", "次"]


def test_a_part_of_a_chinese_name_is_found_in_the_whole() -> None:
    assert set(terms("黛玉")) <= set(terms("林黛玉"))
    assert set(terms("小梅")) <= set(terms("小梅拉着他的手"))


def test_traditional_and_simplified_characters_are_one() -> None:
    assert terms("王熙鳳") == terms("王熙凤")


def test_chinese_function_words_are_left_out() -> None:
    assert terms("我们的") == []


def test_japanese_syllables_are_terms_of_their_own() -> None:
    assert terms("ピアノを弾く") == ["ピ", "ア", "ノ", "を", "弾", "く"]


def test_jieba_is_loaded_for_chinese_only_and_says_nothing() -> None:
    code = (
        "import sys\n"
        "from retrieval.tokenizer import terms\n"
        "terms('Emma’s café, ピアノ')\n"
        "assert 'jieba' not in sys.modules\n"
        "terms('约翰')\n"
        "assert 'jieba' in sys.modules and 'jieba.posseg' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_inner_apostrophes_hold_a_name_together() -> None:
    assert terms("O’Brien d'Urberville") == ["o'brien", "d'urberville"]


@given(st.text(max_size=60))
def test_any_text_gives_terms_without_white_space(text: str) -> None:
    assert all(term and not any(c.isspace() for c in term) for term in terms(text))
