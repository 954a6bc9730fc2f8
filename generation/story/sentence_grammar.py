"""The grammar of single sentences with their mentions, computed on demand."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

from coref.language.factuality import Moods
from coref.language.parsed_sentence import ParsedSentence
from coref.language.syntax import Parse
from coref.traits.word_owners import SpokenStretches, head_of
from coref.types import CharacterKind, Mention
from generation.story.cast import CastIndex

LONGEST = 120
"""Words of the longest sentence that is used."""
_AROUND = 400
"""How many characters before a sentence a mention that reaches into it may begin."""
_KEPT: WeakKeyDictionary[CastIndex, SentenceGrammar] = WeakKeyDictionary()


def grammar_of(cast: CastIndex) -> SentenceGrammar | None:
    """Return the grammar of a book, kept as long as its cast, or None if the book has no parse."""
    parse = cast.annotations.parse
    if parse is None:
        return None
    found = _KEPT.get(cast)
    if found is None:
        found = _KEPT[cast] = SentenceGrammar(cast, parse)
    return found


@dataclass(frozen=True, slots=True)
class GrammaticalSentence:
    """A sentence, its mentions by head word, and the mood of its predicates."""

    words: ParsedSentence
    mentions: dict[int, Mention]
    moods: Moods


class SentenceGrammar:
    def __init__(self, cast: CastIndex, parse: Parse) -> None:
        self.cast = cast
        self.parse = parse
        self._read: dict[int, GrammaticalSentence | None] = {}

    def form(self, i: int) -> str:
        """Return the word as it is written, without emphasis marks."""
        return self.cast.book.text[self.parse.starts[i] : self.parse.ends[i]].strip("_*")

    def sentence(self, i: int) -> GrammaticalSentence | None:
        """Return the sentence of a word, or None if it is too long."""
        at = bisect_right(self.parse.sentences, i, key=lambda s: s[0]) - 1
        if at not in self._read:
            first, end = self.parse.sentences[at]
            self._read[at] = self._make(first, end) if end - first <= LONGEST else None
        return self._read[at]

    def quoted(self, i: int) -> bool:
        return self._speech.at(self.parse.starts[i])

    def pronouns(self, character: str) -> str | None:
        found = self.cast.by_id.get(character)
        return found.pronouns if found else None

    def many(self, character: str) -> bool:
        found = self.cast.by_id.get(character)
        return found is not None and found.kind is CharacterKind.GROUP

    def doubt(self, mention: Mention) -> float:
        return 1 - mention.confidence

    @cached_property
    def _speech(self) -> SpokenStretches:
        return SpokenStretches(self.cast.annotations.quotes)

    @cached_property
    def _starts(self) -> list[int]:
        return [m.span.start for m in self.cast.annotations.mentions]

    def _make(self, first: int, end: int) -> GrammaticalSentence:
        words = ParsedSentence(self.cast.book.text, self.parse, first, end)
        mentions: dict[int, Mention] = {}
        for mention in sorted(self._mentions(first, end), key=lambda m: -len(m.span)):
            head = head_of(self.parse, mention.span)
            if head is not None and (mention.character is not None or head not in mentions):
                mentions[head] = mention
        return GrammaticalSentence(words, mentions, Moods(words, self._speech.at))

    def _mentions(self, first: int, end: int) -> Iterator[Mention]:
        start, stop = self.parse.starts[first], self.parse.ends[end - 1]
        low = bisect_left(self._starts, start - _AROUND)
        for at in range(low, bisect_left(self._starts, stop)):
            mention = self.cast.annotations.mentions[at]
            if mention.span.end > start and mention.span.start >= start:
                yield mention
