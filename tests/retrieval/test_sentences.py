from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from books.types import Span
from retrieval.sentences import flat, split


def test_titles_and_initials_end_no_sentence() -> None:
    text = "Mr. Nuttall met Dr. J. Mortimer at St. Paul’s. They talked. “Well?” said he. “No!” Then he left."
    assert [s.of(text) for s in split(text)] == [
        "Mr. Nuttall met Dr. J. Mortimer at St. Paul’s.",
        "They talked.",
        "“Well?” said he.",
        "“No!”",
        "Then he left.",
    ]


def test_a_line_break_ends_no_sentence_and_only_the_stretch_is_read() -> None:
    text = "Out. She came\nhome late. Out."
    assert [s.of(text) for s in split(text, Span(5, 24))] == ["She came\nhome late."]
    assert flat("She came\nhome  late. ") == "She came home late."
    assert flat("She was twenty-\nseven--or\nso they said--\nand late.") == (
        "She was twenty-seven--or so they said--and late."
    )
    assert flat("he said--\n\nThen he went.") == "he said-- Then he went.", "a paragraph ends there"


@given(st.text(alphabet="aB .!?“”\n", max_size=80))
def test_sentences_are_in_order_and_keep_every_letter(text: str) -> None:
    spans = split(text)
    assert all(a.end <= b.start for a, b in pairwise(spans))
    assert "".join("".join(s.of(text).split()) for s in spans) == "".join(text.split())
