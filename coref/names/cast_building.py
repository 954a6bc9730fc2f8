"""Builds the cast: groups names into people, finds groups, animals and people known by role, and genders."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from coref.language.tokens import Tokens
from coref.language.word_lists import table, words
from coref.names.cooccurrence import Cooccurrence
from coref.names.name_appositions import RoleHolder, find_holders
from coref.names.name_clusters import CastMember, NameClusters, exchange, is_wed
from coref.names.name_uses import NameUse, ProperName
from coref.names.person_candidates import MentionCandidate, noun_gender
from coref.names.person_cues import NameEvidence, has_article, people_among, place_like
from coref.names.titles import title_noun
from coref.types import CharacterKind

_BEFORE_WEDDING = 0.6
"""Share of a maiden name's uses that must come before the first use of the married name."""
_SELDOM_BORNE = 4
_ROLE_MINIMUM = 3
_WORDS_PER_ROLE_MENTION = 25_000
"""A long book mentions many a waiter three times. There a role must recur more often to be a character."""
_HERO_MINIMUM, _WORDS_PER_HERO = 40, 250
"""`the youth` may be anybody, unless the book calls its hero so on every page."""


@dataclass(slots=True)
class Cast:
    people: list[CastMember]
    options: dict[int, list[CastMember]] = field(default_factory=dict)
    """The people that each use of a name may refer to, keyed by the use's first token."""
    roles: dict[str, CastMember] = field(default_factory=dict)
    """People known by role, keyed by the role's noun."""
    holders: dict[str, RoleHolder] = field(default_factory=dict)
    """The named people whom the book puts in apposition to a role."""

    def add(self) -> CastMember:
        person = CastMember(len(self.people))
        self.people.append(person)
        return person

    def merge(self, one: CastMember, other: CastMember) -> None:
        """Let `one` be everything that `other` was."""
        one.absorb(other)
        exchange(self.options, other, one)
        for noun, holder in self.holders.items():
            if holder.person is other:
                self.holders[noun] = replace(holder, person=one)


def draw_up(
    tokens: Tokens,
    uses: Sequence[NameUse],
    evidence: dict[ProperName, NameEvidence],
    leaning: Mapping[ProperName, str],
    *,
    judged: set[ProperName] | None = None,
    elsewhere: Collection[int] = (),
) -> Cast:
    """Build the cast. `leaning` has the gender that the pronouns of a name tell.

    `judged` has the names of people, groups and animals, if a better source than the rules knows them, and
    `elsewhere` the first tokens of uses that mean something else all the same: `Friday`, the day.
    """
    names = people_among(evidence) if judged is None else judged
    places = place_like(list(names), evidence)
    groups = _groups(uses, evidence, names)
    plural = words("plural_titles")
    counts = {n: evidence[n].count for n in names if n not in groups and not plural.intersection(n.titles)}
    named = [use for use in uses if use.name in counts]
    used_at: dict[ProperName, list[int]] = {name: [] for name in counts}
    for use in named:
        used_at[use.name].append(use.first)
    company = Cooccurrence.of(tokens, ((use.first, use.name) for use in named))
    clusters = NameClusters(counts, used_at, company, leaning)
    _join_by_marriage(clusters, uses)
    bearers = {use.first: clusters.of_name[use.name] for use in uses if use.name in clusters.of_name}
    cast = Cast(clusters.people, holders=find_holders(tokens, uses, bearers))
    houses: dict[str, CastMember] = {}
    for use in uses:
        if use.first in elsewhere:
            continue
        if use.name in groups or use.group_noun or words("plural_titles").intersection(use.name.titles):
            cast.options[use.first] = [_house(cast, houses, tokens, use)]
        elif use.name in clusters.of_name and has_article(evidence[use.name]):
            use.first -= use.article
            cast.options[use.first] = clusters.of_name[use.name]
        elif use.name in clusters.of_name and (judged is not None or not _is_place_here(tokens, use, places)):
            cast.options[use.first] = clusters.of_name[use.name]
    _find_animals(cast, evidence)
    return cast


def _join_by_marriage(clusters: NameClusters, uses: Sequence[NameUse]) -> None:
    """Join `Mina Murray` to `Mrs. Harker`: the given name is the same, and the maiden name is used first."""
    places: dict[int, list[int]] = defaultdict(list)
    for at, use in enumerate(uses):
        options = clusters.of_name.get(use.name, [])
        if len(options) == 1 and options[0].surnames and (len(use.name.core) > 1 or use.name.titles):
            places[options[0].number].append(at)
    maids: dict[str, list[CastMember]] = defaultdict(list)
    women = [p for p in clusters.people if p.gender == "she" and p.givens and p.surnames and places[p.number]]
    for maid in (w for w in women if not is_wed(w)):
        for given in maid.givens:
            maids[given].append(maid)
    for wife in (w for w in women if is_wed(w)):
        wedding = places[wife.number][0]
        for maid in maids[max(wife.givens, key=lambda g: wife.givens[g])]:
            before = sum(at < wedding for at in places[maid.number])
            if maid.names and before > _BEFORE_WEDDING * len(places[maid.number]):
                clusters.merge(maid, wife)
                break


def _is_place_here(tokens: Tokens, use: NameUse, places: set[ProperName]) -> bool:
    before = tokens.lower[use.first - 1] if use.first else ""
    if use.article and not use.name.titles and use.age is None and len(use.name.core) == 1:
        return True
    return use.name in places and (before in words("place_cues") or before in ("at", "from", "to"))


def _groups(
    uses: Iterable[NameUse], evidence: Mapping[ProperName, NameEvidence], names: set[ProperName]
) -> set[ProperName]:
    """Return the names of groups: `the Hales` where Hale is a name, `the Guild`."""
    known = {n.core[-1] for n in names}
    articles = Counter(use.name for use in uses if use.article)
    return {
        name
        for name, count in articles.items()
        if count > evidence[name].count / 2
        and (_singular(name.core[-1], known) or name.core[-1] in words("group_nouns"))
    }


def _singular(word: str, known: set[str]) -> bool:
    return (word.endswith("s") and word[:-1] in known) or (word.endswith("es") and word[:-2] in known)


def _house(cast: Cast, houses: dict[str, CastMember], tokens: Tokens, use: NameUse) -> CastMember:
    """Return the group that a use names. The use's span grows to include the article and the noun."""
    if use.group_noun:
        use.end += 1
    if use.article:
        use.first -= 1
    name = tokens.surface(use.first, use.end).casefold()
    key = " ".join(name.split())
    if key not in houses:
        houses[key] = cast.add()
        houses[key].kind = CharacterKind.GROUP
    houses[key].names[use.name] += 1
    return houses[key]


def _find_animals(cast: Cast, evidence: Mapping[ProperName, NameEvidence]) -> None:
    for person in cast.people:
        signs = sum(evidence[name].animal for name in person.names if name in evidence)
        if signs >= 1 and signs * 12 >= person.count and not person.titles and not person.surnames:
            person.kind = CharacterKind.ANIMAL


def find_roles(
    cast: Cast,
    nominals: Iterable[MentionCandidate],
    *,
    length: int,
    capitals: Collection[str] = (),
    steady: Collection[str] = (),
) -> None:
    """Add people known only by role: `the lamplighter`, if he recurs and no named person bears the title.

    Kin terms alone identify nobody, except those in `capitals`, which are written like names. Nouns in
    `steady` are known to be one person's.
    """
    definite = Counter(s.head for s in nominals if s.definite)
    titled = titled_people(cast.people)
    enough = max(_ROLE_MINIMUM, length // _WORDS_PER_ROLE_MENTION)
    for noun, count in sorted(definite.items(), key=lambda item: (-item[1], item[0])):
        usual = noun in capitals or noun in steady or noun in table("roles")
        often = count >= max(
            _ROLE_MINIMUM, enough if usual else max(_HERO_MINIMUM, length // _WORDS_PER_HERO)
        )
        if often and noun not in titled and (noun in capitals or noun not in table("kin")):
            holder = cast.holders.get(noun)
            known = holder is not None and holder.may_be(count)
            cast.roles[noun] = holder.person if holder and known else _known_by(cast, noun)


def _known_by(cast: Cast, noun: str) -> CastMember:
    person = cast.add()
    person.role = noun
    person.gender = None if (g := noun_gender(noun)) == "any" else g
    return person


def titled_people(people: Iterable[CastMember]) -> dict[str, list[CastMember]]:
    """Return the people that `the captain` may mean: those who bear the title nearly as often as anybody."""
    borne: dict[str, Counter[int]] = defaultdict(Counter)
    by_number = {person.number: person for person in people}
    for person in by_number.values():
        for name, count in person.names.items():
            for title in name.titles:
                borne[title_noun(title)][person.number] += count
    return {
        noun: [by_number[n] for n, count in counts.items() if count * _SELDOM_BORNE >= max(counts.values())]
        for noun, counts in borne.items()
    }
