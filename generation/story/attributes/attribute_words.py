"""What a single word tells of somebody: an adjective that lasts, or a noun for what people have."""

from __future__ import annotations

from generation.lexicon import table, words
from generation.story.types import Aspect

_LISTS = (
    (Aspect.AGE, "ages"),
    (Aspect.LOOKS, "looks"),
    (Aspect.CONDITION, "conditions"),
    (Aspect.NATURE, "traits"),
)
_COLOURED = frozenset(
    ("eye", "hair", "beard", "moustache", "mustache", "whisker", "eyebrow", "brow", "lash", "eyelash",
     "complexion", "skin", "curl", "lock")
)  # fmt: skip
_UNWELL = frozenset(("red", "white", "yellow"))
"""Of eyes."""


def lasting(lemma: str) -> Aspect | None:
    """What it tells of somebody for good; None for what passes, or says nothing."""
    if lemma in words("passing") | words("feelings") | (words("hollow_qualities") - words("ages")):
        return None
    return listed(lemma)


def listed(lemma: str) -> Aspect | None:
    return next((aspect for aspect, name in _LISTS if lemma in words(name)), None)


def passes(lemma: str) -> bool:
    """A feeling or a state, never a trait."""
    return lemma in (words("feelings") | words("hollow_qualities")) and listed(lemma) is None


def telling(lemma: str) -> bool:
    """Whether "a … man" tells anything."""
    return lemma not in words("idle_adjectives") and not passes(lemma)


def feature_aspect(lemma: str) -> Aspect | None:
    """What a noun for a part, a gift or a possession tells of; None for any other."""
    found = table("features")
    return next((a for a in (Aspect.LOOKS, Aspect.NATURE, Aspect.CONDITION) if lemma in found[a.value]), None)


def is_feature(kind: str, lemma: str) -> bool:
    """Of `features`: whether a noun is `changing`, `fleeting`, `mass`, `paired` or of `talents`."""
    return lemma in table("features")[kind]


def is_person(lemma: str) -> bool:
    return lemma in words("people")


def shaped(lemma: str, noun: str) -> bool:
    """What a face or a figure is like on every day."""
    return lemma in words("shapes") or coloured(lemma, noun)


def coloured(lemma: str, noun: str) -> bool:
    found = noun in _COLOURED and lemma in words("colours")
    return found and not (noun == "eye" and lemma in _UNWELL)
