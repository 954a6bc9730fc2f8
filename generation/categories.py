"""Which of PRISMA's six classes a claim belongs to, by the words it is made of."""

from __future__ import annotations

import re

from coref.lemmas import irregular_verbs
from generation.lexicon import table, words
from generation.types import Category
from generation.verbs import known_verbs, past_base, stem

_COPULA = frozenset(
    {"is", "was", "are", "were", "be", "been", "becomes", "became", "remains", "seems", "seemed"}
)
_WORD = re.compile(r"[a-z]+(?:[-’'][a-z]+)*")
_LOVE = frozenset("love marri engag betroth wed divorc befriend court elop".split())  # noqa: SIM905 - stems


def categorise(text: str) -> Category:
    """`text` is one proposition with its names; capitalised words are names and are not looked at."""
    found = _WORD.findall(" ".join(w for w in text.split() if not w[:1].isupper()))
    copula = any(w in _COPULA for w in found)
    if copula and (kind := _predicated(found)) is not None:
        return kind
    stems = {stem(w) for w in found}
    if any(_base(w) in words("thinks") or w in words("feelings") for w in found):
        return Category.MENTAL_STATE
    if stems & _LOVE:
        return Category.RELATIONSHIP
    if any(_base(w) is not None for w in found if w not in _COPULA):
        return Category.EVENT
    return Category.OTHER


def is_verb(word: str) -> bool:
    """A finite form that the lists know: past tense, or third person present."""
    return word in _COPULA or word in ("had", "has", "did", "does") or _base(word) is not None


def _predicated(found: list[str]) -> Category | None:
    """What follows "is": a tie, a role, a trait, a feeling."""
    after = found[next(i for i, w in enumerate(found) if w in _COPULA) + 1 :]
    if any(w in table("kin") for w in after) or (
        "of" in after and any(w in table("ties") for w in after[: after.index("of")])
    ):
        return Category.RELATIONSHIP
    for name, category in (
        ("roles", Category.ROLE),
        ("traits", Category.PERSONALITY),
        ("feelings", Category.MENTAL_STATE),
        ("looks", Category.OTHER),
    ):
        if any(w in words(name) for w in after):
            return category
    return None


def _base(word: str) -> str | None:
    """The base of a finite verb that the lists know."""
    past = past_base(word)
    if past is not None:
        return past
    for base in (word.removesuffix("es"), word.removesuffix("s"), f"{word.removesuffix('ies')}y"):
        if word.endswith("s") and (base in known_verbs() or base in _irregular()):
            return base
    return None


def _irregular() -> frozenset[str]:
    return frozenset(row[0] for row in irregular_verbs())
