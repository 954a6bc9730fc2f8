"""Decides which word of a name is the given name and which the surname, from the book's own usage."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from coref.language.word_lists import table, words
from coref.names.name_uses import ProperName
from coref.names.titles import gender_of_given_name

_BY_CHANCE, _ON_EVERY_PAGE = 3, 10
"""Two words that co-occur this seldom are no name if the last is a given name used this much more often."""
_SELDOM_WHOLE = 5
"""A given name in full names is one after `Mlle.` too, unless it occurs there this much more often."""
_STEM = 3
"""Number of letters that Bill and Billy share."""
_MISTER = frozenset(("Mr", "Mister", "Mester", "Maister", "Mas'r", "Massa", "Marse"))
_BEFORE_GIVEN = frozenset(("Mlle", "Mademoiselle", "Madame", "Monsieur", "Signor", "Signora", "Signorina"))


@dataclass(frozen=True, slots=True)
class ParsedName:
    """A name with its words in their roles."""

    name: ProperName
    given: str | None
    surname: str | None
    gender: str | None


def full_names_of(given: str) -> frozenset[str]:
    """Return what a given name may be short for, including itself. Winnie-the-Pooh is Pooh too."""
    whole, article, last = given.partition("-the-")
    return frozenset(
        (given, *table("nicknames").get(given, "").split(), *([last] if article and whole else ()))
    )


def same_given(one: str, other: str) -> bool:
    """Return whether two given names match.

    They do if they are equal, if one is short for the other, if both are short forms with the same beginning,
    or if one is the other's initial.
    """
    full = full_names_of(one), full_names_of(other)
    if one.endswith(".") or other.endswith("."):
        return any(a[0] == b[0] for a in full[0] for b in full[1])
    if one in full[1] or other in full[0]:
        return True
    alike = one.startswith(other[:_STEM]) and min(len(one), len(other)) >= _STEM
    return alike and not full[0].isdisjoint(full[1])


class NameParts:
    """Counts how each word is used: before a surname, after a given name, after a title."""

    def __init__(self, counts: Mapping[ProperName, int], leaning: Mapping[ProperName, str]) -> None:
        self._leaning = leaning
        self._given: Counter[str] = Counter()
        self._last: Counter[str] = Counter()
        self._office: Counter[str] = Counter()
        self._titled: Counter[str] = Counter()
        self._counts = counts
        self._cores = {name.core for name in counts}
        self._begun: dict[tuple[str, ...], set[str]] = defaultdict(set)
        """The surnames of longer names, keyed by the two words with which they begin.

        Not of those that begin with a surname: Henry James Stone, if there is a Mr. James.
        """
        behind_titles = {name.core[0] for name in counts if name.titles and len(name.core) == 1}
        for core in self._cores:
            if len(core) > 2 and core[1] not in behind_titles and (surname := _split(core)[1]) is not None:
                self._begun[core[:2]].add(surname)
        for name, count in counts.items():
            given, surname = self._split(name)
            if given and surname:
                self._given[given] += count
                self._last[surname] += count
            elif name.titles and name.titles[-1] not in words("given_name_titles"):
                courtesy = table("titles")[name.titles[-1]] != "any"
                (self._titled if courtesy else self._office)[surname or name.core[0]] += count

    def _bare(self, word: str) -> int:
        return self._counts.get(ProperName((), (word,)), 0)

    def _split(self, name: ProperName) -> tuple[str | None, str | None]:
        """Split into given name and surname.

        `Wharton Philip` is no name in a book that mentions Philip on every page. Percy de Forest Hale is a
        Hale if he is also Percy Hale, and so is Mary Kate if she is also Mary Kate Hale.
        """
        given, surname = _split(name.core)
        if given and surname and " " in surname and (given, name.core[-1]) in self._cores:
            return given, name.core[-1]
        whole = self._begun.get(name.core, set())
        if surname and len(whole) == 1 and gender_of_given_name(surname) is not None:
            return given, next(iter(whole))
        if given and surname and len(name.core) == 2 and gender_of_given_name(given) is None:
            known = gender_of_given_name(surname) is not None
            if known and self._counts[name] <= _BY_CHANCE < self._bare(surname) / _ON_EVERY_PAGE:
                return surname, None
        return given, surname

    def parse(self, name: ProperName) -> ParsedName:
        given, surname = self._split(name)
        if given is None and surname is None:
            word = name.core[0]
            given, surname = (word, None) if self._is_given(name, word) else (None, word)
        if given and surname and self._is_husbands(name, given):
            return ParsedName(name, None, f"{given} {surname}", "she")
        told = next((g for t in name.titles if (g := table("titles")[t]) != "any"), None)
        return ParsedName(name, given, surname, told or self._gender(name, given))

    def _gender(self, name: ProperName, given: str | None) -> str | None:
        """Infer the gender from the given name, or from the pronouns after the name or the given name."""
        if given is None:
            return self._leaning.get(name) if name.titles else None
        bare = ProperName((), (given,))
        return gender_of_given_name(given) or self._leaning.get(name) or self._leaning.get(bare)

    def _is_husbands(self, name: ProperName, given: str) -> bool:
        """Recognise `Mrs. John Hale`, who is John Hale's wife, while `Mrs. Laura Lyons` is Laura."""
        if not name.titles or name.titles[-1] not in words("wed_titles"):
            return False
        gender = gender_of_given_name(given)
        return gender == "he" or (gender is None and self._counts.get(ProperName((), name.core), 0) > 1)

    def _is_given(self, name: ProperName, word: str) -> bool:
        """Return whether a word that stands alone or after a title is a given name here."""
        known = (
            gender_of_given_name(word) is not None or word in table("nicknames") or word.startswith("St. ")
        )
        first = self._given[word] > 0 and self._last[word] == 0
        told = known or self._given[word] * _SELDOM_WHOLE >= self._titled[word]
        if not name.titles:
            courtesy = 0 if told and first else self._titled[word]
            surname = self._last[word] + self._office[word] + courtesy
            return self._given[word] >= surname if self._given[word] else surname == 0
        if name.titles[-1] in words("given_name_titles"):
            return (known or self._given[word] > 0) and self._given[word] >= self._last[word]
        if name.titles[-1] in _BEFORE_GIVEN:
            return first and told
        return name.titles[-1] in _MISTER and first and (known or self._bare(word) > self._titled[word])


def _split(core: tuple[str, ...]) -> tuple[str | None, str | None]:
    """Split into given name and surname. Both are None for a single word, which may be either."""
    if core[0] == "of":
        return None, " ".join(core)
    at = next((i for i, word in enumerate(core) if word.lower() in words("particles")), None)
    if at is not None and at + 1 < len(core):
        return (core[0] if at else None), " ".join(core[at:])
    if len(core) > 2 and _is_epithet(core[0]):
        core = core[1:]
    if len(core) == 2 and _is_epithet(core[0]) and gender_of_given_name(core[1]):
        return core[1], None
    if len(core) > 1:
        return core[0], core[-1]
    return None, None


def _is_epithet(word: str) -> bool:
    """Recognise `Long John` and `Two-o'clock Tom`."""
    return gender_of_given_name(word) is None and (word in words("epithets") or "-" in word)
