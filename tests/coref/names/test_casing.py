"""Names in capitals, as they would be written in a sentence."""

from __future__ import annotations

import pytest

from coref.names.casing import in_sentence, title_case


@pytest.mark.parametrize(
    ("word", "name"),
    [("HALE", "Hale"), ("McBRIDE", "McBride"), ("MacRAE", "MacRae"), ("McCoy", "McCoy"), ("D", "D")],
)
def test_a_prefix_of_a_name_in_capitals_keeps_its_small_letters(word: str, name: str) -> None:
    assert title_case(word) == name
    assert in_sentence(f"SALLIE {word}") == f"Sallie {name}"
