"""English forms for narration in the present tense: verbs that agree, auxiliaries, pronouns."""

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
"""One syllable with one vowel and a final consonant that is doubled."""


def present(lemma: str) -> FiniteVerb:
    return _BE if lemma == "be" else FiniteVerb(third(lemma), lemma, lemma)


def gerund(base: str) -> str:
    """Return the gerund: `make` making, `stop` stopping, `die` dying."""
    if base.endswith("ie"):
        return f"{base[:-2]}ying"
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")) and base != "be":
        return f"{base[:-1]}ing"
    doubles = _ONE_BEAT.fullmatch(base) or base in words("doubling_verbs")
    return f"{base}{base[-1]}ing" if doubles else f"{base}ing"


def third(lemma: str) -> str:
    """Return the third person singular: `go` goes, `cry` cries."""
    if lemma in _ODD:
        return _ODD[lemma]
    if lemma.endswith(_HISSES):
        return f"{lemma}es"
    if lemma.endswith("y") and lemma[-2:-1] not in "aeiou":
        return f"{lemma[:-1]}ies"
    return f"{lemma}s"


def auxiliary(word: str) -> FiniteVerb | None:
    """Return the present of a finite auxiliary, or None if it is ambiguous (`'d`)."""
    return _AUXILIARIES.get(word)


def pronoun(pronouns: str | None, case: GrammaticalCase) -> str | None:
    """Return the pronoun, or None if the book does not say which."""
    forms = _PRONOUNS.get(pronouns or "")
    return None if forms is None else forms[tuple(GrammaticalCase).index(case)]


@cache
def unchanging() -> frozenset[str]:
    """Return verbs whose past tense is their base form: `put`."""
    return frozenset(base for base, past, _ in irregular_verbs() if base == past)


def likely_base(lemma: str) -> bool:
    """Whether a lemma looks like a base form, and not like `refused` left unchanged."""
    return lemma.isalpha() and not (lemma.endswith("ed") and len(lemma) > 5 and not lemma.endswith("eed"))
