"""Numbers as chapter headings write them."""

from __future__ import annotations

import pytest

from books.shape.headings.numbers import parse_number


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("12", 12),
        ("3rd", 3),
        ("１２", 12),
        ("XII", 12),
        ("xlix", 49),
        ("VIIII", 9),
        ("twelve", 12),
        ("Twelfth", 12),
        ("Twenty-first", 21),
        ("TWENTY ONE", 21),
        ("ninety-nine", 99),
        ("one hundred and twenty-first", 121),
        ("two hundred", 200),
        ("Xiv", 14),
        ("last", 0),
        ("一", 1),
        ("十", 10),
        ("二十三", 23),
        ("廿三", 23),
        ("一百零五", 105),
        ("一百二十", 120),
        ("两千", 2000),
        ("一二〇", 120),
        ("壹", 1),
    ],
)
def test_numbers_of_every_kind(written: str, value: int) -> None:
    assert parse_number(written) == value


@pytest.mark.parametrize(
    "word",
    ["", "Mix", "Di", "IIX", "two one", "one two", "eleventy", "five last", "twenty twelve", "春天", "12345"],
)
def test_what_is_no_number(word: str) -> None:
    assert parse_number(word) is None
