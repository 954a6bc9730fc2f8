"""Clusters names into people: `Lizzy`, `Miss Elizabeth Bennet` and `Elizabeth` are one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, MutableMapping, Sequence, Set
from dataclasses import dataclass, field
from statistics import quantiles
from typing import TypeVar

from coref.language.word_lists import table, words
from coref.names.cooccurrence import Cooccurrence
from coref.names.name_parts import NameParts, ParsedName, full_names_of, same_given
from coref.names.name_uses import ProperName
from coref.names.titles import title_noun
from coref.types import CharacterKind

K = TypeVar("K", bound=Hashable)

_UNWED = frozenset(("Miss", "Mademoiselle", "Mlle", "Fräulein", "Fraulein", "Signorina", "Señorita"))
_MAIDS = ("Miss", "Mistress")
_MR = "Mr"
_TOLD_OFTEN = 10
_SLIP = 20
"""A title that is borne less often than another by this factor is a slip of somebody's tongue."""
_CONTRAST = 5
_OPTIONS = 12
"""Limit for the bearers of a name up to which each use of it is still resolved in context."""
_TOLD_APART = 2
_PASSING = 3
"""Uses of a full name up to which its bearer is named in passing, and does not take the bare given name from
somebody whom the book calls by it more often by `_SLIP`."""
_TOO_MANY = 3
"""A bare given name that is used more often than Lady Mary's names by this factor is not hers."""


@dataclass(slots=True, eq=False)
class CastMember:
    """A person while the cast is being built. `number` is their place in the cast."""

    number: int
    kind: CharacterKind = CharacterKind.PERSON
    names: Counter[ProperName] = field(default_factory=Counter)
    givens: Counter[str] = field(default_factory=Counter)
    surnames: Counter[str] = field(default_factory=Counter)
    gender: str | None = None
    role: str | None = None
    """The noun of somebody who is known by a role."""
    speaks: bool = False
    """Whether they have a label in a play."""

    @property
    def count(self) -> int:
        return self.names.total()

    @property
    def titles(self) -> set[str]:
        return {t for name in self.names for t in name.titles}

    def take(self, parsed: ParsedName, count: int) -> None:
        self.names[parsed.name] += count
        if parsed.given:
            self.givens[parsed.given] += count
        if parsed.surname:
            self.surnames[parsed.surname] += count
        self.gender = self.gender or parsed.gender

    def absorb(self, other: CastMember) -> None:
        """Take over the names of somebody who is this person.

        The other stays in the list without names, so that numbers remain valid.
        """
        self.names.update(other.names)
        self.givens.update(other.givens)
        self.surnames.update(other.surnames)
        for theirs in (other.names, other.givens, other.surnames):
            theirs.clear()

    def called(self, given: str) -> int:
        """Return how often the book uses this given name together with a surname for them."""
        return sum(n for name, n in self.names.items() if len(name.core) > 1 and name.core[0] == given)


def exchange(options: MutableMapping[K, list[CastMember]], gone: CastMember, kept: CastMember) -> None:
    """Let whatever may mean one person mean another instead."""
    for key, people in options.items():
        if gone in people:
            options[key] = list(dict.fromkeys(kept if person is gone else person for person in people))


class NameClusters:
    """The cast while names are added to it, the most informative names first."""

    def __init__(
        self,
        counts: Mapping[ProperName, int],
        places: Mapping[ProperName, Sequence[int]],
        company: Cooccurrence[ProperName],
        leaning: Mapping[ProperName, str],
    ) -> None:
        self.people: list[CastMember] = []
        self.counts = counts
        self.of_name: dict[ProperName, list[CastMember]] = {}
        self._places = places
        self._firsts = {name: min(there, default=-1) for name, there in places.items()}
        self._company = company
        self._by_key: dict[str, dict[int, CastMember]] = defaultdict(dict)
        parts = NameParts(counts, leaning)
        parsed = [parts.parse(name) for name in counts]
        self._surnames: Counter[str] = Counter()
        """Uses of each surname. A word that was only taken for one has a single use."""
        for each in parsed:
            if each.surname:
                self._surnames[each.surname] += counts[each.name]
        parsed.sort(key=lambda p: (_rank(p), _is_wed_name(p), -counts[p.name], p.name.text))
        for each in parsed:
            self._place(each)

    def _place(self, parsed: ParsedName) -> None:
        fits = [p for p in self._akin(parsed) if self._fits(p, parsed)]
        fits.sort(key=lambda p: (*self._preference(p, parsed), p.number))
        if not fits:
            fits = [CastMember(len(self.people))]
            self.people.append(fits[0])
        fits[0].take(parsed, self.counts[parsed.name])
        self.of_name[parsed.name] = self._bearers(parsed, fits)[:_OPTIONS]
        for key in _keys(parsed):
            self._by_key[key][fits[0].number] = fits[0]

    def _bearers(self, parsed: ParsedName, fits: list[CastMember]) -> list[CastMember]:
        """Return whom a use of the name may mean: `Jim` on every page is not `Jim Hornback` of one."""
        if parsed.given is None or parsed.surname is not None:
            return fits
        often = self.counts[parsed.name]
        return [p for p in fits if p is fits[0] or p.count > _PASSING or p.count * _SLIP > often]

    def _akin(self, parsed: ParsedName) -> Iterable[CastMember]:
        """Return people who share a word, or a nickname's full form, with a name. Nobody else can fit it."""
        found: dict[int, CastMember] = {}
        for key in _given_keys(parsed) or _keys(parsed):
            found.update(self._by_key.get(key, {}))
        return found.values()

    def merge(self, one: CastMember, other: CastMember) -> None:
        one.absorb(other)
        exchange(self.of_name, other, one)

    def _fits(self, person: CastMember, parsed: ParsedName) -> bool:
        if person.gender and parsed.gender and person.gender != parsed.gender:
            return False
        if _takes_his_title(person, parsed):
            return False
        if not _surname_fits(person, parsed):
            return False
        if not _given_fits(person, parsed, count=self.counts[parsed.name]):
            return False
        if _titles_clash(_often_borne(person, self.counts[parsed.name]), person, parsed):
            return False
        if (_is_wed_name(parsed) and self._is_maid(person)) or self._is_brother(person, parsed):
            return False
        if parsed.given is not None or not parsed.name.titles or not person.givens:
            return True
        if is_office(person.titles.intersection(parsed.name.titles)):
            return True  # the book calls them Judge Jaffrey Hale
        return not self._stand_together(person, parsed) and not self._contrasts(person, parsed)

    def _is_maid(self, person: CastMember) -> bool:
        """Return whether she is called `Miss Mary`, for then Mrs. Hale is hardly Mary Hale."""
        called = (
            self.counts.get(ProperName((title,), (given,)), 0) for given in person.givens for title in _MAIDS
        )
        return sum(called) >= _TOLD_APART

    def _is_brother(self, person: CastMember, parsed: ParsedName) -> bool:
        """Return whether `Dr. Hale` is not `Mr. Hale` or `General Hale`: the narration often uses both."""
        if parsed.given is not None or parsed.surname is None:
            return False
        new = set(parsed.name.titles)
        others: list[str] = []
        if is_office(new):
            others = [_MR] if _MR in person.titles else self._other_officers(person, parsed.name)
        elif _MR in new:
            others = sorted(t for t in person.titles if is_office({t}))
        told = [self._company.told(ProperName((title,), parsed.name.core)) for title in others]
        return min(self._company.told(parsed.name), max(told, default=0)) >= _TOLD_OFTEN

    def _other_officers(self, person: CastMember, name: ProperName) -> list[str]:
        """Return other offices of a person in the same part of the book. Later it may be a promotion."""
        if not set(map(title_noun, person.titles)).isdisjoint(map(title_noun, name.titles)):
            return []  # `Capt. Hale` is `Captain Hale`
        offices = sorted(title for title in person.titles if is_office({title}))
        return [title for title in offices if self._overlap(name, ProperName((title,), name.core))]

    def _overlap(self, one: ProperName, other: ProperName) -> bool:
        """Return whether the book uses two names at the same time, but for a tenth at either end."""
        here, there = (self._places.get(name, ()) for name in (one, other))
        if min(len(here), len(there)) < 2:
            return False
        ends = quantiles(here, n=10), quantiles(there, n=10)
        return max(first for first, *_ in ends) < min(last for *_, last in ends)

    def _stand_together(self, person: CastMember, parsed: ParsedName) -> bool:
        """Return whether the name co-occurs with the person's other names as if it were somebody else's."""
        bare = [ProperName((), (given,)) for given in person.givens]
        others = {other for other in (*person.names, *bare) if other.core != parsed.name.core}
        if parsed.gender != "she":
            apart = self._company.men_apart(parsed.name, others)
            return apart and parsed.name.titles[-1] not in ("Master", "Mas'r")
        return _is_wed_name(parsed) and self._company.women_apart(parsed.name, others)

    def _preference(self, person: CastMember, parsed: ParsedName) -> tuple[int, ...]:
        """Return a sort key for the people whom a name fits, the likeliest first."""
        inexact = parsed.given is not None and parsed.given not in person.givens
        ranked = parsed.given is not None and not parsed.name.titles and _only_ranked(person, parsed.given)
        office = any(table("titles")[t] == "any" and t in person.titles for t in parsed.name.titles)
        if parsed.given is None and not parsed.name.titles:
            unlike = ("he", None, "she").index(person.gender)
        else:
            unlike = int(parsed.given is None and self._told_apart(person, parsed) >= _TOLD_APART)
        other_title = not set(parsed.name.titles) & person.titles
        chance = all(self._surnames[surname] == 1 for surname in person.surnames)
        weight = -_weight(person, parsed)
        return (-office, int(ranked), int(inexact), unlike, int(other_title), weight, int(chance))

    def _told_apart(self, person: CastMember, parsed: ParsedName) -> int:
        """Return how often the book calls this person by the same title with a given name: `Mr. John Hale`.

        Somebody who is introduced in full before the short form is used is not being distinguished.
        """
        return sum(
            count
            for name, count in person.names.items()
            if parsed.name.titles[-1:] == name.titles[-1:]
            and len(name.core) > 1
            and self._firsts[name] > self._firsts[parsed.name]
        )

    def _contrasts(self, person: CastMember, parsed: ParsedName) -> bool:
        """Return whether `Mr. John Knightley` is so called because `Mr. Knightley` is somebody else."""
        told = self._told_apart(person, parsed)
        untitled = sum(n for name, n in person.names.items() if len(name.core) > 1 and not name.titles)
        count = self.counts[parsed.name]
        always = told > untitled and parsed.name.titles[-1] == "Mr" and count > _CONTRAST * told
        return told >= _CONTRAST and (always or told > count)


def _only_ranked(person: CastMember, given: str) -> bool:
    """Return whether the book never has somebody's full name without their rank: `Lady Mary Hale`.

    `Mary` or `Molly` on every page is hardly she then.
    """
    told = any(not name.titles and len(name.core) > 1 and name.core[0] == given for name in person.names)
    return bool(person.titles & words("rank_titles")) and not told


def _weight(person: CastMember, parsed: ParsedName) -> int:
    """Return how often the book uses the parts of a name for a person."""
    if parsed.given is None:
        return person.count
    return sum(count for given, count in person.givens.items() if same_given(given, parsed.given))


def _keys(parsed: ParsedName) -> set[str]:
    return _given_keys(parsed) | ({parsed.surname} if parsed.surname else set())


def _given_keys(parsed: ParsedName) -> set[str]:
    if parsed.given is None:
        return set()
    full = full_names_of(parsed.given)
    return {*full, *(name[0] + "." for name in full)}


def _rank(parsed: ParsedName) -> int:
    """Order names for clustering: full names, titles with surnames, given names, then bare surnames."""
    if parsed.given and parsed.surname:
        return 1 if parsed.given.endswith(".") or parsed.given in table("nicknames") else 0
    if parsed.surname and parsed.name.titles:
        return 2
    return 3 if parsed.given else 4


def _is_wed_name(parsed: ParsedName) -> bool:
    """Recognise `Mrs. Hale`, which is placed after `Miss Hale`, the likelier Margaret where both occur."""
    return parsed.given is None and bool(set(parsed.name.titles) & words("wed_titles"))


def _surname_fits(person: CastMember, parsed: ParsedName) -> bool:
    if parsed.surname is None:
        return True
    if person.surnames:
        return parsed.surname in person.surnames
    # Somebody known only by a given name accepts a surname only from a name that contains both.
    return parsed.given is not None and bool(person.givens)


def _given_fits(person: CastMember, parsed: ParsedName, *, count: int) -> bool:
    if parsed.given is None:
        return True
    if not person.givens:
        return parsed.surname is not None
    often = parsed.surname is None and count > _TOO_MANY * person.count
    if often and not parsed.name.titles and _only_ranked(person, parsed.given):
        return False
    for given in person.givens:
        if parsed.given == given:
            return True
        if same_given(parsed.given, given):
            initial = parsed.given.endswith(".") or given.endswith(".")
            if not initial or parsed.surname is not None:
                return True
    return False


def _often_borne(person: CastMember, count: int) -> set[str]:
    """Return somebody's titles without slips: one `Miss Hale` means little beside fifty of `Mrs. Hale`.

    `Miss Mary Hale` is no slip: a daughter is seldom named in full where her mother is on every page.
    """
    borne: Counter[str] = Counter()
    for name, told in person.names.items():
        maid = len(name.core) > 1 and not _UNWED.isdisjoint(name.titles)
        borne.update(dict.fromkeys(name.titles, max(count, told) if maid else told))
    return {title for title, told in borne.items() if told * _SLIP > count}


def _titles_clash(have: set[str], person: CastMember, parsed: ParsedName) -> bool:
    """Return whether the titles contradict each other without any explanation in the book.

    Nobody is both Miss and Mrs. with one surname, or both a captain and a colonel.
    """
    new = set(parsed.name.titles)
    if not new or have & new:
        return False
    if (have & words("wed_titles") and new & _UNWED) or (have & _UNWED and new & words("wed_titles")):
        return True
    womens = _womens_titles(parsed)
    if (have & womens and is_office(new)) or (new & womens and is_office(have)):
        return True
    if new & words("rank_titles"):
        return _ranks_clash(person, parsed, have)
    return bool(have & words("rank_titles")) and not new & words("rank_titles") and parsed.given is None


def _ranks_clash(person: CastMember, parsed: ParsedName, have: set[str]) -> bool:
    """Return whether ranks differ: Lady Lucas is not Miss Lucas, Sir William is not Mr. William Collins."""
    if parsed.surname is None:
        return bool(have) and not have & words("rank_titles")
    return parsed.given is None and (bool(have & _UNWED) or bool(person.givens and not have))


def is_wed(person: CastMember) -> bool:
    return bool(person.titles & words("wed_titles"))


def is_unwed(person: CastMember) -> bool:
    return bool(person.titles & _UNWED)


def _womens_titles(parsed: ParsedName) -> Set[str]:
    """Return titles of women that no officer has. `Sister Mary Hale` may be a doctor, `Madam Hale` is not."""
    if parsed.given:
        return words("wed_titles") | _UNWED
    return {title for title, gender in table("titles").items() if gender == "she"}


def _takes_his_title(person: CastMember, parsed: ParsedName) -> bool:
    """Return whether `Captain Hale` is Mary Hale's father, unless the book shows her as a captain."""
    office = is_office(set(parsed.name.titles)) and parsed.given is None and parsed.gender != "she"
    return office and person.gender == "she" and not is_office(person.titles)


def is_office(titles: set[str]) -> bool:
    """Recognise titles of offices, which only men held in most of these books."""
    return any(table("titles")[t] == "any" and t != "Cousin" for t in titles)


def families(people: Iterable[CastMember]) -> dict[str, list[CastMember]]:
    """Return everybody keyed by surname."""
    found: dict[str, list[CastMember]] = defaultdict(list)
    for person in people:
        for surname in person.surnames:
            found[surname].append(person)
    return dict(found)
