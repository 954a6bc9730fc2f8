"""From points to sentences: who is named, where it happens, and no two openings alike in a row."""

from __future__ import annotations

from collections.abc import Sequence

from generation.offline.points import Point
from generation.offline.wording import Wording
from generation.types import Sentence

LONGEST_LEAD = 6
"""Words of "Near the end, in chapter 40,"."""


class Writer:
    """Writes the sentences of one text about one person, one after another."""

    def __init__(self, wording: Wording, *, character: str, chapters: int) -> None:
        self.wording = wording
        self._character = character
        self._chapters = chapters
        self._written: list[Sentence] = []
        self._chapter: int | None = None
        self._rivals = False
        self._subjects: list[str] = []

    def section(self, points: Sequence[Point], *, heading: str | None = None) -> list[Sentence]:
        """The name opens a section; pronouns follow while it is clear whom they mean."""
        made: list[Sentence] = []
        self._chapter = None
        for at, point in enumerate(points):
            last = at == len(points) - 1
            made.append(self._sentence(point, heading if at == 0 else None, opening=at == 0, last=last))
        return made

    def _sentence(self, point: Point, heading: str | None, *, opening: bool, last: bool) -> Sentence:
        subject = self._subject(opening=opening)
        lead = self._lead(point, last=last)
        text = f"{lead}{subject} {point.predicate}."
        self._rivals = any(self.wording.confusable(who) for who in point.people)
        self._written.append(
            Sentence(text[0].upper() + text[1:], point.citations, heading, (self._character,))
        )
        return self._written[-1]

    def _subject(self, *, opening: bool) -> str:
        """The whole name once, then short name and pronoun: a third "she" in a row becomes the name."""
        if not self._written:
            subject = self.wording.opening
        elif opening or self._rivals or self._subjects[-2:] == [self.wording.subject] * 2:
            subject = self.wording.short
        else:
            subject = self.wording.subject
        self._subjects.append(subject)
        return subject

    def _lead(self, point: Point, *, last: bool) -> str:
        if point.chapter is None or self._chapters < 2:
            return ""
        before, self._chapter = self._chapter, point.chapter
        number = f"chapter {point.chapter + 1}"
        if before == point.chapter:
            return "In the same chapter "
        if before is None:
            return f"In {number}, "
        if last and point.chapter >= 0.9 * self._chapters:
            return f"Near the end, in {number}, "
        return f"In {number}, " if len(self._written) % 2 else f"Later, in {number}, "
