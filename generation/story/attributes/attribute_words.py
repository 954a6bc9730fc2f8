"""What a single word says about a character: a lasting adjective, or a noun for a feature."""

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
"""Colours of eyes that are a sign of illness."""


def lasting(lemma: str) -> Aspect | None:
    """Return the aspect of a lasting attribute, or None for a word that is transient or uninformative."""
    if lemma in words("passing") | words("feelings") | (words("hollow_qualities") - words("ages")):
        return None
    return listed(lemma)


def listed(lemma: str) -> Aspect | None:
    return next((aspect for aspect, name in _LISTS if lemma in words(name)), None)


def passes(lemma: str) -> bool:
    """Whether it is a feeling or a state and never a trait."""
    return lemma in (words("feelings") | words("hollow_qualities")) and listed(lemma) is None


def telling(lemma: str) -> bool:
    """Whether "a … man" with this adjective is informative."""
    return lemma not in words("idle_adjectives") and not passes(lemma)


def feature_aspect(lemma: str) -> Aspect | None:
    """Return the aspect that a noun for a feature, a talent or a possession describes, or None for any other
    noun.
    """
    found = table("features")
    return next((a for a in (Aspect.LOOKS, Aspect.NATURE, Aspect.CONDITION) if lemma in found[a.value]), None)


def is_feature(kind: str, lemma: str) -> bool:
    """Whether `features` lists a noun as `changing`, `fleeting`, `mass` or `paired`, or among the
    `talents`.
    """
    return lemma in table("features")[kind]


def is_person(lemma: str) -> bool:
    return lemma in words("people")


def shaped(lemma: str, noun: str) -> bool:
    """Whether an adjective describes a permanent feature of a face or a figure."""
    return lemma in words("shapes") or coloured(lemma, noun)


def coloured(lemma: str, noun: str) -> bool:
    found = noun in _COLOURED and lemma in words("colours")
    return found and not (noun == "eye" and lemma in _UNWELL)
