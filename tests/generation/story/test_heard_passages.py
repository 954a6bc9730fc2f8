"""Who speaks in a passage and whom its pronouns mean, where that is known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from books.types import Book
from coref import doubtful_people
from coref.types import Annotations
from generation.story.cast import cast_of
from generation.story.heard_passages import pronoun_names, speakers_in
from tests.generation.novel import passages, story

Told = tuple[Book, Annotations]


def heard(told: Told, beginning: str) -> tuple[str, ...]:
    span = next(p.span for p in passages(told[0]) if p.text.startswith(beginning))
    return speakers_in(span, cast_of(*told))


def test_all_speakers_are_named_in_order(harbour: Told) -> None:
    assert heard(harbour, "“It’s a woman") == ("Captain Crane", "Mr. Nuttall")
    assert heard(harbour, "“You were a fool") == ("Bess Farrow",)
    assert heard(harbour, "Bess corrected") == ()


def test_if_one_speaker_is_unknown_nobody_is_named(harbour: Told) -> None:
    book, annotations = harbour
    first, *rest = annotations.quotes
    for doubtful in (replace(first, speaker=None), replace(first, confidence=0.3)):
        told = (book, replace(annotations, quotes=(doubtful, *rest)))
        assert heard(told, "“It’s a woman") == ()


def test_pronouns_get_the_name_that_their_sentence_lacks(harbour: Told) -> None:
    book, _ = harbour
    found = pronoun_names(book.paragraphs[1].span, cast_of(*harbour))
    names = [(book.text[: one.end].split()[-1], one.name) for one in found]
    assert names == [("He", "Mr. Nuttall"), ("Her", "Bess Farrow"), ("her", "Bess Farrow")]


def test_a_pronoun_gets_no_name_that_its_sentence_has() -> None:
    told = story("[He|tom] neighed when he saw [Tom|tom]. [He|tom] laughed.\n", tom="Tom/he")
    (named,) = pronoun_names(told[0].paragraphs[0].span, cast_of(*told))
    assert told[0].text[: named.end].endswith("Tom. He")


def test_a_doubtful_pronoun_gets_none(harbour: Told) -> None:
    book, annotations = harbour
    doubtful = tuple(replace(m, confidence=0.4) for m in annotations.mentions)
    told = (book, replace(annotations, mentions=doubtful))
    assert not list(pronoun_names(book.paragraphs[1].span, cast_of(*told)))


def test_nor_does_one_of_a_doubtful_person(harbour: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    book, annotations = harbour
    monkeypatch.setattr(doubtful_people, "MANY", 0)
    monkeypatch.setattr(doubtful_people, "SELDOM", 99)
    told = (book, replace(annotations))  # what is kept of a book is not shared
    assert not list(pronoun_names(book.paragraphs[1].span, cast_of(*told)))
