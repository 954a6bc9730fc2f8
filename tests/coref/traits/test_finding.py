"""Small sentences with their grammar, and what they say of Anna and Tom."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.coref.traits.trees import found

CASES = {
    name: (
        [line for line in lines if not line.startswith("= ")],
        [line.removeprefix("= ") for line in lines if line.startswith("= ")],
    )
    for block in (Path(__file__).parent / "sentences.txt").read_text("utf-8").split("\n\n")[1:]
    for name, *lines in [block.strip().removeprefix("# ").split("\n")]
}


@pytest.mark.parametrize("name", CASES)
def test_what_a_sentence_says(name: str) -> None:
    lines, expected = CASES[name]
    assert sorted(found("\n".join(lines))) == sorted(expected)
