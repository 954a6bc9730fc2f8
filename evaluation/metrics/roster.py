"""Find the people named in a text about a book, by any name in the book or by a part of it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from books.types import Span
from coref.language.word_lists import table
from coref.names.titles import PRONOUNS_OF_GENDER
from coref.types import Character
from retrieval.tokenizer import has_han

_WORD = re.compile(r"[^\W_]+(?:[-'’](?!s\b)[^\W_]+)*")
_BEFORE = re.compile(r"(?:^|[.!?…:;\n])[\s“‘\"'(\[—_*#-]*$")
_AROUND = 8
"""Characters before a word that are searched for the end of another sentence."""
_ARTICLES = frozenset(("the", "a", "an"))
Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RosterName:
    """A name at this place. It stands for several people where the book has one name for them."""

    span: Span
    characters: frozenset[str]
    sure: bool
    """False for a single word that opens a sentence, and may be no name at all: Will, Hope."""


@dataclass(frozen=True, slots=True)
class _Word:
    span: Span
    low: str
    large: bool
    goes_on: bool
    """Whether only a space precedes it, or the full stop of a title or an initial."""


class Roster:
    def __init__(self, characters: Sequence[Character]) -> None:
        self._names: defaultdict[Key, set[str]] = defaultdict(set)
        self._bare: defaultdict[Key, set[str]] = defaultdict(set)
        """Without titles: Bennet can be Mr. Bennet or Mrs. Bennet."""
        self._phrases: dict[Key, str] = {}
        """People without a name: `the lamplighter`."""
        self._chinese: defaultdict[str, set[str]] = defaultdict(set)
        self._words: defaultdict[str, set[str]] = defaultdict(set)
        self._pronouns = {c.id: c.pronouns for c in characters}
        for character in characters:
            self._add(character)
        every = (self._names, self._bare, self._phrases)
        self._longest = max((len(key) for keys in every for key in keys), default=0)

    def _add(self, character: Character) -> None:
        for name in {character.name, *(alias.text for alias in character.aliases)}:
            key = tuple(word.low for word in _words(name))
            if has_han(name):
                self._chinese[_simple(name)].add(character.id)
            elif key and name[:1].isupper():
                self._names[_full(key)].add(character.id)
                self._bare[bare(key)].add(character.id)
                self._words[character.id].update(key)
            elif key and name == character.name:
                self._phrases.setdefault(key, character.id)
        self._bare.pop((), None)

    def find(self, text: str) -> list[RosterName]:
        """Return the names in order, without overlap."""
        if has_han(text):
            return sorted(self._find_chinese(text), key=lambda naming: naming.span)
        return list(self._find(text, _words(text)))

    def _find(self, text: str, words: Sequence[_Word]) -> Iterator[RosterName]:
        at = 0
        while at < len(words):
            found = self._at(words, at)
            if found is None:
                at += 1
                continue
            end, owners = found
            start = words[at].span.start
            alone = end == at + 1 and _BEFORE.search(text[max(0, start - _AROUND) : start]) is not None
            yield RosterName(Span(start, words[end - 1].span.end), owners, not alone)
            at = end

    def _at(self, words: Sequence[_Word], at: int) -> tuple[int, frozenset[str]] | None:
        """Return the longest name that begins here, with what follows of a longer one (Bess, Bess Farrow)."""
        last = at + 1
        while last < min(len(words), at + self._longest) and words[last].goes_on:
            last += 1
        before = (words[at - 1].low,) if at and words[at].goes_on else ()
        for end in range(last, at, -1):
            key = tuple(word.low for word in words[at:end])
            if key in self._phrases:
                return end, frozenset((self._phrases[key],))
            if words[at].large and not {key[0], key[-1]} & _ARTICLES:
                owners = self._owners(key, before)
                if owners:
                    return self._end(words, end, owners), frozenset(owners)
        return None

    def _end(self, words: Sequence[_Word], end: int, owners: set[str]) -> int:
        known = set().union(*(self._words[owner] for owner in owners))
        while end < len(words) and words[end].goes_on and words[end].large and words[end].low in known:
            end += 1
        return end

    def _owners(self, key: Key, before: Key) -> set[str]:
        """Return the owners of a name whose sex no title rules out.

        The title precedes the name or, if the book does not have the name like that, is part of it.
        """
        found = self._names.get(key)
        genders = {_titles().get(word) for word in (before if found else (*before, *key))}
        wanted = {PRONOUNS_OF_GENDER[gender] for gender in ("she", "he") if gender in genders}
        named = found or self._bare.get(bare(key), set())
        return {who for who in named if not wanted or self._pronouns[who] in (None, *wanted)}

    def _find_chinese(self, text: str) -> Iterator[RosterName]:
        """Yield Chinese names; no space marks their ends, so longer ones are tried first."""
        simple, taken = _simple(text), bytearray(len(text))
        for name in sorted(self._chinese, key=lambda name: (-len(name), name)):
            at = simple.find(name)
            while at >= 0:
                end = at + len(name)
                if not any(taken[at:end]):
                    taken[at:end] = b"\1" * len(name)
                    yield RosterName(Span(at, end), frozenset(self._chinese[name]), True)
                at = simple.find(name, end)


def bare(key: Key) -> Key:
    """Return a name's words without titles and articles."""
    return tuple(word for word in key if word not in _titles() and word not in _ARTICLES)


def name_words(text: str) -> Key:
    return tuple(word.low for word in _words(text))


def _full(key: Key) -> Key:
    return key[1:] if key[0] in _ARTICLES and len(key) > 1 else key


def _words(text: str) -> list[_Word]:
    found: list[_Word] = []
    done = 0
    for match in _WORD.finditer(text):
        low = match[0].replace("’", "'").casefold()
        before = text[done : match.start()]
        shortened = bool(found) and (found[-1].low in _titles() or len(found[-1].low) == 1)
        goes_on = before.isspace() or (shortened and before[:1] == "." and not before[1:].strip())
        found.append(_Word(Span(*match.span()), low, match[0][0].isupper(), goes_on))
        done = match.end()
    return found


@cache
def _titles() -> dict[str, str]:
    return {title.casefold(): gender for title, gender in table("titles").items()}


def _simple(text: str) -> str:
    from coref.chinese.lexicon import simplify

    return simplify(text)
