"""Evidence for the merging of names, and pairs of people who may be one after all, for readers to decide."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from coref.language.tokens import Tokens
from coref.language.word_lists import plain
from coref.names.answers import NamedTurn
from coref.names.cast_building import Cast
from coref.names.name_parts import same_given
from coref.names.name_uses import ProperName
from coref.names.one_person import ASKED, shipped
from coref.names.person_candidates import MentionCandidate
from coref.names.person_pairs import Pair, PersonPairs
from coref.types import Doubt, MentionKind, Merge

_PART, _SHORT, _TITLED, _MARRIED, _OTHER = 0.95, 0.85, 0.9, 0.7, 0.6
_AMONG_SEVERAL = 0.6
"""Factor on the confidence if the name may also be somebody else's."""
_ASKED_ALIKE = 0.05
"""The least probability of which a reader is asked about names that are spelt alike.

The odds are learnt from printed novels, in which hardly any name is misspelt. In a manuscript many are.
"""
_MOST = 60
"""Number of doubts that a reader is asked to settle."""


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
    talk: Sequence[NamedTurn],
    ids: Mapping[int, str],
) -> tuple[Doubt, ...]:
    """Return pairs of characters who may well be one person, the likeliest first.

    `spots` are all mentions found, in the order by which `earlier` numbers them.
    """
    pronouns: dict[int, Counter[str]] = defaultdict(Counter)
    for spot in spots:
        if spot.who is not None and spot.kind is MentionKind.PRONOUN:
            pronouns[spot.who][spot.head] += 1
    people = {number: cast.people[number] for number in ids}
    pairs = PersonPairs(tokens, people, spots, earlier, pronouns, talk)
    found: list[Doubt] = []
    alike = frozenset(pairs.spelt_alike())
    every = sorted(alike.union(pairs))
    probabilities = shipped().probabilities([pairs.features(pair) for pair in every])
    for pair, probability in zip(every, probabilities.tolist(), strict=True):
        if probability >= (_ASKED_ALIKE if pair in alike else ASKED):
            one, other = (ids[number] for number in pair)
            end = pairs.arises(pair)
            at = 0 if end is None else tokens.ends[end - 1]
            found.append(Doubt(one, other, round(probability, 2), _why_one(pairs, pair, pair in alike), at))
    found.sort(key=lambda doubt: (-(doubt.confidence or 0.0), doubt.one, doubt.other))
    return tuple(found[:_MOST])


def _why_one(pairs: PersonPairs, pair: Pair, alike: bool) -> str:
    linked, seen, answers = pairs.taken[pair], pairs.together(pair), pairs.answers.beside(*pair)
    reasons = (
        "they share a name" if pairs.shared(pair) else "",
        "their names are spelt alike" if alike else "",
        f"taken for one another {_times(linked)}" if linked else "",
        f"one speaks where the other is called {_times(answers)}" if answers else "",
        f"named in the same paragraph {_times(seen)}" if seen else "",
    )
    return "; ".join(filter(None, reasons)) or "the book uses their names alike"


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
