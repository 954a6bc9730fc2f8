from __future__ import annotations

import pytest

from generation.stems import stem


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
