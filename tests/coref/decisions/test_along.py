"""Pronouns and quotes follow the names that a reader moves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from books.types import Book, Span
from coref.census import recount
from coref.decisions import along
from coref.decisions.log import replay
from coref.decisions.types import Decision, DecisionKind
from coref.types import Annotations, Mention, MentionKind, Quote
from tests.coref.conftest import make_book, mark, person

TEXT = """Chapter 1

Miss Lane came in. She was tired, and she sat down. “I have walked far,” said Miss Lane.

Old Ward stood at the window. He did not turn his head. “You are late,” said Old Ward. “I waited.”

Chapter 2

Miss Lane wept. Her hands were cold. Old Ward went out. He shut the door behind him.
"""
NAMES = ("Miss Lane", "Old Ward")


@pytest.fixture
def book() -> Book:
    return make_book(TEXT)


@pytest.fixture
def mixed() -> Annotations:
    """Two people who were taken for one."""
    words = {"She": 1, "she": 1, "He": 2, "his": 1, "I": 2, "Her": 1, "him": 1}
    found: list[Mention] = []
    for word, times in words.items():
        found += [mark(TEXT, word, "lane", MentionKind.PRONOUN, nth=nth) for nth in range(times)]
    found += [mark(TEXT, "Miss Lane", "lane", MentionKind.PROPER, nth=nth) for nth in range(3)]
    found += [mark(TEXT, "Old Ward", "lane", MentionKind.PROPER, nth=nth) for nth in range(3)]
    quotes = tuple(
        Quote(Span(TEXT.index(said), TEXT.index(said) + len(said)), "lane", None, 0.8)
        for said in ("“I have walked far,”", "“You are late,”", "“I waited.”")
    )
    mentions = tuple(sorted(found, key=lambda m: m.key))
    return Annotations("hand/1", recount([person("lane", "Miss Lane")], mentions), mentions, quotes)


def split(annotations: Annotations, book: Book, **how: object) -> dict[str, list[str]]:
    """Split off Old Ward, and return what each of the two has."""
    decision = Decision(1, DecisionKind.SPLIT, character="lane", name="Old Ward", aliases=("Old Ward",))
    after = replay(annotations, book, [replace(decision, **how)])  # type: ignore[arg-type]
    other = next(c.id for c in after.characters if c.id != "lane")
    names = {"lane": "Miss Lane", other: "Old Ward"}
    found: dict[str, list[str]] = {name: [] for name in NAMES}
    for mention in after.mentions:
        if mention.kind is MentionKind.PRONOUN:
            found[names[str(mention.character)]].append(mention.surface)
    for quote in after.quotes:
        found[names[str(quote.speaker)]].append(book.slice(quote.span))
    return found


def test_pronouns_and_quotes_follow_a_split(book: Book, mixed: Annotations) -> None:
    assert split(mixed, book, pronouns=True) == {
        "Miss Lane": ["She", "she", "I", "Her", "“I have walked far,”"],
        "Old Ward": ["He", "his", "I", "He", "him", "“You are late,”", "“I waited.”"],
    }


def test_without_being_asked_they_stay(book: Book, mixed: Annotations) -> None:
    assert split(mixed, book)["Old Ward"] == []


def test_what_is_told_by_i_stays(book: Book, mixed: Annotations) -> None:
    """Who tells a part of the book is a decision of its own."""
    told = replace(mixed, quotes=())
    assert "I" not in split(told, book, pronouns=True)["Old Ward"]


def test_of_one_mention_only_its_neighbours_follow(book: Book, mixed: Annotations) -> None:
    last = [m.span for m in mixed.mentions if m.surface == "Old Ward"][-1]
    given = Decision(1, DecisionKind.MENTION, other="lane", name="A Boy", spans=(last,), pronouns=True)
    after = replay(mixed, book, [given])
    boy = next(c for c in after.characters if c.id != "lane")
    assert [m.surface for m in after.mentions_of(boy.id)] == ["Old Ward", "He", "him"]
    assert boy.pronouns == "he/him"


def test_a_quote_follows_the_mention_that_it_stands_nearest_to(book: Book, mixed: Annotations) -> None:
    second = [m.span for m in mixed.mentions if m.surface == "Old Ward"][1]
    given = Decision(1, DecisionKind.MENTION, other="lane", name="A Boy", spans=(second,), pronouns=True)
    after = replay(mixed, book, [given])
    boy = next(c.id for c in after.characters if c.id != "lane")
    said = [book.slice(q.span) for q in after.quotes if q.speaker == boy]
    assert said == ["“You are late,”", "“I waited.”"]
    assert [m.surface for m in after.mentions_of(boy)] == ["Old Ward", "I"]


def test_nobodys_pronouns_follow_nobody(book: Book, mixed: Annotations) -> None:
    unknown = replace(
        mixed,
        characters=(),
        mentions=tuple(replace(m, character=None) for m in mixed.mentions),
        quotes=(),
    )
    given = Decision(1, DecisionKind.MENTION, name="Ward", aliases=("Old Ward",), pronouns=True)
    assert [c.mention_count for c in replay(unknown, book, [given]).characters] == [3]


@pytest.mark.parametrize("gone", [True, False])
def test_where_only_one_is_named_all_is_theirs(*, gone: bool) -> None:
    known = [along.Named(0, None, gone)]
    asked = [along.Asked(5, None, "he/him"), along.Asked(9, Span(8, 20), "i")]
    assert along.gone_with(known, asked, along.shipped()) == [gone, gone]


def test_who_is_gone_and_who_stays_are_judged_alike() -> None:
    """Putting the question the other way round turns every answer round."""
    known = [along.Named(at, None, gone) for at, gone in ((0, True), (90, False), (400, True), (800, False))]
    asked = [along.Asked(at, None, word) for at, word in ((20, "he/him"), (120, "she/her"), (430, "he/him"))]
    there = along.gone_with(known, asked, along.shipped())
    turned = [replace(each, gone=not each.gone) for each in known]
    assert along.gone_with(turned, asked, along.shipped()) == [not goes for goes in there]
    assert len(set(there)) == 2
