"""Puts names together into people: `Lizzy`, `Miss Elizabeth Bennet` and `Elizabeth` are one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from coref.names import gender_of_given_name
from coref.rules.uses import Name
from coref.types import CharacterKind
from coref.words import table, words

_WED = frozenset(("Mrs", "Madame", "Mme", "Frau", "Signora", "Señora", "Senora", "Widow"))
_UNWED = frozenset(("Miss", "Mademoiselle", "Mlle", "Fräulein", "Fraulein", "Signorina", "Señorita"))
_PLAIN = frozenset(
    ("Mr", "Mister", "Mrs", "Miss", "Ms", "Mistress", "Master", "Young", "Old", "Esquire", "Madam")
)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A name with its words in their roles."""

    name: Name
    given: str | None
    surname: str | None
    gender: str | None


@dataclass(slots=True)
class Person:
    """Somebody, while they are being put together. `number` is their place in the cast list."""

    number: int
    kind: CharacterKind = CharacterKind.PERSON
    names: Counter[Name] = field(default_factory=Counter)
    givens: set[str] = field(default_factory=set)
    surname: str | None = None
    gender: str | None = None
    role: str | None = None
    """The noun of somebody who is known by what they do."""

    @property
    def count(self) -> int:
        return self.names.total()

    @property
    def titles(self) -> set[str]:
        return {t for name in self.names for t in name.titles}

    def take(self, parsed: Parsed, count: int) -> None:
        self.names[parsed.name] += count
        if parsed.given:
            self.givens.add(parsed.given)
        self.surname = self.surname or parsed.surname
        self.gender = self.gender or parsed.gender


def full_names_of(given: str) -> frozenset[str]:
    """What a given name may be short for, itself included."""
    return frozenset((given, *table("nicknames").get(given, "").split()))


def same_given(one: str, other: str) -> bool:
    """Equal, one short for the other, or one the other's initial."""
    if one.endswith(".") or other.endswith("."):
        return one[0] == other[0]
    return one == other or one in full_names_of(other) or other in full_names_of(one)


class Clusters:
    """The cast as names are given to it, the most telling names first."""

    def __init__(self, counts: Mapping[Name, int]) -> None:
        self.people: list[Person] = []
        self.counts = counts
        self.of_name: dict[Name, list[Person]] = {}
        self._givens = {n.core[0] for n in counts if len(n.core) > 1 and not n.core[0].endswith(".")}
        self._surnames = {
            n.core[-1] for n in counts if len(n.core) > 1 or (n.titles and n.titles[0] in _PLAIN)
        }
        parsed = [self.parse(name) for name in counts]
        parsed.sort(key=lambda p: (self._rank(p), -counts[p.name], p.name.text))
        for each in parsed:
            self._place(each)

    def parse(self, name: Name) -> Parsed:
        title_gender = next((g for t in name.titles if (g := table("titles")[t]) != "any"), None)
        core = name.core
        given: str | None = None
        surname: str | None = None
        if core[0] == "of":
            surname = " ".join(core)
        elif len(core) > 1:
            given, surname = core[0], core[-1]
        elif self._is_given(name):
            given = core[0]
        else:
            surname = core[0]
        gender = title_gender or (gender_of_given_name(given) if given else None)
        return Parsed(name, given, surname, gender)

    def _is_given(self, name: Name) -> bool:
        """Whether a single word is a given name here rather than a surname."""
        word = name.core[0]
        known = gender_of_given_name(word) is not None or word in table("nicknames")
        if not name.titles:
            return known or word in self._givens or word not in self._surnames
        if name.titles[-1] in ("Mr", "Mrs", "Mister", "Dr", "Doctor"):
            return False
        if name.titles[-1] in words("given_name_titles"):
            return (known or word in self._givens) and word not in self._surnames
        return known and word in self._givens

    @staticmethod
    def _rank(parsed: Parsed) -> int:
        """Full names first, then titles with surnames, then given names, then bare surnames."""
        if parsed.given and parsed.surname:
            return 1 if parsed.given.endswith(".") or parsed.given in table("nicknames") else 0
        if parsed.surname and parsed.name.titles:
            return 2
        return 3 if parsed.given else 4

    def _place(self, parsed: Parsed) -> None:
        fits = [p for p in self.people if self._fits(p, parsed)]
        fits.sort(key=lambda p: self._preference(p, parsed))
        if fits and self._joins(parsed, fits):
            fits[0].take(parsed, self.counts[parsed.name])
            self.of_name[parsed.name] = fits
            return
        person = Person(len(self.people))
        person.take(parsed, self.counts[parsed.name])
        self.people.append(person)
        self.of_name[parsed.name] = [person]

    def _joins(self, parsed: Parsed, fits: Sequence[Person]) -> bool:
        """`Mr. Hale` among several Mr. Hales is somebody else when each of those is always told apart."""
        if parsed.given or not parsed.name.titles or len(fits) == 1:
            return True
        return not all(_told_apart(p, parsed) for p in fits)

    def _fits(self, person: Person, parsed: Parsed) -> bool:
        if person.gender and parsed.gender and person.gender != parsed.gender:
            return False
        if parsed.surname and person.surname and parsed.surname != person.surname:
            return parsed.given is None and not parsed.name.titles and parsed.surname in person.givens
        if parsed.surname and not person.surname and not (parsed.given and person.givens):
            return False
        if parsed.given and not any(same_given(parsed.given, g) for g in person.givens):
            return False
        if (
            parsed.given
            and parsed.surname
            and not person.surname
            and person.count > 2 * self.counts[parsed.name]
        ):
            return True
        return not _titles_clash(person, parsed)

    def _preference(self, person: Person, parsed: Parsed) -> tuple[int, int, int, int]:
        exact = parsed.given is not None and parsed.given not in person.givens
        ranked = any(t in ("Lady", "Sir", "Lord") for t in person.titles) and not parsed.name.titles
        apart = parsed.given is None and bool(parsed.name.titles) and _told_apart(person, parsed)
        male_first = parsed.given is None and not parsed.name.titles and person.gender == "she"
        return (int(exact), int(ranked), int(apart or male_first), -person.count)


def _told_apart(person: Person, parsed: Parsed) -> bool:
    """Whether the book calls this person by the same title with a given name: `Mr. John Hale`."""
    return any(parsed.name.titles[-1:] == n.titles[-1:] and len(n.core) > 1 for n in person.names)


def _titles_clash(person: Person, parsed: Parsed) -> bool:
    """Nobody is both Miss and Mrs. of one surname, nor both a captain and a colonel, without being told."""
    have, new = person.titles, set(parsed.name.titles)
    if have & new or not new:
        return False
    if (have & _WED and new & _UNWED) or (have & _UNWED and new & _WED):
        return True
    if new & _WED and parsed.given is None and person.givens and "Mrs" not in have:
        return bool(have) and not have & {"Lady"}
    return bool(have - _PLAIN and new - _PLAIN and not parsed.given)


def surnames_of(people: Iterable[Person]) -> dict[str, list[Person]]:
    found: dict[str, list[Person]] = defaultdict(list)
    for person in people:
        if person.surname:
            found[person.surname].append(person)
    return found


def is_initial_only(name: Name) -> bool:
    return all(word.endswith(".") for word in name.core)


def known_given(word: str) -> bool:
    return word in words("given_names_she") or word in words("given_names_he")
