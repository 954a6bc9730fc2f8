"""Small sentences with their parse, and their traits of Anna and Tom."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from coref.traits.finding import find_traits
from coref.types import TraitKind
from tests.coref.traits.trees import found, planted, told

CASES = {
    name: (
        [line for line in lines if not line.startswith("= ")],
        [line.removeprefix("= ") for line in lines if line.startswith("= ")],
    )
    for block in (Path(__file__).parent / "sentences.txt").read_text("utf-8").split("\n\n")[1:]
    for name, *lines in [block.strip().removeprefix("# ").split("\n")]
}


def test_no_brother_is_a_she() -> None:
    line = "Her/PRON/2/nmod:poss@anna brother/NOUN/0/root@tom"
    book, parse, annotations = planted(line)
    she, he = (
        replace(annotations, characters=tuple(replace(c, pronouns=p) for c in annotations.characters))
        for p in ("she/her", "he/him")
    )
    assert [told(t) for t in find_traits(book, parse, he)] == ["tom kin brother > anna"]
    assert "anna has brother" in [told(t) for t in find_traits(book, parse, she)]
    assert not any(t.kind is TraitKind.KIN for t in find_traits(book, parse, she))


@pytest.mark.parametrize("name", CASES)
def test_what_a_sentence_says(name: str) -> None:
    lines, expected = CASES[name]
    assert sorted(found("\n".join(lines))) == sorted(expected)
