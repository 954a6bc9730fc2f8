"""A book indexed by sentence: its parse with the character that each word refers to, computed once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property, lru_cache

import numpy as np

from coref.language.parsed_sentence import ParsedSentence
from coref.language.syntax import Parse
from coref.packing import Coded
from coref.traits.word_owners import head_of
from coref.types import Character, Mention, MentionKind, Quote
from generation.story.cast import CastIndex
from generation.types import Citation

_NOTHING = Parse((), (), (), (), (), (), (), ())
_KEPT = 4
"""Books that are kept between calls."""
_REMEMBERED = 4_000
"""Sentences that are kept: enough for a character's events, but not a whole long book."""
LONGEST = 1_000
"""Words of the longest sentence. A longer one is not really a sentence."""


class IndexedBook:
    def __init__(self, cast: CastIndex) -> None:
        self.cast = cast
        self.book = cast.book
        self.annotations = cast.annotations
        self.parse = cast.annotations.parse or _NOTHING
        self._sentences: dict[int, ParsedSentence] = {}

    @property
    def people(self) -> Mapping[str, Character]:
        return self.cast.by_id

    @cached_property
    def meant(self) -> dict[int, Mention]:
        """The mention that each head word stands for, the shortest: "Anna", not "Anna and Tom"."""
        mentions = self.annotations.mentions
        if not mentions or not len(self.parse):
            return {}
        firsts = np.searchsorted(np.asarray(self.parse.ends), [m.span.start for m in mentions], "right")
        lasts = np.searchsorted(np.asarray(self.parse.starts), [m.span.end for m in mentions], "left")
        found: dict[int, Mention] = {}
        for mention, first, last in zip(mentions, firsts.tolist(), lasts.tolist(), strict=True):
            head = first if last - first == 1 else head_of(self.parse, mention.span)
            if first < last and head is not None:
                held = found.get(head)
                if held is None or self._says_more(mention, held):
                    found[head] = mention
        return found

    def _says_more(self, one: Mention, other: Mention) -> bool:
        """Whether a mention is preferred: one that is resolved to a character, then the shorter one."""
        known = (one.character in self.people) - (other.character in self.people)
        return known > 0 or (known == 0 and len(one.span) <= len(other.span))

    def who(self, word: int) -> str | None:
        mention = self.meant.get(word)
        return mention.character if mention is not None and mention.character in self.people else None

    def named(self, word: int) -> bool:
        """Whether the word is, or belongs to, a character's name."""
        mention = self.meant.get(word)
        return mention is not None and mention.kind is MentionKind.PROPER

    def words_with(self, lemmas: Collection[str]) -> list[int]:
        """Return the indexes of the words with any of these lemmas, given in lower case."""
        told = self.parse.lemmas
        if isinstance(told, Coded):
            codes = [code for code, name in enumerate(told.names) if name.casefold() in lemmas]
            column = np.frombuffer(told.codes, np.dtype(told.codes.format))
            return np.flatnonzero(np.isin(column, codes)).tolist()
        return [i for i, lemma in enumerate(told) if lemma.casefold() in lemmas]

    def sentence_number(self, word: int) -> int:
        return bisect_right(self._sentence_starts, word) - 1

    def sentence_of(self, word: int) -> ParsedSentence:
        at = self.sentence_number(word)
        found = self._sentences.get(at)
        if found is None:
            if len(self._sentences) >= _REMEMBERED:
                self._sentences.clear()
            first, end = self.parse.sentences[at]
            found = self._sentences[at] = ParsedSentence(self.book.text, self.parse, first, end)
        return found

    @cached_property
    def _sentence_starts(self) -> list[int]:
        return [first for first, _ in self.parse.sentences]

    def sentences_with(self, lemmas: Collection[str]) -> Iterator[tuple[ParsedSentence, list[int]]]:
        """Yield sentences of reasonable length, each with its words that have those lemmas."""
        held: tuple[ParsedSentence, list[int]] | None = None
        for word in self.words_with(lemmas):
            if held is not None and held[0].holds(word):
                held[1].append(word)
                continue
            if held is not None:
                yield held
            sentence = self.sentence_of(word)
            held = (sentence, [word]) if sentence.end - sentence.first <= LONGEST else None
        if held is not None:
            yield held

    def quote_at(self, offset: int) -> Quote | None:
        """Return the innermost quote that contains an offset."""
        at = bisect_right(self._quote_starts, offset) - 1
        while at >= 0 and self._furthest[at] > offset:
            if self.annotations.quotes[at].span.end > offset:
                return self.annotations.quotes[at]
            at -= 1
        return None

    @cached_property
    def _quote_starts(self) -> list[int]:
        return [q.span.start for q in self.annotations.quotes]

    @cached_property
    def _furthest(self) -> list[int]:
        """For each quote, the furthest end of the quotes up to it."""
        found: list[int] = []
        for quote in self.annotations.quotes:
            found.append(max(quote.span.end, found[-1] if found else 0))
        return found

    def word_at(self, offset: int) -> int:
        return bisect_right(self.parse.starts, offset) - 1

    def cite(self, offset: int) -> Citation:
        return self.cast.sentence_at(offset)


@lru_cache(maxsize=_KEPT)
def reading_of(cast: CastIndex) -> IndexedBook:
    """Return the indexed book. The last few are kept, as with `cast_of`."""
    return IndexedBook(cast)
