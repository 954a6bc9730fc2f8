from __future__ import annotations

import re

import pytest

from books.types import Span
from generation.checking.judges.person_slots import CodedSentence, PersonSlot, encode, part_of
from generation.checking.judges.sentence_relations import inverses, relations

_MARK = re.compile(r"\[([^|]+)\|(\w+)\]")


def told(marked: str) -> list[tuple[str, str, str]]:
    """Return the relations that a marked sentence states."""
    text, slots, at = "", [], 0
    for match in _MARK.finditer(marked):
        text += marked[at : match.start()]
        span = Span(len(text), len(text) + len(match[1]))
        text += match[1]
        part = part_of(match[1], marked[match.end() : match.end() + 24])
        slots.append(PersonSlot(span, match[2], False, part))
        at = match.end()
    text += marked[at:]
    whole = Span(0, len(text))
    line = CodedSentence(whole, 0, encode(text, whole, tuple(slots)), tuple(slots))
    return [(r.holder.character, r.term, r.owner.character) for r in relations(line)]


@pytest.mark.parametrize(
    ("marked", "found"),
    [
        ("[Jane|jane]’s brother [Tom|tom] left.", ("tom", "brother", "jane")),
        ("[Jane|jane] met [her|jane] brother [Tom|tom].", ("tom", "brother", "jane")),
        ("[Tom|tom], [Jane|jane]’s father, left.", ("tom", "father", "jane")),
        ("[Ann|ann], the aunt of [Tom|tom], left.", ("ann", "aunt", "tom")),
        ("[Ann|ann] was [Tom|tom]’s eldest cousin.", ("ann", "cousin", "tom")),
    ],
)
def test_ties_are_read_with_their_direction(marked: str, found: tuple[str, str, str]) -> None:
    assert told(marked) == [found]


@pytest.mark.parametrize(
    "marked", ["[Ann|ann] was the housekeeper of [Tom|tom].", "[Jane|jane]’s late husband knew [Tom|tom]."]
)
def test_what_is_no_tie_is_none(marked: str) -> None:
    assert told(marked) == []


def test_to_a_mother_one_is_daughter_or_son() -> None:
    assert set(inverses("mother")) == {"daughter", "son"}
    assert inverses("friend") == ("friend",)
