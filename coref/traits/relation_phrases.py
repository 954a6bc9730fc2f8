"""Kin and other relations between people: "her sister Anna", "the servant of Tom", "he was her guardian"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from coref.language.parsed_sentence import ParsedSentence
from coref.language.predicates import SUBJECTS
from coref.language.word_lists import table
from coref.traits.word_owners import WordOwners
from coref.types import TraitKind

_BESIDE = ("appos", "flat", "nmod:desc", "compound")
_GENDERED = ("she/her", "he/him")
_MOST = 8
"""Limit for appositions. No real sentence has more beside one word."""
_WHOSE = frozenset(("of", "to"))


@dataclass(frozen=True, slots=True)
class RelationPhrase:
    word: int
    kind: TraitKind
    lemma: str
    holder: str | None
    """The person who is the sister; None if unknown."""
    owner: str | None
    """The person whose sister it is."""
    predicate: bool
    """Whether the relation is stated by a predicate: "he was her guardian"."""


def relation_of(lemma: str) -> tuple[TraitKind, str] | None:
    """Return the kind of a noun that names a relation between people, and the plainest word for it."""
    if lemma in table("kin"):
        return TraitKind.KIN, table("kin")[lemma].split()[-1]
    if lemma in table("more_kin"):
        return TraitKind.KIN, table("more_kin")[lemma]
    if lemma in table("social"):
        return TraitKind.SOCIAL, table("social")[lemma]
    return None


def ties(s: ParsedSentence, people: WordOwners) -> Iterator[RelationPhrase]:
    """Yield every relation noun that has an owner."""
    who = people.who
    for n in s:
        if s.tag(n) not in ("NOUN", "PROPN") or (found := relation_of(s.lemma(n))) is None:
            continue
        owner = _owner(s, n)
        if owner is None or owner not in people.mentioned or _called(s, n, found[0]):
            continue
        whose = who.get(owner)
        said = said_of(s, n)
        holder = _holder(s, n, who) or (who.get(said) if said is not None else None)
        if holder == whose or not _fits(s.lemma(n), people.pronouns.get(holder or "")):
            holder = None
        yield RelationPhrase(n, *found, holder, whose, predicate=said is not None)


def _called(s: ParsedSentence, n: int, kind: TraitKind) -> bool:
    """Return whether a noun only addresses somebody: `my dear doctor` makes nobody a patient."""
    dear = any(s.lemma(k) in ("dear", "good") for k in s.kids(n, "amod"))
    mine = any(s.word(k) == "my" for k in s.kids(n, "nmod:poss"))
    return kind is TraitKind.SOCIAL and (s.relation(n) == "vocative" or (dear and mine))


def _fits(term: str, pronouns: str | None) -> bool:
    """Return whether the gender agrees. If a brother is a she, somebody else was meant."""
    gender = table("kin").get(term, "any").split()[0]
    return gender == "any" or pronouns not in _GENDERED or pronouns.startswith(f"{gender}/")


def _owner(s: ParsedSentence, n: int) -> int | None:
    """Return the word for the owner: `her`, `Anna's`, `of Anna`."""
    possessive = s.kid(n, "nmod:poss")
    if possessive is not None:
        return possessive
    return next((k for k in s.kids(n, "nmod") if s.case(k) in _WHOSE), None)


def _holder(s: ParsedSentence, n: int, who: Mapping[int, str]) -> str | None:
    """Return who it is: the noun itself, or the name in `her sister Anna` and `Anna, her sister`."""
    near = [n, *s.kids(n, *_BESIDE)]
    above = s.head(n)
    if above is not None and s.relation(n) in _BESIDE:
        near += [above, *s.kids(above, "appos")[:_MOST]]
    return next((who[k] for k in near if k in who), None)


def said_of(s: ParsedSentence, n: int) -> int | None:
    """Return the subject of a noun that is a predicate."""
    if s.case(n) is not None:
        return None
    above = s.head(n)
    if s.kids(n, "cop"):
        subject = s.kid(n, *SUBJECTS)
        if subject is None and s.relation(n) == "appos" and above is not None and above < n:
            return above  # parsers trained on newspapers take "Ann was not his sister" for a headline
        return subject
    if s.relation(n) == "xcomp" and above is not None:
        return next(iter((*s.kids(above, "obj"), *s.kids(above, *SUBJECTS))), None)
    if s.relation(n) == "conj" and above is not None and s.kids(above, "cop"):
        return s.kid(above, *SUBJECTS)
    return None
