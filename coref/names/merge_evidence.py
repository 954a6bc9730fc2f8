"""Evidence for the merging of names, and pairs of people who may be one after all, for readers to decide."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from coref.language.tokens import Tokens, paragraph_of
from coref.language.word_lists import plain
from coref.names.cast_building import Cast
from coref.names.name_clusters import CastMember, is_wed
from coref.names.name_parts import same_given
from coref.names.name_uses import ProperName
from coref.names.person_candidates import MentionCandidate
from coref.types import CharacterKind, Doubt, Merge

_PART, _SHORT, _TITLED, _MARRIED, _OTHER = 0.95, 0.85, 0.9, 0.7, 0.6
_AMONG_SEVERAL = 0.6
"""Factor on the confidence if the name may also be somebody else's."""
_LINKED = 0.3
"""Share of antecedents among another's mentions from which on a name counts as taken for the other's."""
_NAMESAKES = 8
"""Limit for bearers of one word who are compared with one another. With more, the word is no evidence."""
_MOST = 60
_LEAST = 0.15


def merges_of(
    tokens: Tokens, cast: Cast, spots: Iterable[MentionCandidate], ids: Mapping[int, str]
) -> tuple[Merge, ...]:
    """Return each name of a character beside the fullest one."""
    shown: dict[ProperName, Counter[str]] = defaultdict(Counter)
    firsts: dict[ProperName, int] = {}
    several: set[ProperName] = set()
    for spot in spots:
        if spot.use is not None and spot.options:
            shown[spot.use.name][plain(tokens.surface(spot.use.first, spot.use.end))] += 1
            firsts.setdefault(spot.use.name, tokens.starts[spot.use.first])
            if len(spot.options) > 1:
                several.add(spot.use.name)
    found: list[Merge] = []
    for number in sorted(ids):
        person = cast.people[number]
        names = sorted((n for n in person.names if n in shown), key=lambda n: (-person.names[n], n.text))
        if len(names) < 2:
            continue
        fullest = max(names, key=lambda n: (len(n.core), person.names[n]))
        for name in names:
            if name != fullest:
                sure, why = _reason(name, fullest)
                sure *= _AMONG_SEVERAL if name in several else 1
                pair = _form(shown[name]), _form(shown[fullest])
                if pair[0] != pair[1]:
                    at = max(firsts[name], firsts[fullest])
                    found.append(Merge(ids[number], *pair, round(sure, 2), why, at))
    return tuple(found)


def _form(forms: Counter[str]) -> str:
    return min(forms, key=lambda form: (-forms[form], form))


def _reason(name: ProperName, fullest: ProperName) -> tuple[float, str]:
    whole = f"“{fullest.text}”"
    if set(name.core) <= set(fullest.core):
        if name.titles:
            return _TITLED, f"it shares a name with {whole}, and the title fits nobody else as well"
        return _PART, f"it is part of {whole}"
    if same_given(name.core[0], fullest.core[0]):
        return _SHORT, f"“{name.core[0]}” and “{fullest.core[0]}” are forms of one name"
    if set(name.core) & set(fullest.core):
        return _TITLED, f"it shares a name with {whole}"
    if any(title in ("Mrs", "Lady", "Madame") for title in name.titles + fullest.titles):
        return _MARRIED, f"a married name, beside {whole}"
    return _OTHER, f"the book uses it as it uses {whole}"


def doubts_of(
    tokens: Tokens,
    cast: Cast,
    spots: Sequence[MentionCandidate],
    earlier: Sequence[Sequence[tuple[int, float]]],
    ids: Mapping[int, str],
) -> tuple[Doubt, ...]:
    """Return pairs of characters who share a name, or where one's name was sometimes resolved to the other.

    `spots` are all mentions found, in the order by which `earlier` numbers them.
    """
    links, together = _links(spots, earlier, ids), _together(tokens, spots, ids)
    found: list[Doubt] = []
    for one, other in {*links, *_namesakes(cast, ids)}:
        if not _may_be_one(cast.people[one], cast.people[other]):
            continue
        linked, seen = links[one, other], together[one, other]
        sure = (1 + linked) / (3 + linked + 2 * seen)
        if sure < _LEAST:
            continue
        reasons = (
            "they share a name" if _shared(cast.people[one], cast.people[other]) else "",
            f"taken for one another {_times(linked)}" if linked else "",
            f"named in the same paragraph {_times(seen)}" if seen else "",
        )
        why = "; ".join(reason for reason in reasons if reason)
        found.append(Doubt(ids[one], ids[other], round(sure, 2), why))
    found.sort(key=lambda doubt: (-doubt.confidence, doubt.one, doubt.other))
    return tuple(found[:_MOST])


Pair = tuple[int, int]


def _links(
    spots: Sequence[MentionCandidate], earlier: Sequence[Sequence[tuple[int, float]]], ids: Mapping[int, str]
) -> Counter[Pair]:
    found: Counter[Pair] = Counter()
    for at, spot in enumerate(spots):
        if not spot.options or spot.who is None or spot.who not in ids:
            continue
        for before, share in earlier[at]:
            other = spots[before]
            if other.who is None or other.who not in ids or other.who == spot.who:
                continue
            if share >= _LINKED and other.options:
                found[_pair(spot.who, other.who)] += 1
    return found


def _pair(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)


def _together(tokens: Tokens, spots: Sequence[MentionCandidate], ids: Mapping[int, str]) -> Counter[Pair]:
    """Count the paragraphs in which the narration names both of two people."""
    paragraphs = paragraph_of(tokens)
    named: dict[int, set[int]] = defaultdict(set)
    for spot in spots:
        if spot.options and spot.who in ids and spot.quote < 0:
            named[paragraphs[spot.first]].add(spot.who or 0)
    pairs = (pair for people in named.values() if len(people) <= _NAMESAKES for pair in _pairs(people))
    return Counter(pairs)


def _pairs(people: Iterable[int]) -> Iterator[Pair]:
    return combinations(sorted(people), 2)


def _namesakes(cast: Cast, ids: Mapping[int, str]) -> set[Pair]:
    bearers: dict[str, set[int]] = defaultdict(set)
    for number in ids:
        for name in cast.people[number].names:
            for word in name.core:
                bearers[word].add(number)
    return {pair for people in bearers.values() if len(people) <= _NAMESAKES for pair in _pairs(people)}


def _may_be_one(one: CastMember, other: CastMember) -> bool:
    """Return False for two people whom the book itself distinguishes by gender, given name or marriage."""
    if CharacterKind.GROUP in (one.kind, other.kind):
        return False
    if one.gender and other.gender and one.gender != other.gender:
        return False
    if one.givens and other.givens:
        return any(same_given(a, b) for a in one.givens for b in other.givens)
    return is_wed(one) == is_wed(other) or bool(one.givens or other.givens)


def _shared(one: CastMember, other: CastMember) -> bool:
    words = [{word for name in person.names for word in name.core} for person in (one, other)]
    return bool(words[0] & words[1])


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
