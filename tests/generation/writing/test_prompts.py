from __future__ import annotations

from dataclasses import replace

import pytest

from books.types import Book
from coref.types import Annotations
from generation.contexts import make_context
from generation.errors import NotYetMet
from generation.types import Task
from generation.writing.prompts import make_prompt
from tests.generation.novel import passages


def test_passages_past_the_gate_are_no_part_of_a_prompt(harbour: tuple[Book, Annotations]) -> None:
    book, annotations = harbour
    gate = book.end_of_chapter(1)
    prompt = make_prompt(
        make_context(book, annotations=annotations, people=["bess"], upto=gate),
        task=Task.DESCRIPTION,
        passages=passages(book)[::-1],
    )
    assert prompt.passages
    assert [p.span.end <= gate for p in prompt.passages] == [True] * len(prompt.passages)
    assert list(prompt.passages) == sorted(prompt.passages, key=lambda p: p.span)


def test_a_character_is_taken_as_the_gated_annotations_know_it(harbour: tuple[Book, Annotations]) -> None:
    book, annotations = harbour
    ungated = replace(annotations.characters[0], mention_count=999)
    prompt = make_prompt(
        make_context(book, annotations=annotations, people=[ungated, "tom"]), task=Task.JOINT
    )
    assert [c.mention_count for c in prompt.context.people] == [
        annotations.characters[0].mention_count,
        annotations.character("tom").mention_count,  # type: ignore[union-attr]
    ]


def test_someone_not_yet_met_is_refused(harbour: tuple[Book, Annotations]) -> None:
    book, annotations = harbour
    with pytest.raises(NotYetMet):
        make_prompt(
            make_context(book, annotations=annotations, people=["the-stranger"]), task=Task.DESCRIPTION
        )
