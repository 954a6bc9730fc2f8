"""Title pages as they are printed."""

from __future__ import annotations

import pytest

from books.shape.body.blocks import blocks_of
from books.shape.body.title_page import calm, title_page
from books.types import Span

CAST = "ANN HAND, who keeps the light. " * 6


@pytest.mark.parametrize(
    ("page", "title", "author"),
    [
        ("The Tide Table\n\nby Ann Hand", "The Tide Table", "Ann Hand"),
        ("THE TIDE AND THE QUAY\n\nBy Ann Hand", "The Tide and the Quay", "Ann Hand"),
        ("THE TIDE\nAND THE\nQUAY\n\nA NOVEL\n\nBY\n\nANN HAND", "The Tide and the Quay", "Ann Hand"),
        ("THE TIDE;\n\nOR,\n\nTHE QUAY\n\nby A. B. Hand", "The Tide; or, the Quay", "A. B. Hand"),
        ("The Tide\n\nA Romance of the Harbour\n\nby Ann Hand", "The Tide", "Ann Hand"),
        ("The Tide\n\nIn Two Volumes\n\nVol. I\n\nby Ann Hand, author of 'The Quay'", "The Tide", "Ann Hand"),
        ("The Tide, by Ann Hand", "The Tide", "Ann Hand"),
        ("The Tide, a novel by Ann Hand", "The Tide", "Ann Hand"),
        ("_The Tide_\n\n_By Ann Hand_", "The Tide", "Ann Hand"),
        ("THE TIDE\n\nBY THE AUTHOR OF THE QUAY", "The Tide", None),
        ("The Tide\n\nby a Lady", "The Tide", None),
        ("《海潮》\n\n作者：韩安", "海潮", "韩安"),
        ("海潮\n\n韩安 著", "海潮", "韩安"),
        ("书名：《海潮》\n作者：韩安", "海潮", "韩安"),
        ("書名: 海潮\n\n作者：韩安", "海潮", "韩安"),
        ("PART ONE\n\nThe Tide", None, None),
        ("by Ann Hand", None, None),
        ("THE TIDE AND THE QUAY", "The Tide and the Quay", None),
        ("The Tide\n\nOR\nTHE QUAY AT NIGHT\n\nby Ann Hand", "The Tide or the Quay at Night", "Ann Hand"),
        (f"THE TIDE\n\nA Play in Two Acts\n\nCHARACTERS\n\n{CAST}", "The Tide", None),
        (f"CONTENTS\n\n{CAST}", None, None),
        ("The tide waits for nobody.", None, None),
        ("To my brother Tom", None, None),
        ("", None, None),
    ],
)
def test_title_and_author(page: str, title: str | None, author: str | None) -> None:
    assert title_page(blocks_of(page, Span(0, len(page)))) == (title, author)


@pytest.mark.parametrize(
    ("shouted", "calmed"),
    [
        ("HENRY IV", "Henry IV"),
        ("THE O'BRIENS' TIDE", "The O'Briens' Tide"),
        ("ANN'S TIDE-TABLE", "Ann's Tide-Table"),
        ("D.H. HAND", "D.H. Hand"),
        ("MR. McKEITH", "MR. McKEITH"),
        ("THE MCKEITHS", "The McKeiths"),
        ("The Tide at the Quay", "The Tide at the Quay"),
        ("IT", "IT"),
    ],
)
def test_a_title_does_not_shout(shouted: str, calmed: str) -> None:
    assert calm(shouted) == calmed
