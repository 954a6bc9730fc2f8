"""Who people are to each other: "her sister Jane", "the mother of Tom", weighed over the book."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coref.types import Character
from generation.cast import ONLY
from generation.lexicon import table, words
from generation.offline import slots
from generation.offline.slots import Line, Slot
from generation.offline.view import View
from generation.types import Citation

_TERMS = "|".join(sorted((re.escape(t) for t in (*table("kin"), *table("ties"))), key=len, reverse=True))
_TERM = rf"(?P<pre>(?:[a-z]+(?:-[a-z]+)* ){{0,2}})(?P<term>{_TERMS})"
_ANY_TERM = re.compile(rf"\b(?:{_TERMS})\b")
_NAMES = f"[{slots.NAME}{slots.OTHER_NAME}]"
_PEOPLE = f"[{slots.NAME}{slots.OTHER_NAME}{slots.SUBJECT}{slots.OTHER_SUBJECT}]"
_OWNER = rf"(?P<owner>[{slots.POSSESSOR}{slots.OTHER_POSSESSOR}]|{_NAMES}(?=[’']))(?:[’']s?)?"
_HOLDER = rf"(?P<holder>{_NAMES})(?![’'])"
_STOP = r"(?=[,.;:!?—)]|$| [a-z])"
_PATTERNS = (
    re.compile(rf"{_OWNER} {_TERM}(?:,? )?{_HOLDER}"),
    re.compile(rf"{_HOLDER}, {_OWNER} {_TERM}{_STOP}"),
    re.compile(rf"(?P<holder>{_PEOPLE})(?:[’']s| is| was| had been) {_OWNER} {_TERM}{_STOP}"),
    re.compile(rf"{_HOLDER}, (?:a|an|the) {_TERM} (?:of|to) (?P<owner>{_NAMES})(?![’'])"),
    re.compile(rf"(?P<holder>{_PEOPLE}) (?:is|was) (?:a|an|the) {_TERM} of (?P<owner>{_NAMES})(?![’'])"),
)


NAMED = 2.0
SURE_PARENT = 4
"""Times that somebody must be called "her mother" before brothers and sisters follow from it."""
RARE, OFTEN = 60, 300
"""Mentions up to which one dim sighting of a tie is enough, and up to which one clear one is."""


@dataclass(frozen=True, slots=True)
class Relation:
    """One sighting: `holder` is the `term` of `owner`."""

    holder: Slot
    term: str
    owner: Slot
    qualifier: str | None

    @property
    def weight(self) -> float:
        if not self.owner.pronoun and not self.holder.pronoun and len(self.holder.span):
            return NAMED
        return 1.0 if self.owner.sure and self.holder.sure else 0.4


@dataclass(frozen=True, slots=True)
class Tie:
    """The person asked about is the `term` of `other`, on the strength of all sightings together."""

    term: str
    other: str
    weight: float
    citations: tuple[Citation, ...]
    qualifier: str | None = None
    named: bool = False
    """Whether some sentence has both by name."""

    @property
    def kin(self) -> bool:
        return self.term in table("kin")


def relations(line: Line) -> Iterator[Relation]:
    """Every tie that a sentence states between two people it names."""
    text = line.speech or line.narration
    if not _ANY_TERM.search(text):
        return
    known = dict.fromkeys(words("qualifiers"))
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            between = match["pre"].split()
            holder, owner = line.slot(match["holder"]), line.slot(match["owner"])
            if holder.character == owner.character or any(w not in known for w in between):
                continue
            kept = next((w for w in between if w in table("qualifiers")["kept"]), None)
            yield Relation(holder, match["term"], owner, kept)


def ties(view: View) -> list[Tie]:
    """The best-attested tie to each other person, strongest first; what is seen dimly is left out."""
    seen: dict[tuple[str, str], list[tuple[Relation, Line]]] = {}
    for line in view.lines:
        for relation in relations(line):
            found = _from_here(relation, view.character, view.cast.by_id)
            if found is not None:
                seen.setdefault(found, []).append((relation, line))
    best: dict[str, Tie] = {}
    for (other, term), sightings in seen.items():
        tie = _tie(term, other, sightings, me=view.character.id)
        if other not in best or tie.weight > best[other].weight:
            best[other] = tie
    known = view.character.mention_count
    least = 3.0 if known > RARE else 1.0
    siblings = [t for t in _siblings(view) if t.other not in best]
    kept = [
        t
        for t in best.values()
        if (t.weight >= least or (t.named and known <= OFTEN)) and _unrivalled(t, view)
    ]
    if not kept and not siblings:
        dim = [t for t in best.values() if t.named and not t.kin and _unrivalled(t, view)]
        kept = sorted(dim, key=lambda t: -t.weight)[:1]
    return sorted([*kept, *siblings], key=lambda t: (not t.kin, -t.weight, t.citations[0].span))


def _siblings(view: View) -> Iterator[Tie]:
    """Whoever has the same mother or father is a sister or brother, though no sentence says so."""
    me, cast = view.character, view.cast
    term = {"she/her": "sister", "he/him": "brother"}.get(me.pronouns or "")
    for parent in ("mother", "father") if term else ():
        mine = cast.family_votes.get((me.id, parent), [])
        for (other, kind), seen in cast.family_votes.items():
            if kind != parent:
                continue
            sure = min(len(mine), len(seen)) >= SURE_PARENT and other != me.id
            if sure and cast.family[me.id, parent] == cast.family[other, parent]:
                cited = tuple(cast.sentence_at(m.span.start) for m in (mine[0], seen[0]))
                yield Tie(term or "", other, 0.5 * min(len(mine), len(seen)), cited)


def _unrivalled(tie: Tie, view: View) -> bool:
    """Nobody has two fathers: the one whom the book calls so most often is the one."""
    me, family = view.character, view.cast.family
    if tie.term in ONLY and family.get((tie.other, tie.term), me.id) != me.id:
        return False
    other = view.cast.by_id[tie.other]
    theirs = (term for term in inverses(tie.term) if term in ONLY and _fits(term, other))
    return all(family.get((me.id, term), other.id) == other.id for term in theirs)


def inverses(term: str) -> tuple[str, ...]:
    """What the other may be to a `term`: to a mother, a daughter or a son."""
    if term in table("kin"):
        return tuple(dict.fromkeys(table("kin")[term][1:]))
    other = table("ties")[term][0]
    return () if other == "-" else (other,)


def _from_here(relation: Relation, me: Character, people: dict[str, Character]) -> tuple[str, str] | None:
    """(other, what I am to them) for a relation that I am part of, when sexes allow it."""
    holder, owner = relation.holder.character, relation.owner.character
    if me.id not in (holder, owner) or not _fits(relation.term, people[holder]):
        return None
    if holder == me.id:
        return owner, relation.term
    mine = [
        term for term in inverses(relation.term) if _fits(term, me, sure=len(inverses(relation.term)) > 1)
    ]
    return (holder, mine[0]) if mine else None


def _fits(term: str, who: Character, *, sure: bool = False) -> bool:
    """A sister is no "he"; `sure` asks that the book says which."""
    sex = table("kin").get(term, ("n",))[0]
    wanted = {"f": "she/her", "m": "he/him"}.get(sex)
    if wanted is None:
        return True
    return who.pronouns == wanted or (who.pronouns is None and not sure)


def _tie(term: str, other: str, sightings: Sequence[tuple[Relation, Line]], *, me: str) -> Tie:
    ranked = sorted(sightings, key=lambda s: -s[0].weight)
    said = [r.qualifier for r, _ in ranked if r.qualifier and r.holder.character == me]
    cited = tuple(dict.fromkeys(Citation(line.span, line.chapter) for _, line in ranked))[:3]
    weight, named = sum(r.weight for r, _ in sightings), ranked[0][0].weight >= NAMED
    return Tie(term, other, weight, cited, said[0] if said else None, named)
