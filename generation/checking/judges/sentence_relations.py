"""Find relations between people in a sentence: "her sister Jane", "the mother of Tom"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from generation.checking.judges import person_slots
from generation.checking.judges.person_slots import CodedSentence, PersonSlot
from generation.lexicon import table, words

_TERMS = "|".join(sorted((re.escape(t) for t in (*table("kin"), *table("ties"))), key=len, reverse=True))
_TERM = rf"(?P<pre>(?:[a-z]+(?:-[a-z]+)* ){{0,2}})(?P<term>{_TERMS})"
_ANY_TERM = re.compile(rf"\b(?:{_TERMS})\b")
_NAMES = f"[{person_slots.NAME}{person_slots.OTHER_NAME}]"
_PEOPLE = f"[{person_slots.NAME}{person_slots.OTHER_NAME}{person_slots.SUBJECT}{person_slots.OTHER_SUBJECT}]"
_OWNER = rf"(?P<owner>[{person_slots.POSSESSOR}{person_slots.OTHER_POSSESSOR}]|{_NAMES}(?=[’']))(?:[’']s?)?"
_HOLDER = rf"(?P<holder>{_NAMES})(?![’'])"
_STOP = r"(?=[,.;:!?—)]|$| [a-z])"
_PATTERNS = (
    re.compile(rf"{_OWNER} {_TERM}(?:,? )?{_HOLDER}"),
    re.compile(rf"{_HOLDER}, {_OWNER} {_TERM}{_STOP}"),
    re.compile(rf"(?P<holder>{_PEOPLE})(?:[’']s| is| was| had been) {_OWNER} {_TERM}{_STOP}"),
    re.compile(rf"{_HOLDER}, (?:a|an|the) {_TERM} (?:of|to) (?P<owner>{_NAMES})(?![’'])"),
    re.compile(rf"(?P<holder>{_PEOPLE}) (?:is|was) (?:a|an|the) {_TERM} of (?P<owner>{_NAMES})(?![’'])"),
)


@dataclass(frozen=True, slots=True)
class SentenceRelation:
    """One mention: `holder` is the `term` of `owner`."""

    holder: PersonSlot
    term: str
    owner: PersonSlot


def relations(line: CodedSentence) -> Iterator[SentenceRelation]:
    """Yield every relation that a sentence states between two people it names."""
    text = line.coded
    if not _ANY_TERM.search(text):
        return
    known = dict.fromkeys(words("qualifiers"))
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            between = match["pre"].split()
            holder, owner = line.slot(match["holder"]), line.slot(match["owner"])
            if holder.character == owner.character or any(w not in known for w in between):
                continue
            yield SentenceRelation(holder, match["term"], owner)


def inverses(term: str) -> tuple[str, ...]:
    """Return the possible inverses of a relation: for `mother`, a daughter or a son."""
    if term in table("kin"):
        return tuple(dict.fromkeys(table("kin")[term][1:]))
    other = table("ties")[term][0]
    return () if other == "-" else (other,)
