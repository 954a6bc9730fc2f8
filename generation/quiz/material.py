"""What the questions about a book are made of: what happens in its scenes, and what does not."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, zip_longest
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from books.types import Book, Span, count_words
from coref.types import Annotations, Character, MentionKind
from generation.quiz.renaming import Renaming, between, is_another, taking_part
from generation.quiz.scenes import scenes
from generation.quiz.types import Choice, Happening, StoryScene, WhyWrong
from generation.story.cast import CastIndex, cast_of
from generation.story.named_people import Names
from generation.types import AnswerLanguage
from generation.writing.offline.story import told
from retrieval.tokenizer import terms
from retrieval.types import EventSentence

_NAME: Final = re.compile(r"\b[A-Z][\w'’-]+")
_STRANGE: Final = 1
"""Words of a sentence from another book that this one may not have; none of them a name."""
_MAIN: Final = 12
"""Number of people, those mentioned most, who may stand for another."""
_BY_NAME: Final = 0.1
"""Share of names among somebody's names and descriptions from which they go by a name."""
_SPOKEN: Final = 0.5
"""Share of a sentence in quotes from which it is talk, which tells too little out of its place."""
_BEST: Final = 2 / 3
"""Share of the scenes that are asked about: those of which a sentence tells most."""


@dataclass(frozen=True)
class BookSoFar:
    """A book as far as it is read, with what happens in its scenes."""

    book: Book
    annotations: Annotations
    happenings: tuple[Happening, ...]

    @property
    def end(self) -> int:
        """The offset up to which the book is read."""
        return self.book.chapters[-1].span.end if self.book.chapters else 0

    @cached_property
    def cast(self) -> CastIndex:
        return cast_of(self.book, self.annotations)

    @cached_property
    def words(self) -> frozenset[str]:
        """The terms of the book so far."""
        return frozenset(terms(self.book.slice(Span(0, self.end))))

    @cached_property
    def stand_ins(self) -> tuple[Character, ...]:
        """Those who may stand for others: they take part, and do not go by a description, as “the King”."""
        uses = Counter((mention.character, mention.kind) for mention in self.annotations.mentions)

        def by_name(person: Character) -> bool:
            named, described = (uses[person.id, kind] for kind in (MentionKind.PROPER, MentionKind.NOMINAL))
            return named >= _BY_NAME * (named + described)

        return tuple(person for person in taking_part(self.annotations.characters) if by_name(person))

    def words_since(self, offset: int) -> int:
        """Return how many words have been read since a place, in the paragraphs that begin there or later."""
        starts, total = self._word_counts
        return int(total[-1] - total[np.searchsorted(starts, offset)])

    @cached_property
    def _word_counts(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        paragraphs = self.book.paragraphs
        counts = [count_words(self.book.slice(p.span)) for p in paragraphs]
        return np.array([p.span.start for p in paragraphs]), np.concatenate(([0], np.cumsum(counts)))


def quoted_happenings(
    book: Book, annotations: Annotations, events: Sequence[EventSentence], *, least: int = 0
) -> tuple[Happening, ...]:
    """Return what happens in most scenes: of each the sentence that tells most, if it names somebody.

    While these are fewer than `least`, scenes lend their next ones: first all that tell as much.
    """
    cast = cast_of(book, annotations)
    narrated = [event for event in events if cast.spoken_share(event.span) < _SPOKEN]
    language = AnswerLanguage.of(book)

    def made(row: Iterable[tuple[StoryScene, EventSentence] | None]) -> Iterator[Happening]:
        for scene, event in filter(None, row):
            said = told(event.span, scene.chapter, cast, language).text
            found = replace(happening(said, event.span, scene, cast.names), telling=event.score)
            if found.people:
                yield found

    first, *more = [*zip_longest(*(_best_first(scene, narrated) for scene in scenes(book)))] or [()]
    firsts = sorted({each.place: each for each in made(first)}.values(), key=lambda each: -each.telling)
    best = firsts[: math.ceil(_BEST * len(firsts))]
    kept = {each.place: each for each in best}
    lent = [*chain.from_iterable(map(made, more))] if len(kept) < least else []
    enough = min((each.telling for each in best), default=0.0)
    lent.sort(key=lambda each: each.telling < enough)
    for each in (*lent, *firsts):
        if len(kept) >= least:
            break
        kept.setdefault(each.place, each)
    return tuple(sorted(kept.values(), key=lambda each: each.place))


def _best_first(scene: StoryScene, events: Iterable[EventSentence]) -> list[tuple[StoryScene, EventSentence]]:
    inside = [event for event in events if scene.span.covers(event.span)]
    return [(scene, event) for event in sorted(inside, key=lambda event: -event.score)]


def happening(text: str, place: Span, scene: StoryScene, names: Names) -> Happening:
    """Return what happens in a scene, with the people whom the text names."""
    people = dict.fromkeys(named.character for named in names.find(text))
    return Happening(text, place, scene, tuple(people))


def of_others(
    reading: BookSoFar, happenings: Iterable[Happening], people: Sequence[Character]
) -> Iterator[Choice]:
    """Yield what happens in another book, to the people of this one, if its words might be this one's."""
    renaming = between(people, reading.stand_ins, reading.cast.names)
    for each in happenings:
        renamed = renaming.of(each.text) if each.people else None
        if renamed is not None and _fits(renamed, reading.words):
            yield Choice(renamed, WhyWrong.OTHER_BOOK, each)


def with_others(reading: BookSoFar, true: Happening, rng: Random) -> Iterator[Choice]:
    """Yield what happens with somebody else in it, who is not in that scene: each time another person."""
    people = {p.id: p for p in reading.annotations.characters}
    found = reading.cast.names.find(true.text)
    named = tuple(dict.fromkeys(each.character for each in found))
    there = {s.character for s in reading.cast.standing_in(true.scene.span)} | set(named)
    there |= {m.character for m in reading.cast.mentions_in(true.scene.span) if m.character is not None}
    main = [p for p in reading.stand_ins[:_MAIN] if p.id not in there]
    forms = Counter(who for who, _ in {(each.character, each.span.of(true.text)) for each in found})
    # “Ann met Miss Lomax” may be of two people after all, and would be “Kitty met Kitty Dark”.
    parts = _in_longer_names(reading, true)
    changeable = [who for who in named if forms[who] == 1 and who not in parts]
    pairs = [(who, p) for who in changeable for p in main if _may_stand_for(p, people[who])]
    for who, other in rng.sample(pairs, len(pairs)):
        kept = {each for each in named if each != who}
        changed = Renaming(reading.cast.names, reading.cast.names, {who: other}, kept=kept).of(true.text)
        if changed is not None and changed != true.text:
            yield Choice(changed, WhyWrong.PEOPLE, true)


def _in_longer_names(reading: BookSoFar, true: Happening) -> set[str | None]:
    """Return those of whose names one is a part of a longer one that is not theirs: “Rupert of Hentzau”."""
    names = [m for m in reading.cast.mentions_in(true.place) if m.kind is MentionKind.PROPER]
    return {
        one.character
        for one in names
        for whole in names
        if one.character != whole.character and whole.span.covers(one.span) and whole.span.end > one.span.end
    }


def _may_stand_for(other: Character, person: Character) -> bool:
    same = other.kind is person.kind and other.pronouns == person.pronouns
    return bool(person.pronouns) and same and is_another(other, person)


def _fits(text: str, words: Collection[str]) -> bool:
    names = {term for name in _NAME.findall(text) for term in terms(name)}
    strange = {term for term in terms(text) if term not in words}
    return len(strange) <= _STRANGE and not strange & names
