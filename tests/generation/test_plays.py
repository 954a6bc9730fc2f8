"""Plays are described like stories: what is done on stage is narrated, what is said is quoted."""

from __future__ import annotations

import pytest

from books.gate import cut
from books.reading import read
from books.types import Book
from coref.gate import gate
from coref.registry import make_resolver
from coref.types import Annotations
from generation.contexts import make_context
from generation.story.cast import CastIndex
from generation.types import AnswerLimits, Task
from generation.writing.offline.composer import OfflineGenerator
from generation.writing.prompts import make_prompt
from tests.books.shape.play_texts import HAMLET, MANNERS, PYGMALION
from tests.generation.novel import passages


def _annotated(text: str) -> tuple[Book, Annotations]:
    book = read(text.encode(), name="Play")
    assert book.play is not None
    return book, make_resolver("rules").annotate(book)


@pytest.mark.parametrize("task", list(Task))
@pytest.mark.parametrize("text", [HAMLET, PYGMALION, MANNERS["inline"][0]], ids=["verse", "prose", "ours"])
def test_everybody_in_a_play_can_be_written_about(text: str, task: Task) -> None:
    book, annotations = _annotated(text)
    for character in annotations.characters:
        prompt = make_prompt(
            make_context(book, annotations=annotations, people=(character.id,)),
            task=task,
            passages=passages(book),
        )
        draft = OfflineGenerator().generate(prompt, AnswerLimits())
        for sentence in draft.sentences:
            for citation in sentence.citations:
                home = book.paragraph_at(citation.span.start)
                assert home is not None
                assert home.span.covers(citation.span)


def test_the_sentence_of_a_label_is_that_of_what_is_said() -> None:
    book, annotations = _annotated(MANNERS["inline"][0])
    citation = CastIndex(book, annotations).sentence_at(book.text.index("ADA. The door"))
    assert book.slice(citation.span) == "ADA. The door is shut tonight."


def test_a_play_that_is_read_in_part_is_written_about_in_part() -> None:
    book, annotations = _annotated(HAMLET)
    upto = book.end_of_chapter(1)
    part, known = cut(book, upto), gate(annotations, upto=upto)
    assert {c.name for c in known.characters} >= {"Francisco", "Horatio"}
    assert "Reynaldo" not in {c.name for c in known.characters}
    assert part.play is not None
    assert all(speech.span.end <= upto for speech in part.play.speeches)
