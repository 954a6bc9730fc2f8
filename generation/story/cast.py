"""Index of a book's characters and their mentions, sorted once to find those of any span quickly."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from books.types import Book, ParagraphKind, Span
from coref.census import NARRATOR
from coref.doubtful_people import DoubtfulPerson, capped, doubtful_people
from coref.language.word_lists import plain
from coref.types import Alias, Annotations, Character, Mention, MentionKind, Quote
from generation.story.named_people import Names
from generation.types import Citation
from retrieval import sentences

_FIRST = re.compile(r"\b(?:I|me|my|myself)\b")
_KEPT = 4
"""Books whose cast is kept between calls."""


@dataclass(frozen=True, slots=True)
class StandingMention:
    """A position of a character: a name or a pronoun."""

    span: Span
    character: str
    pronoun: bool
    confidence: float = 1.0


class CastIndex:
    def __init__(self, book: Book, annotations: Annotations) -> None:
        self.book = book
        self.doubtful: Mapping[str, DoubtfulPerson] = doubtful_people(annotations)
        self.annotations = capped(annotations, self.doubtful)

    @cached_property
    def by_id(self) -> dict[str, Character]:
        return {c.id: c for c in self.annotations.characters}

    @cached_property
    def names(self) -> Names:
        return Names(self.annotations.characters)

    @cached_property
    def names_in_questions(self) -> Names:
        """Also what the book calls somebody in small letters, as “the old man”, and “the narrator”."""
        narrator = self.annotations.narrator
        return Names(self.annotations.characters, described=True, narrator=narrator)

    @cached_property
    def mentions(self) -> list[Mention]:
        """Names and resolved pronouns in order. Of nested ones the widest name is kept."""
        kept: list[Mention] = []
        for mention in self.annotations.mentions:
            if mention.kind is MentionKind.NOMINAL or mention.character not in self.by_id:
                continue
            if not kept or kept[-1].span.end <= mention.span.start:
                kept.append(mention)
        return kept

    def mentions_in(self, span: Span) -> Sequence[Mention]:
        """Return all mentions that begin in a span, by names, pronouns or descriptions."""
        every = self.annotations.mentions
        low, high = (bisect_left(every, at, key=lambda m: m.span.start) for at in (span.start, span.end))
        return every[low:high]

    @cached_property
    def standings(self) -> list[StandingMention]:
        return [
            StandingMention(m.span, m.character, m.kind is MentionKind.PRONOUN, m.confidence)
            for m in self.mentions
            if m.character is not None
        ]

    @cached_property
    def _labels(self) -> dict[tuple[str, MentionKind], list[tuple[int, str]]]:
        """What the book calls each character, with the offsets."""
        found: dict[tuple[str, MentionKind], list[tuple[int, str]]] = {}
        for mention in self.annotations.mentions:
            if mention.character is not None:
                label = (mention.span.start, plain(mention.span.of(self.book.text)))
                found.setdefault((mention.character, mention.kind), []).append(label)
        return found

    def as_of(self, character: Character, offset: int) -> Character | None:
        """Return a character with the names used before an offset, the most used first; None if it has none.

        They are the same behind every spoiler gate, while a display name may change when the gate moves.
        """
        used = self._used(character, MentionKind.PROPER, offset)
        names = list(used)
        if names and any(a.text == character.name and not a.count for a in character.aliases):
            names.insert(0, character.name)  # a reader has chosen it
        names = names or list(self._used(character, MentionKind.NOMINAL, offset))[:1]
        if not names and character.id == self.annotations.narrator:
            names = [NARRATOR]
        if not names:
            return None
        aliases = tuple(Alias(name, used[name], character.first) for name in names)
        return replace(character, name=names[0], aliases=aliases, mention_count=used.total())

    def _used(self, character: Character, kind: MentionKind, offset: int) -> Counter[str]:
        labels = self._labels.get((character.id, kind), [])
        before = bisect_left(labels, offset, key=lambda label: label[0])
        return Counter(dict(Counter(label for _, label in labels[:before]).most_common()))

    @cached_property
    def _starts(self) -> list[int]:
        return [s.span.start for s in self.standings]

    @cached_property
    def _quote_ends(self) -> list[int]:
        return [q.span.end for q in self.annotations.quotes]

    @cached_property
    def _paragraph_starts(self) -> list[int]:
        return [p.span.start for p in self.book.paragraphs]

    @cached_property
    def _paragraphs_by_character(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for mention in self.mentions:
            at = bisect_right(self._paragraph_starts, mention.span.start) - 1
            if at < 0 or self.book.paragraphs[at].kind is ParagraphKind.HEADING or mention.character is None:
                continue
            mine = found.setdefault(mention.character, [])
            if not mine or mine[-1] != at:
                mine.append(at)
        return found

    def paragraphs_of(self, character: str) -> list[int]:
        """Return the positions of the paragraphs that mention a character, without headings."""
        return self._paragraphs_by_character.get(character, [])

    def sentence_at(self, offset: int) -> Citation:
        """Return the sentence of the book that contains an offset."""
        paragraph = self.book.paragraph_at(offset)
        if paragraph is None:
            return Citation(Span(offset, offset + 1), 0)
        found = (s for s in sentences.split(self.book.text, paragraph.span) if s.end > offset)
        sentence = next(found, paragraph.span)
        if paragraph.kind is ParagraphKind.SPEECH and self._is_label(sentence):
            # A speaker's name alone is no evidence without the words that follow.
            sentence = Span(sentence.start, next(found, sentence).end)
        return Citation(sentence, paragraph.chapter)

    def _is_label(self, span: Span) -> bool:
        speeches = self.book.play.speeches if self.book.play else ()
        at = bisect_right(speeches, span.start, key=lambda speech: speech.label.start) - 1
        return at >= 0 and speeches[at].label.covers(span)

    def quotes_in(self, span: Span) -> list[Quote]:
        found: list[Quote] = []
        for at in range(bisect_right(self._quote_ends, span.start), len(self.annotations.quotes)):
            quote = self.annotations.quotes[at]
            if quote.span.start >= span.end:
                break
            found.append(quote)
        return found

    def spoken_share(self, span: Span) -> float:
        """Return what share of a span is in quotes."""
        inside = (min(q.span.end, span.end) - max(q.span.start, span.start) for q in self.quotes_in(span))
        return sum(inside) / max(1, len(span))

    def standing_in(self, span: Span) -> list[StandingMention]:
        """Return the characters in a span: mentions, and "I" where the speaker or the narrator is known."""
        low, high = bisect_left(self._starts, span.start), bisect_left(self._starts, span.end)
        named = [s for s in self.standings[low:high] if s.span.end <= span.end]
        taken = {n.span.start for n in named}
        extra = [s for s in self._first_person(span) if s.span.start not in taken]
        return sorted(named + extra, key=lambda s: s.span) if extra else named

    def _first_person(self, span: Span) -> Iterator[StandingMention]:
        quotes: Sequence[Quote] | None = None
        for match in _FIRST.finditer(self.book.text, span.start, span.end):
            quotes = self.quotes_in(span) if quotes is None else quotes
            here = Span(match.start(), match.end())
            quote = next((q for q in quotes if q.span.covers(here)), None)
            who = quote.speaker if quote else self.annotations.narrator
            if who is not None and who in self.by_id:
                yield StandingMention(here, who, True, quote.confidence if quote else 1.0)


class _Same:
    """A cache key that is equal only to itself, so that whole books are never compared."""

    __slots__ = ("annotations", "book")

    def __init__(self, book: Book, annotations: Annotations) -> None:
        self.book = book
        self.annotations = annotations

    def __hash__(self) -> int:
        return hash((id(self.book), id(self.annotations)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.book is other.book and self.annotations is other.annotations


def cast_of(book: Book, annotations: Annotations) -> CastIndex:
    """Return the cast of a book. The last few are kept, since writer, claims and evidence all need it."""
    return _cast(_Same(book, annotations))


@lru_cache(maxsize=_KEPT)
def _cast(same: _Same) -> CastIndex:
    return CastIndex(same.book, same.annotations)
