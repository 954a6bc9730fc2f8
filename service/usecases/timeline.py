"""The timeline: for each chapter, and each stretch of a very long one, the sentence that tells most."""

from __future__ import annotations

from collections import Counter
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
    percent: int | None
    """How far into the book, if its chapter has several sentences here."""


def timeline(view: View) -> tuple[ChapterEvent, ...]:
    cast = cast_of(view.book, view.annotations)
    language = AnswerLanguage.of(view.book)
    main = [event for event in view.events() if event.rank == 0]
    of_chapter = Counter(event.chapter for event in main)
    return tuple(
        ChapterEvent(
            view.book.chapters[event.chapter],
            told(event.span, event.chapter, cast, language),
            view.percent(event.span.start) if of_chapter[event.chapter] > 1 else None,
        )
        for event in main
    )
