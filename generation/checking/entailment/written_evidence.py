"""Write claim and evidence for the head: one plain name for each person of the claim, also for pronouns.

The subject of every claim is "Alex", and the other people that it names are "Sam", "Kim" and so on, in the
claim and wherever `coref` is sure that the evidence means them. The head then reads who does what to whom
without knowing the novel's names. All other words stay as they are, negations and modal verbs included.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from generation.checking.entailment.sentence_search import LONGEST
from generation.checking.types import Evidence
from generation.types import Claim, NamedSpan
from retrieval.sentences import flat

SUBJECT: Final = "Alex"
OTHERS: Final = ("Sam", "Kim", "Max", "Ben")
_POSSESSIVE: Final = frozenset(("his", "my", "mine", "your", "yours", "hers", "their", "theirs"))
_PRONOUNS: Final = _POSSESSIVE.union(
    ("he", "him", "himself", "she", "her", "herself", "i", "me", "myself", "you", "yourself"),
    ("they", "them", "themselves", "thou", "thee", "thy"),
)


def names_for(claim: Claim) -> dict[str, str]:
    """Return the plain name of each person of a claim. People past the last name keep theirs."""
    names = {} if claim.subject is None else {claim.subject: SUBJECT}
    others = dict.fromkeys(n.character for n in claim.people if n.character not in names)
    return names | dict(zip(others, OTHERS, strict=False))


def written_claim(claim: Claim, names: Mapping[str, str]) -> str:
    return _written(claim.text[:LONGEST], 0, claim.people, names)


def written_evidence(evidence: Evidence, names: Mapping[str, str]) -> str:
    """Return the evidence as the head reads it, behind its speaker if that is one of the people."""
    named = evidence.named or ()
    text = _written(evidence.text[:LONGEST], evidence.span.start, named, names)
    speaker = next((names[n.character] for n in named if not len(n.span) and n.character in names), None)
    return text if speaker is None else f"{speaker} says: {text}"


def _written(text: str, start: int, named: Sequence[NamedSpan], names: Mapping[str, str]) -> str:
    pieces: list[str] = []
    at = 0
    for one, first, last in _places(text, start, named, names):
        name, surface = names[one.character], text[first:last]
        if _common(surface):
            pieces += text[at:last], f" ({name})"
        else:
            owned = surface.casefold() in _POSSESSIVE
            pieces += text[at:first], f"{name}'s" if owned else name
        at = last
    return flat("".join((*pieces, text[at:])))


def _places(
    text: str, start: int, named: Sequence[NamedSpan], names: Mapping[str, str]
) -> list[tuple[NamedSpan, int, int]]:
    """Return the mentions to write, none inside another: of "her brother" only the pronoun."""
    found = [
        (one, one.span.start - start, one.span.end - start)
        for one in named
        if len(one.span) and one.character in names
    ]
    inside = [f for f in found if f[1] >= 0 and f[2] <= len(text)]
    chosen: list[tuple[NamedSpan, int, int]] = []
    for one in sorted(inside, key=lambda f: (_common(text[f[1] : f[2]]), f[1] - f[2])):
        if all(one[2] <= other[1] or one[1] >= other[2] for other in chosen):
            chosen.append(one)
    return sorted(chosen, key=lambda f: f[1])


def _common(surface: str) -> bool:
    """Whether a mention is a phrase such as "the old man", which says something itself and stays."""
    return surface.casefold() not in _PRONOUNS and not surface[:1].isupper()
