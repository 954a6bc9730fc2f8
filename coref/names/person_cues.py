"""Distinguishes people from places and things by the words around a name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from coref.language.tokens import Tokens
from coref.language.word_lists import words
from coref.names.name_uses import NameUse, ProperName

_BREAKS = frozenset(",!?.—-;:…“”‘’\"'") | {"--"}
_ALOOF = frozenset(("dear", "dearest", "my", "o", "oh", "poor", "miss"))
_WEAK_PLACE = frozenset(
    ("at", "to", "from", "of", "towards", "toward", "through", "leave", "left", "reached", "via")
)
_ARTICLE_PERSON = 4
"""Evidence for a person that a name with `the` needs to count as somebody's."""
_HUMAN = frozenset(("himself", "herself", "who", "whom", "whose"))


@dataclass(slots=True)
class NameEvidence:
    """Evidence that one name is a person's, added up over the book."""

    count: int = 0
    person: float = 0.0
    place: float = 0.0
    article: int = 0
    animal: int = 0
    quoted: int = 0


def gather(tokens: Tokens, uses: Iterable[NameUse]) -> dict[ProperName, NameEvidence]:
    found: dict[ProperName, NameEvidence] = defaultdict(NameEvidence)
    for use in uses:
        _weigh(tokens, use, found[use.name])
    return dict(found)


def _weigh(tokens: Tokens, use: NameUse, evidence: NameEvidence) -> None:
    at = use.first - 1 - use.article
    before = tokens.lower[at] if at >= 0 else ""
    after = tokens.lower[use.end] if use.end < len(tokens) else ""
    evidence.count += 1
    evidence.quoted += tokens.quote[use.first] >= 0
    evidence.article += use.article and not use.group_noun
    if before in words("place_cues"):
        evidence.place += 1
    elif before in _WEAK_PLACE:
        evidence.place += 0.34
    if is_vocative(tokens, use):
        evidence.person += 1
    if before in words("speech_verbs") or after in words("speech_verbs"):
        evidence.person += 2
    elif after in words("subject_verbs") or (after.endswith("ed") and len(after) > 4) or after in _HUMAN:
        evidence.person += 0.5
    elif before in ("with", "and", "dear", "poor", "by"):
        evidence.person += 0.25
    if after in ("'s", "’s"):
        evidence.person += 0.25
    if after in words("animal_verbs") or before in words("animals"):
        evidence.animal += 1


class OnTokens(Protocol):
    """Anything that covers tokens `first` to `end`."""

    @property
    def first(self) -> int: ...

    @property
    def end(self) -> int: ...


def is_vocative(tokens: Tokens, use: OnTokens) -> bool:
    """Return whether a name is a vocative inside a quotation: `Come here, Tom!`"""
    if tokens.quote[use.first] < 0 or use.first == 0 or use.end >= len(tokens):
        return False
    before, after = tokens.lower[use.first - 1], tokens.words[use.end]
    if after not in _BREAKS or _is_whole_utterance(tokens, use):
        return False
    return before in _BREAKS or before in _ALOOF


def _is_whole_utterance(tokens: Tokens, use: OnTokens) -> bool:
    """Recognise `“Tom.”`, which answers a question and addresses nobody."""
    quote = tokens.quote[use.first]
    alone = use.first < 2 or tokens.quote[use.first - 2] != quote
    return alone and tokens.words[use.end] == "." and tokens.quote[min(use.end + 2, len(tokens) - 1)] != quote


def people_among(evidence: dict[ProperName, NameEvidence]) -> set[ProperName]:
    """Return names of people, groups and animals.

    The clear cases come first, then the names that share words with them.
    """
    sure = {n for n, e in evidence.items() if _is_sure(n, e)}
    parts = {word for name in sure for word in name.core if len(word) > 2}
    return sure | {n for n, e in evidence.items() if n not in sure and _is_likely(n, e, parts)}


def _is_given(word: str) -> bool:
    return word in words("given_names_she") or word in words("given_names_he")


def _is_sure(name: ProperName, evidence: NameEvidence) -> bool:
    if name.titles:
        return name.titles[0] not in ("St", "Saint") or evidence.person > evidence.place
    return len(name.core) > 1 and _is_given(name.core[0]) and evidence.place <= evidence.count / 2


def _is_likely(name: ProperName, evidence: NameEvidence, parts: set[str]) -> bool:
    share = evidence.place / evidence.count
    if name.core[0] in words("group_nouns"):
        return False
    if has_article(evidence):
        return evidence.person >= _ARTICLE_PERSON and evidence.person > evidence.count / 4 > evidence.place
    if len(name.core) == 1 and name.core[0] in parts:
        return share < 0.5 or evidence.person > evidence.place
    if _is_given(name.core[0]):
        return share < 0.5
    if len(name.core) > 1 and parts.intersection(name.core):
        return evidence.person >= evidence.place
    if evidence.animal:
        return True
    return evidence.person >= 1 and evidence.person > 1.5 * evidence.place and share < 0.4


def has_article(evidence: NameEvidence) -> bool:
    """Return whether a name takes `the`, like that of a ship or an inn, or of the Hatter."""
    return evidence.article > evidence.count / 2


def place_like(names: Sequence[ProperName], evidence: dict[ProperName, NameEvidence]) -> set[ProperName]:
    """Return names of people that a place or thing in this book bears too."""
    return {n for n in names if not n.titles and (evidence[n].place >= 2 or evidence[n].article >= 2)}
