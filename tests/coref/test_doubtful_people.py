"""People whom the book hardly names, while many pronouns are taken to mean them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from books.types import Span
from coref.census import recount
from coref.doubtful_people import MANY, SELDOM, doubtful_people
from coref.gate import gate
from coref.types import Annotations, Character, CharacterKind, Mention, MentionKind, Teller


def people(*, names: int = 1, nouns: int = 0, pronouns: int = MANY + 1) -> Annotations:
    """Somebody who is named, then described, and then meant by pronouns."""
    told = (
        *[("Mrs. Grundy", MentionKind.PROPER)] * names,
        *[("the old woman", MentionKind.NOMINAL)] * nouns,
        *[("she", MentionKind.PRONOUN)] * pronouns,
    )
    mentions = tuple(
        Mention(Span(20 * n, 20 * n + len(words)), kind, "grundy", words)
        for n, (words, kind) in enumerate(told)
    )
    grundy = Character("grundy", "Mrs. Grundy", (), CharacterKind.PERSON, "she/her", 0, 0)
    return Annotations("by hand", recount([grundy], mentions), mentions, ())


def test_a_name_said_once_with_many_pronouns_is_doubtful() -> None:
    found = doubtful_people(people())["grundy"]
    assert (found.said, found.pronouns) == (1, MANY + 1)
    assert found.told == ("The book names this person only once, but 51 pronouns are taken to mean them.")
    assert "only 3 times" in doubtful_people(people(names=SELDOM))["grundy"].told


@pytest.mark.parametrize(
    "other",
    [
        people(pronouns=MANY),
        people(names=SELDOM + 1),
        people(nouns=SELDOM + 1),
        people(names=0, nouns=2),
        replace(people(), narrator="grundy"),
        replace(people(), confirmed=frozenset(("grundy",))),
        replace(people(), tellers=(Teller(Span(0, 500), "grundy"),)),
    ],
    ids=["few pronouns", "named", "known by a noun", "without a name", "narrator", "confirmed", "teller"],
)
def test_others_are_not(other: Annotations) -> None:
    assert not doubtful_people(other)


def test_a_reader_hears_of_it_when_enough_was_read() -> None:
    assert not doubtful_people(gate(people(), upto=500))
