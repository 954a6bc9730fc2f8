"""The timeline: for each chapter the sentence that tells most of what happens."""

from __future__ import annotations

from dataclasses import dataclass

from books.types import Chapter
from generation.story.cast import cast_of
from generation.types import AnswerLanguage, Sentence
from generation.writing.offline.story import told
from service.shelf import View


@dataclass(frozen=True, slots=True)
class ChapterEvent:
    chapter: Chapter
    sentence: Sentence


def timeline(view: View) -> tuple[ChapterEvent, ...]:
    cast = cast_of(view.book, view.annotations)
    language = AnswerLanguage.of(view.book)
    main = (event for event in view.events() if event.rank == 0)
    return tuple(
        ChapterEvent(view.book.chapters[event.chapter], told(event.span, event.chapter, cast, language))
        for event in main
    )
