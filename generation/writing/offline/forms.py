"""English forms for telling a story in the present: verbs that agree, auxiliaries, pronouns."""

from __future__ import annotations

import re
from functools import cache

from coref.language.lemmas import irregular_verbs
from generation.lexicon import words
from generation.writing.offline.clause_parts import FiniteVerb, GrammaticalCase

_BE = FiniteVerb("is", "are")
_AUXILIARIES = {
    "was": _BE,
    "were": _BE,
    "is": _BE,
    "are": _BE,
    "am": _BE,
    "had": FiniteVerb("has", "have"),
    "has": FiniteVerb("has", "have"),
    "have": FiniteVerb("has", "have"),
    "did": FiniteVerb("does", "do"),
    "does": FiniteVerb("does", "do"),
    "do": FiniteVerb("does", "do"),
    "got": FiniteVerb("gets", "get"),
    "would": FiniteVerb("will", "will"),
    "will": FiniteVerb("will", "will"),
    "could": FiniteVerb("can", "can"),
    "can": FiniteVerb("can", "can"),
    "might": FiniteVerb("may", "may"),
    "may": FiniteVerb("may", "may"),
    "must": FiniteVerb("must", "must"),
    "should": FiniteVerb("should", "should"),
    "ought": FiniteVerb("ought", "ought"),
}
_PRONOUNS = {
    "she/her": ("she", "her", "her", "herself"),
    "he/him": ("he", "him", "his", "himself"),
    "they/them": ("they", "them", "their", "themselves"),
    "it/its": ("it", "it", "its", "itself"),
}
_ODD = {"be": "is", "have": "has", "do": "does", "go": "goes", "undergo": "undergoes", "forego": "foregoes"}
_HISSES = ("s", "x", "z", "ch", "sh")
_ONE_BEAT = re.compile(r"[^aeiou]*(?:qu)?[aeiou][bdgklmnprtv]")
"""Of one syllable, with one vowel and one consonant that is doubled."""


def present(lemma: str) -> FiniteVerb:
    return _BE if lemma == "be" else FiniteVerb(third(lemma), lemma, lemma)


def gerund(base: str) -> str:
    """`make` making, `stop` stopping, `die` dying."""
    if base.endswith("ie"):
        return f"{base[:-2]}ying"
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")) and base != "be":
        return f"{base[:-1]}ing"
    doubles = _ONE_BEAT.fullmatch(base) or base in words("doubling_verbs")
    return f"{base}{base[-1]}ing" if doubles else f"{base}ing"


def third(lemma: str) -> str:
    """`go` goes, `cry` cries."""
    if lemma in _ODD:
        return _ODD[lemma]
    if lemma.endswith(_HISSES):
        return f"{lemma}es"
    if lemma.endswith("y") and lemma[-2:-1] not in "aeiou":
        return f"{lemma[:-1]}ies"
    return f"{lemma}s"


def auxiliary(word: str) -> FiniteVerb | None:
    """The present of a finite auxiliary; None for what has none that is sure (`'d`)."""
    return _AUXILIARIES.get(word)


def pronoun(pronouns: str | None, case: GrammaticalCase) -> str | None:
    """None for somebody of whom the book does not say which."""
    forms = _PRONOUNS.get(pronouns or "")
    return None if forms is None else forms[tuple(GrammaticalCase).index(case)]


@cache
def unchanging() -> frozenset[str]:
    """Verbs whose past is their base: `put`."""
    return frozenset(base for base, past, _ in irregular_verbs() if base == past)


def likely_base(lemma: str) -> bool:
    """Whether a lemma looks like one: not `refused` left as it was."""
    return lemma.isalpha() and not (lemma.endswith("ed") and len(lemma) > 5 and not lemma.endswith("eed"))
