"""Change a true claim into a false one: deny it, name another relation, or turn it round."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from books.types import Span
from generation.types import Claim, NamedSpan

_HELPERS: Final = re.compile(r" (?:is|was|are|were|has|had|can|could|will|would|must|does|did)\b")
_DETAIL: Final = re.compile(r"\b[a-z]{4,}\b")
_VERB: Final = re.compile(r" (?P<verb>[a-z]+s)\b")
_RELATIONS: Final = tuple(
    tuple(row.split())
    for row in (
        "father uncle brother son", "mother aunt sister daughter", "wife sister mother daughter",
        "husband brother father son", "cousin enemy servant", "friend enemy rival", "nephew brother son",
        "niece sister daughter", "servant master", "master pupil", "teacher pupil doctor", "employer servant",
        "eldest youngest second", "youngest eldest", "rich poor", "poor rich", "young old", "old young",
        "tall short", "loves hates", "hates loves", "dark fair", "widow sister", "orphan heiress",
        "kind cruel", "dies recovers", "refuses accepts", "accepts refuses", "brother father uncle",
        "sister mother aunt", "uncle father", "aunt mother", "son nephew", "daughter niece", "first last",
        "before after", "never always",
    )
)  # fmt: skip
"""A word, and those that may take its place."""
_MUTUAL: Final = re.compile(
    r"marr|engag|friend|cousin|\bmeet|quarrel|fight|\bfought|brother|sister|sibling|partner|companion|twin|with\b|and\b|"
    r"rival|neighbo|enem"
)
"""Words of claims that stay true if the two people change places."""


def altered(claim: Claim, words: Sequence[str], random: Random) -> Iterator[tuple[str, Claim]]:
    """Yield false claims made of a true one, each with how it was made. `words` are those of other claims."""
    made = (
        ("denied", denied(claim)),
        ("relation", other_relation(claim, random)),
        ("turned", turned(claim)),
        ("detail", other_detail(claim, words, random)),
    )
    yield from ((how, wrong) for how, wrong in made if wrong is not None)


def denied(claim: Claim) -> Claim | None:
    """Return "does not play" for "plays"; None if the claim does not begin with its subject and a verb."""
    after = _after_subject(claim)
    if after is None:
        return None
    helper = _HELPERS.match(claim.text, after)
    if helper is not None:
        return _inserted(claim, helper.end(), helper.end(), " not")
    verb = _VERB.match(claim.text, after)
    if verb is None or len(verb["verb"]) < 4:
        return None
    word = verb["verb"]
    base = (
        word[:-3] + "y"
        if word.endswith("ies")
        else word[:-2]
        if word.endswith(("sses", "shes", "ches", "xes", "oes"))
        else word[:-1]
    )
    return _inserted(claim, verb.start(), verb.end(), f" does not {base}")


def other_relation(claim: Claim, random: Random) -> Claim | None:
    """Return the claim with another word for a relation or a quality."""
    places = [
        (match, row[1:])
        for row in _RELATIONS
        for match in re.finditer(rf"\b{row[0]}\b", claim.text)
        if not any(n.span.overlaps(Span(*match.span())) for n in claim.people)
    ]
    if not places:
        return None
    match, words = random.choice(places)
    return _inserted(claim, match.start(), match.end(), random.choice(words))


def other_detail(claim: Claim, words: Sequence[str], random: Random) -> Claim | None:
    """Return the claim with one of its words replaced by a word of other claims."""
    places = [
        match
        for match in _DETAIL.finditer(claim.text)
        if not any(n.span.overlaps(Span(*match.span())) for n in claim.people)
    ]
    rest = [word for word in words if word not in claim.text]
    if not places or not rest:
        return None
    match = random.choice(places)
    return _inserted(claim, match.start(), match.end(), random.choice(rest))


def details(text: str) -> list[str]:
    """Return the words of a claim that may be replaced."""
    return _DETAIL.findall(text)


def turned(claim: Claim) -> Claim | None:
    """Return the claim with its two people in each other's places; None if that might be true as well."""
    others = {n.character for n in claim.people} - {claim.subject}
    if len(others) != 1 or claim.subject is None or _MUTUAL.search(claim.text):
        return None
    other = next(iter(others))
    change = {claim.subject: other, other: claim.subject}
    people = tuple(replace(n, character=change[n.character]) for n in claim.people)
    return replace(claim, people=people)


def _after_subject(claim: Claim) -> int | None:
    first = next(iter(claim.people), None)
    return first.span.end if first is not None and first.span.start == 0 else None


def _inserted(claim: Claim, start: int, end: int, words: str) -> Claim:
    text = claim.text[:start] + words + claim.text[end:]
    moved = len(text) - len(claim.text)

    def at(named: NamedSpan) -> NamedSpan:
        by = moved if named.span.start >= end else 0
        return replace(named, span=Span(named.span.start + by, named.span.end + by))

    return replace(claim, text=text, span=Span(0, len(text)), people=tuple(at(n) for n in claim.people))
