"""An index of words and people by sentence, to find the sentences that a claim can be compared with.

A retriever of passages only matches words. This index also knows the referent of every pronoun.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property, lru_cache
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from books.types import Span
from coref.packing import Coded
from coref.types import Quote
from generation.checking.judges import propositions
from generation.checking.judges.propositions import ReadSentence
from generation.checking.judges.word_similarity import KIN, LONGER, RELATED, SAME, likes
from generation.story.cast import CastIndex
from generation.story.sentence_grammar import SentenceGrammar, grammar_of
from generation.story.ties.relation_words import relation_words
from generation.story.types import UNKNOWN
from generation.verbs import stem

Numbers = NDArray[np.int32]
_KEPT = 4
_NONE: Numbers = np.zeros(0, np.int32)


class SentenceIndex:
    def __init__(self, grammar: SentenceGrammar) -> None:
        self._g = grammar
        self._told: dict[int, ReadSentence | None] = {}

    def __len__(self) -> int:
        return len(self._g.parse.sentences)

    def weight(self, word: str) -> float:
        """Return the rarity of a word in the book. A word that does not occur is the rarest."""
        return log((len(self) + 1) / (len(self.places(word)) + 1)) / log(len(self) + 2)

    def places(self, word: str) -> Numbers:
        """Return the sentences that contain a stem."""
        found = self._by_stem.get(word)
        return _NONE if found is None else found

    def told(self, at: int) -> ReadSentence | None:
        """Return a parsed sentence, or None outside the book or if it is too long."""
        if not 0 <= at < len(self):
            return None
        if at not in self._told:
            self._told[at] = self._read(at)
        return self._told[at]

    def span(self, at: int) -> Span:
        first, end = self._g.parse.sentences[at]
        return Span(self._g.parse.starts[first], self._g.parse.ends[end - 1])

    def at(self, offset: int) -> int:
        """Return the index of the sentence that contains an offset."""
        return int(np.searchsorted(self._starts, offset, "right")) - 1

    def chapter(self, at: int) -> int:
        paragraph = self._g.cast.book.paragraph_at(self.span(at).start)
        return paragraph.chapter if paragraph else 0

    def hits(self, word: str) -> NDArray[np.float32]:
        """Return how well each sentence matches a stem, by the stem itself, a synonym or a related word."""
        found = np.zeros(len(self), np.float32)
        for other in self._relatives.get(word[:KIN], ()) if len(word) >= KIN else ():
            if abs(len(other) - len(word)) <= LONGER:
                found[self.places(other)] = RELATED
        for other in likes(word):
            found[self.places(other)] = SAME
        found[self.places(word)] = 1.0
        return found

    def presence(self, person: str | None) -> NDArray[np.float32]:
        """Return 1 for each sentence where somebody is mentioned, speaks or is spoken to."""
        found = np.zeros(len(self), np.float32)
        found[self._by_person.get(person or "", _NONE)] = 1.0
        return found

    def people(self, at: int) -> Collection[str]:
        """Return the people in a sentence."""
        return self._people.get(at, ())

    def together(self, one: str, other: str) -> list[int]:
        """Return the sentences that mention one person, with the other in them or in an adjacent one."""
        near = self._by_person.get(other, _NONE)
        around = np.concatenate((near, near - 1, near + 1))
        return [int(at) for at in np.intersect1d(self._by_person.get(one, _NONE), around)]

    def relational(self, at: int) -> bool:
        """Whether a sentence contains a word for a relation between people."""
        return at in self._relational

    def _read(self, at: int) -> ReadSentence | None:
        read = self._g.sentence(self._g.parse.sentences[at][0])
        if read is None:
            return None
        known = self._g.cast.by_id
        who = {h: str(m.character) for h, m in read.mentions.items() if m.character in known}
        span = self.span(at)
        quote = self._quote_at(span)
        speaker = None if quote is None else (quote.speaker if quote.speaker in known else UNKNOWN)
        heard = {quote.speaker, quote.addressee} & known.keys() if quote else set()
        return propositions.read(
            read.words, who, read.moods, span=span, chapter=self.chapter(at), speaker=speaker,
            also=frozenset(str(p) for p in heard),
        )  # fmt: skip

    def _quote_at(self, span: Span) -> Quote | None:
        return next(iter(self._g.cast.quotes_in(span)), None)

    @cached_property
    def _starts(self) -> Numbers:
        starts = np.asarray(self._g.parse.starts)
        return starts[np.asarray([first for first, _ in self._g.parse.sentences], np.int64)]

    @cached_property
    def _of_word(self) -> Numbers:
        lengths = [end - first for first, end in self._g.parse.sentences]
        return np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)

    @cached_property
    def _by_stem(self) -> Mapping[str, Numbers]:
        codes, names = _coded(self._g.parse.lemmas)
        order = np.argsort(codes, kind="stable")
        bounds = np.searchsorted(codes[order], np.arange(len(names) + 1))
        by_stem: dict[str, list[Numbers]] = {}
        for code, name in enumerate(names):
            places = self._of_word[order[bounds[code] : bounds[code + 1]]]
            by_stem.setdefault(stem(propositions.number(name.casefold())), []).append(places)
        return {word: np.unique(np.concatenate(found)) for word, found in by_stem.items()}

    @cached_property
    def _relational(self) -> frozenset[int]:
        return frozenset(at for word in relation_words() for at in self.places(stem(word)).tolist())

    @cached_property
    def _relatives(self) -> Mapping[str, list[str]]:
        """Stems by their beginning."""
        found: dict[str, list[str]] = {}
        for word in self._by_stem:
            if len(word) >= KIN:
                found.setdefault(word[:KIN], []).append(word)
        return found

    @cached_property
    def _by_person(self) -> Mapping[str, Numbers]:
        cast = self._g.cast
        seen: dict[str, list[int]] = {}
        known = [m for m in cast.annotations.mentions if m.character in cast.by_id]
        places = np.searchsorted(self._starts, [m.span.start for m in known], "right") - 1
        for mention, at in zip(known, places.tolist(), strict=True):
            seen.setdefault(str(mention.character), []).append(at)
        for quote in cast.annotations.quotes:
            first, last = self.at(quote.span.start), self.at(quote.span.end - 1)
            for who in {quote.speaker, quote.addressee} & cast.by_id.keys():
                seen.setdefault(str(who), []).extend(range(max(0, first), last + 1))
        return {who: np.unique(np.asarray(found, np.int32)) for who, found in seen.items()}

    @cached_property
    def _people(self) -> Mapping[int, list[str]]:
        found: dict[int, list[str]] = {}
        for who, places in self._by_person.items():
            for at in places.tolist():
                found.setdefault(at, []).append(who)
        return found


def _coded(lemmas: Any) -> tuple[NDArray[Any], list[str]]:
    if isinstance(lemmas, Coded):
        return np.frombuffer(lemmas.codes, np.dtype(lemmas.codes.format)), list(lemmas.names)
    names = sorted(set(lemmas))
    at = {name: code for code, name in enumerate(names)}
    return np.fromiter((at[name] for name in lemmas), np.int32, len(lemmas)), names


def concordance_of(cast: CastIndex) -> SentenceIndex | None:
    """Return the index of a book, or None if it has no parse. The last few are kept."""
    return _concordance(cast)


@lru_cache(maxsize=_KEPT)
def _concordance(cast: CastIndex) -> SentenceIndex | None:
    grammar = grammar_of(cast)
    return None if grammar is None or not len(grammar.parse) else SentenceIndex(grammar)
