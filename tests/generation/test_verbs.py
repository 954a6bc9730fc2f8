from __future__ import annotations

import pytest

from generation.verbs import past_base, stem


@pytest.mark.parametrize(
    ("form", "base"),
    [("refused", "refuse"), ("married", "marry"), ("begged", "beg"), ("wrote", "write"), ("left", "leave")],
)
def test_past_forms_have_their_base(form: str, base: str) -> None:
    assert past_base(form) == base


@pytest.mark.parametrize("word", ["indeed", "hundred", "house", "writes", "speed"])
def test_other_words_are_no_past_forms(word: str) -> None:
    assert past_base(word) is None


@pytest.mark.parametrize(
    "family",
    [
        ("refuse", "refused", "refuses", "refusing"),
        ("marry", "married", "marries"),
        ("write", "wrote", "written"),
    ],
)
def test_inflections_share_a_stem(family: tuple[str, ...]) -> None:
    assert len({stem(word) for word in family}) == 1


def test_different_words_keep_apart() -> None:
    assert len({stem(w) for w in ("refuse", "accept", "marry", "sister", "mother")}) == 5
