"""From points to sentences: who is named, where it happens, and no two openings alike in a row."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from generation.offline.points import Point
from generation.offline.wording import Wording
from generation.types import Sentence

LONGEST_LEAD = 6
"""Words of "Near the end, in chapter 40,"."""
LEADS = ("In {}", "Later, in {}", "Then, in {}")
SHORT = 11
"""Words up to which a fact shares a sentence with its neighbour, and takes its chapter behind it."""
THE_BOOK = "the book"


_NESTED = re.compile(r"\b(?:that|which|who|whose|whom|when|as|because|could|would|might)\b")
"""After these a chapter at the end of the sentence would belong to the wrong verb."""


class Writer:
    """Writes the sentences of one text about one person, one after another."""

    def __init__(self, wording: Wording, *, character: str, chapters: int) -> None:
        self.wording = wording
        self._character = character
        self._chapters = chapters
        self._written: list[Sentence] = []
        self._chapter: int | None = None
        self._stayed = False
        self._rivals = False
        self._led = False
        self._subjects: list[str] = []
        self._met: set[str] = set()
        self._leads = 0

    def section(self, points: Sequence[Point], *, heading: str | None = None) -> list[Sentence]:
        """The name opens a section; pronouns follow while it is clear whom they mean."""
        made: list[Sentence] = []
        self._chapter, self._led, self._stayed = None, False, False
        for at, point in enumerate(points):
            last = at == len(points) - 1
            made.append(self._sentence(point, heading if at == 0 else None, opening=at == 0, last=last))
        return made

    def _sentence(self, point: Point, heading: str | None, *, opening: bool, last: bool) -> Sentence:
        clause = self._clause(point, opening=opening)
        lead, trail = self._place(point, last=last)
        text = self._shortened(f"{lead}{clause}{trail}.", point.people)
        self._rivals = any(self.wording.confusable(who) for who in point.people)
        self._written.append(
            Sentence(text[0].upper() + text[1:], point.citations, heading, (self._character,))
        )
        return self._written[-1]

    def _shortened(self, text: str, people: Sequence[str]) -> str:
        """Others have their whole name once, and then the one that the book uses."""
        for who in dict.fromkeys(people):
            if who in self._met and "most often" not in text:
                text = text.replace(self.wording.name_of(who), self.wording.short_of(who))
        self._met.update(people)
        return text

    def _clause(self, point: Point, *, opening: bool) -> str:
        """Where somebody else is the subject, the person keeps the name that the predicate has."""
        if point.subject is None:
            return f"{self._subject(opening=opening)} {point.predicate}"
        self._subjects.append(point.subject)
        named = not self._written or opening or point.subject == THE_BOOK
        if named and point.subject == THE_BOOK and (not self._written or self._rivals or opening):
            wanted = f" {self.wording.possessor} "
            return f"{point.subject} {point.predicate.replace(wanted, f' {self.wording.owned} ', 1)}"
        return f"{point.subject} {point.predicate}"

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

    def _place(self, point: Point, *, last: bool) -> tuple[str, str]:
        """The chapter, in front of the clause or behind it: never in front twice in a row."""
        if point.chapter is None or self._chapters < 2:
            self._led = False
            return "", ""
        before, self._chapter, stayed = self._chapter, point.chapter, self._stayed
        self._stayed = before == point.chapter
        number = f"chapter {point.chapter + 1}"
        if self._stayed:
            self._led = True
            return "" if stayed else "In the same chapter ", ""
        if (
            self._led
            and not _NESTED.search(point.predicate)
            and "," not in point.predicate
            and len(point.predicate.split()) <= 2 * SHORT
        ):
            self._led = False
            return "", f" in {number}"
        self._led = True
        if last and before is not None and point.chapter >= 0.9 * self._chapters:
            return f"Near the end, in {number}, ", ""
        if before is None:
            return f"In {number}, ", ""
        self._leads += 1
        return f"{LEADS[self._leads % len(LEADS)].format(number)}, ", ""


def merged(points: Sequence[Point]) -> list[Point]:
    """Two short things that the same person does in one chapter make one sentence."""
    made: list[Point] = []
    for point in points:
        before = made[-1] if made else None
        if before is not None and _joins(before, point):
            both = f"{before.predicate} and {point.predicate}"
            people = (*before.people, *point.people)
            made[-1] = replace(
                before, predicate=both, people=people, citations=(*before.citations, *point.citations)
            )
        else:
            made.append(point)
    return made


def _joins(one: Point, other: Point) -> bool:
    plain = " and " not in one.predicate + other.predicate and "," not in one.predicate + other.predicate
    short = max(len(one.predicate.split()), len(other.predicate.split())) <= SHORT
    return plain and short and one.chapter == other.chapter and one.subject is other.subject is None
