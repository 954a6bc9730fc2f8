"""Correct English lemmas where a guess went wrong: `heard` is `hear` and `liked` is `like`.

A network that guesses lemmas by their endings makes up words that do not exist: `cri`, `lik`, `begg`. Rules
list the lemmas that a form may come from. To choose between two (`lik` or `like`), the infinitives that the
book itself uses decide, then a few spelling rules, and the guess if it is among the candidates.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from coref.language.word_lists import lines, table, words

_DOUBLED = re.compile(r"([bdfgklmnprt])\1$")
_ONE_BEAT = re.compile(r"[^aeiouy]*(?:qu)?[aeiouy][bcdfgklmnprstvz]$")
"""One syllable with one vowel and one consonant, which would have been doubled without a final e."""
_SILENT = re.compile(
    r"(?:[cuvz]|^ow|lg|[^aeiou]s|[aeiou]s|[drv]g|[^aeiou]ang|[^aeiou]ing|(?:len|ven|un)g|[aio]g"
    r"|[^aeioulrnw]l|(?<![aeo])il|[^aeiou][iaou]b|(?<![aeo])[aiu]r|(?:pl|gn|st|d|x)or|[^aeo]at|[ei]at|(?:inv|exc|rec|un|desp)it|[^aeo]ut|(?<!o)ot"
    r"|(?<![aeo])[iuao]d|ced|[cpl]et|[^aeio][iou]k|[aeiou]qu|[^aeo]in|pon|sum|sever|sid|iev|eath)$"
)
"""Endings of longer stems that lost an e before -ed and -ing."""
_TRAVELL = re.compile(r"[aeiou][^aeiou]+[eo]ll$")
_NO_E = re.compile(r"(?:vis|lim|ed|prof|cred|inhab|exhib|mer|depos|prohib|inher|spir|aud)it$|[oae]{2}t$|oat$")
_FORMS = {
    **dict.fromkeys(("is", "am", "are", "was", "were", "been", "being", "be", "art", "wert"), "be"),
    **dict.fromkeys(("has", "had", "having", "hath", "hast"), "have"),
    **dict.fromkeys(("does", "did", "done", "doing", "doth", "dost"), "do"),
}


@cache
def irregular_verbs() -> tuple[tuple[str, str, str], ...]:
    """Return base, past and participle of each verb."""
    rows = (line.split() for line in lines("irregular_verbs"))
    return tuple((base, past, participle) for base, past, participle in rows)


def mended(forms: Sequence[str], tags: Sequence[str], guesses: Sequence[str]) -> list[str]:
    """Return the lemmas of the words of one book, from their forms, tags and guessed lemmas."""
    mender = Mender(zip(forms, tags, guesses, strict=True))
    held: dict[str, str] = {}
    lemmas = (mender.of(*word) for word in zip(forms, tags, guesses, strict=True))
    return [held.setdefault(lemma, lemma) for lemma in lemmas]  # share equal strings across the book


class Mender:
    """Corrects the lemmas guessed by the native lemmatizer or by another parser. Computes each form once."""

    def __init__(self, book: Iterable[tuple[str, str, str]]) -> None:
        """`book` holds every word with its tag and guessed lemma. It shows which words exist."""
        seen = set(book)
        self._bases = _known_bases() | {
            form.casefold()
            for form, tag, guess in seen
            if tag == "VERB" and form.casefold() == guess.casefold() and not form.endswith(("s", "ed", "ing"))
        }
        self._qualities = words("compared") | {form.casefold() for form, tag, _ in seen if tag == "ADJ"}
        self._of: dict[tuple[str, str, str], str] = {}

    def of(self, form: str, tag: str, guess: str) -> str:
        """Return the lemma, in lower case except for names.

        Words that are neither verbs, nouns nor adjectives keep the guess.
        """
        key = (form, tag, guess)
        found = self._of.get(key)
        if found is None:
            found = self._of[key] = self._work_out(form.casefold().replace("’", "'"), tag, guess)
        return found

    def _work_out(self, word: str, tag: str, guess: str) -> str:
        if not word.isascii() or not word.replace("-", "").isalpha():
            return guess
        if tag == "AUX":
            return _FORMS.get(word, guess)
        if tag == "VERB":
            return self._verb(word, guess.casefold())
        if tag == "NOUN":
            return _noun(word, guess.casefold())
        if tag == "ADJ":
            compared = word.endswith(("er", "est", "better", "best", "worse", "worst"))
            return guess.casefold() if compared and guess.casefold() in self._qualities else word
        return guess

    def _verb(self, word: str, guess: str) -> str:
        if word in _FORMS:
            return _FORMS[word]
        if word in _irregular():
            return guess if guess in _irregular()[word] else _irregular()[word][0]
        if word in self._bases or word.endswith("eed"):
            return word
        if word.endswith("s") and not word.endswith("ss"):
            return self._choose(_without_s(word), guess)
        for ending in ("ing", "ed"):
            if word.endswith(ending) and len(word) > len(ending) + 1:
                return self._choose(_stems(word, ending), guess)
        return guess if guess in self._bases else word

    def _choose(self, stems: Sequence[str], guess: str) -> str:
        """Choose among `stems`, which begin with the likeliest by spelling."""
        if guess in stems and guess in self._bases:
            return guess
        return next((stem for stem in stems if stem in self._bases), stems[0])


@cache
def _irregular() -> dict[str, tuple[str, ...]]:
    """Return the verbs that each past or participle may belong to: `lay` belongs to lie and to lay itself."""
    found: dict[str, list[str]] = {}
    for base, past, participle in irregular_verbs():
        for form in dict.fromkeys((past, participle)):
            found.setdefault(form, []).append(base)
    return {form: tuple(bases) for form, bases in found.items()}


@cache
def _known_bases() -> frozenset[str]:
    lists = ("fulfilling_verbs", "denying_verbs", "opinion_verbs", "naming_verbs")
    listed = frozenset[str]().union(*map(words, lists))
    bases = {word for word in listed if not word.endswith(("ed", "ing"))}
    return frozenset(bases) | {base for base, _, _ in irregular_verbs()}


def _stems(word: str, ending: str) -> list[str]:
    """Return what the word may come from: `stopped` from stop, `hoped` from hope, `cried` from cry."""
    stem = word.removesuffix(ending)
    if ending == "ed" and stem.endswith("i"):
        return [stem[:-1] + "y", stem + "e"] if len(stem) > 2 else [stem + "e"]
    if ending == "ing" and stem in ("ly", "dy", "ty", "vy"):
        return [stem[:-1] + "ie"]
    if stem.endswith("e"):
        return [stem]  # agreeing
    if _ONE_BEAT.fullmatch(stem):
        return [stem + "e"]
    if _DOUBLED.search(stem):
        # adding, called, stopped: only some consonants are double in the verb itself
        itself = len(stem) < 4 or (stem.endswith(("ll", "ff")) and not _TRAVELL.search(stem))
        return [stem, stem[:-1]] if itself else [stem[:-1], stem]
    silent = _SILENT.search(stem) and not _NO_E.search(stem) and not stem.endswith("ss")
    return [stem + "e", stem] if silent else [stem, stem + "e"]


def _without_s(word: str) -> list[str]:
    if word.endswith("ies") and len(word) > 4:
        return [word[:-3] + "y", word[:-1]]
    if word.endswith(("sses", "xes", "zzes", "ches", "shes", "oes")):
        return [word[:-2], word[:-1]]
    return [word[:-1], word[:-2]] if word.endswith("ses") else [word[:-1]]


def _noun(word: str, guess: str) -> str:
    head, dash, last = word.rpartition("-")
    if last in table("irregular_nouns"):
        return head + dash + table("irregular_nouns")[last]
    if last.endswith("men") and last not in words("plural_alike"):
        return word[:-2] + "an"
    if not word.endswith("s") or word.endswith(("ss", "us", "is")) or word in words("plural_alike"):
        return word
    return word if guess == word and len(word) < 4 else _without_s(word)[0]
