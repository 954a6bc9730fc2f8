"""Count with whom a character appears, where in the book they are, how much they speak and to whom."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter, defaultdict
from functools import cached_property

from books.types import Chapter
from coref.types import MentionKind
from generation.lexicon import words
from generation.story.indexed_book import IndexedBook
from generation.story.types import Company, SpeechCounts, StoryPresence

_MOST = 12
_TOGETHER, _SPOKEN = 1.0, 1.5
_WORDS = 12
"""Distinctive words that are listed."""
_SEEN = 4
"""Times that somebody must say a word."""
_TELLING = 2.0
_EXPECTED = 10.0
_CONTENT = frozenset(("NOUN", "VERB", "ADJ", "INTJ"))


class CompanyCounts:
    """Counts of company, presence and speech in one book."""

    def __init__(self, reading: IndexedBook) -> None:
        self._r = reading

    def company(self, character: str) -> tuple[Company, ...]:
        """Return the companions of a character, closest first."""
        made = (self.between(character, other) for other in self._r.people if other != character)
        return tuple(sorted((c for c in made if c.weight), key=lambda c: (-c.weight, c.other)))[:_MOST]

    def between(self, one: str, other: str) -> Company:
        """Return how two people appear together; the weight is 0 if they never do."""
        both = self._paragraphs[one] & self._paragraphs[other]
        said = self._said_in.get(frozenset((one, other)), [])
        met_in = {self._r.book.paragraphs[at].chapter for at in both} | {c.index for c in said if c}
        weight = _TOGETHER * len(both) + _SPOKEN * len(said)
        return Company(one, other, len(both), len(said), weight, tuple(sorted(met_in)))

    def presence(self, character: str) -> StoryPresence:
        counted = self._by_chapter.get(character, Counter())
        chapters = tuple(sorted(counted))
        whole = len(self._r.book.chapters)
        mentions = self._mentions.get(character, [])
        first = self._named.get(character, self._r.people[character].first)
        last = mentions[-1] if mentions else first
        rank = 1 + next(i for i, c in enumerate(self._r.annotations.characters) if c.id == character)
        return StoryPresence(
            chapters,
            tuple(counted[c] for c in chapters),
            self._r.cite(first),
            self._r.cite(last),
            round(len(chapters) / whole, 3) if whole else 0.0,
            rank,
        )

    def speech(self, character: str) -> SpeechCounts:
        quotes = [q for q in self._r.annotations.quotes if q.speaker == character]
        heard = Counter(q.addressee for q in quotes if q.addressee in self._r.people)
        size = sum(self._length(q.span.start, q.span.end) for q in quotes)
        longest = max(quotes, key=lambda q: (len(q.span), -q.span.start), default=None)
        return SpeechCounts(
            quotes=len(quotes),
            words=size,
            share=round(size / self._all_spoken, 4) if self._all_spoken else 0.0,
            listeners=tuple((who, n) for who, n in heard.most_common() if who is not None),
            words_of_theirs=self._words_of(character),
            longest=self._r.cite(longest.span.start) if longest is not None else None,
        )

    @cached_property
    def _paragraphs(self) -> dict[str, set[int]]:
        return {who: set(self._r.cast.paragraphs_of(who)) for who in self._r.people}

    @cached_property
    def _said_in(self) -> dict[frozenset[str | None], list[Chapter | None]]:
        """For each quote that one of two people addresses to the other, the chapter where it begins."""
        found: dict[frozenset[str | None], list[Chapter | None]] = defaultdict(list)
        for quote in self._r.annotations.quotes:
            found[frozenset((quote.speaker, quote.addressee))].append(
                self._r.book.chapter_at(quote.span.start)
            )
        return found

    @cached_property
    def _mentions(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for m in self._r.annotations.mentions:
            if m.character is not None:
                found[m.character].append(m.span.start)
        return found

    @cached_property
    def _named(self) -> dict[str, int]:
        """Offset of each character's first mention by name."""
        found: dict[str, int] = {}
        for m in self._r.annotations.mentions:
            if m.character is not None and m.kind is MentionKind.PROPER:
                found.setdefault(m.character, m.span.start)
        return found

    @cached_property
    def _by_chapter(self) -> dict[str, Counter[int]]:
        starts = [c.span.start for c in self._r.book.chapters]
        return {
            who: Counter(max(0, bisect_right(starts, at) - 1) for at in places)
            for who, places in self._mentions.items()
        }

    def _length(self, start: int, end: int) -> int:
        return self._r.word_at(end - 1) - self._r.word_at(start) if len(self._r.parse) else 0

    @cached_property
    def _all_spoken(self) -> int:
        return sum(self._length(q.span.start, q.span.end) for q in self._r.annotations.quotes)

    @cached_property
    def _vocabularies(self) -> dict[str, Counter[str]]:
        """Lemmas of the content words that each character says."""
        parse, found = self._r.parse, defaultdict[str, Counter[str]](Counter)
        for quote in self._r.annotations.quotes if len(parse) else ():
            if quote.speaker is None:
                continue
            first, last = self._r.word_at(quote.span.start), self._r.word_at(quote.span.end - 1) + 1
            tags, lemmas = parse.tags[first:last], parse.lemmas[first:last]
            told = (w for w, tag in zip(lemmas, tags, strict=True) if tag in _CONTENT and len(w) > 2)
            found[quote.speaker].update(w.casefold() for w in told)
        return found

    @cached_property
    def _all_vocabulary(self) -> Counter[str]:
        return sum(self._vocabularies.values(), Counter())

    def _words_of(self, character: str) -> tuple[str, ...]:
        """Return the distinctive words of a character by log-odds against the other speakers."""
        mine, every = self._vocabularies.get(character, Counter()), self._all_vocabulary
        size, whole = mine.total(), every.total()
        scored = []
        for word, n in mine.items():
            if n < _SEEN or word in words("light_words") or not word.isalpha():
                continue
            expected = _EXPECTED * every[word] / whole
            rest = every[word] - n + expected
            odds = math.log((n + expected) / (size + _EXPECTED)) - math.log(rest / (whole - size + _EXPECTED))
            weight = odds / math.sqrt(1 / (n + expected) + 1 / rest)
            if weight >= _TELLING:
                scored.append((-weight, word))
        return tuple(word for _, word in sorted(scored)[:_WORDS])
