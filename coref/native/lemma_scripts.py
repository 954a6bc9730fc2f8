"""Lemmas as scripts: how many letters to remove from a word's end, and which ones to append.

`carried` → `carry` is `3|y`, and so is `married` → `marry`. A few hundred scripts yield nearly every lemma of
a language, so that choosing one is a classification. The network ranks the scripts, the word ends seen in
training decide whether a script fits, and irregular forms (`saw`, `went`) are looked up.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

SAME: Final = "0|"
"""The word as it is written, except for its capitals."""
_CASED = "^"
"""Marks scripts that keep capitals, for names."""
_SELDOM = 5
"""A change seen at fewer words' ends is no rule."""
_TRIED = 4
"""How many fitting scripts are searched for one that yields a known lemma."""
_MOSTLY = 0.8
"""Share of a form's uses from which on its lemma is looked up."""
Told = tuple[str, str, str]
"""A word, its tag and its lemma."""


def script_of(word: str, lemma: str) -> str:
    if lemma[:1].isupper() and word[:1].isupper():
        return _CASED + _difference(word, lemma)
    return _difference(word.lower(), lemma.lower())


def apply(script: str, word: str) -> str:
    """Return the lemma. A script that removes more letters than there are replaces the whole word."""
    return _Way.of(script).lemma(word)


class _Way(NamedTuple):
    """A script, taken apart."""

    cased: bool
    gone: int
    added: str

    @staticmethod
    def of(script: str) -> _Way:
        gone, _, added = script.removeprefix(_CASED).partition("|")
        return _Way(script.startswith(_CASED), int(gone), added)

    def lemma(self, word: str) -> str:
        base = word if self.cased else word.lower()
        return base[: max(0, len(base) - self.gone)] + self.added


class Lemmatizer:
    """Chooses lemmas by script.

    `endings` holds the letters that each script may remove, `irregular` the lemmas of forms with their tags,
    and `lemmas` those seen in training.
    """

    def __init__(
        self,
        scripts: Sequence[str],
        endings: Sequence[Sequence[str]],
        irregular: Iterable[tuple[str, str]],
        lemmas: Iterable[str],
    ) -> None:
        self._ways = tuple(map(_Way.of, scripts))
        self._endings = tuple(frozenset(of) for of in endings)
        self._irregular = dict(irregular)
        self._lemmas = frozenset(lemmas)

    def lemma(self, word: str, tag: str, likeliest: Iterable[int]) -> str:
        """Return the lemma of the likeliest fitting script, preferring one that yields a known lemma."""
        straight = word.lower().replace("’", "'")
        known = self._irregular.get(f"{straight} {tag}")
        if known is not None:
            return known
        first: str | None = None
        tried = 0
        for at in likeliest:
            way = self._ways[at]
            if (straight[-way.gone :] if way.gone else "") in self._endings[at]:
                lemma = way.lemma(word)
                if lemma in self._lemmas or (first is None and lemma[:1].isupper()):
                    return lemma
                first = first or lemma
                tried += 1
                if tried == _TRIED:
                    break
        return first or straight


def endings_of(told: Sequence[Told], scripts: Sequence[str]) -> list[list[str]]:
    """Return the endings that each script removes from several words."""
    seen: dict[str, set[str]] = defaultdict(set)
    for script, taken in _rules(told):
        seen[script].add(taken)
    return [sorted(seen[script]) for script in scripts]


def irregular_of(told: Sequence[Told]) -> list[tuple[str, str]]:
    """Return forms that follow no rule, each with its tag (`saw VERB`), and their lemmas."""
    regular = _rules(told)
    lemmas: dict[str, Counter[str]] = defaultdict(Counter)
    for word, tag, lemma in told:
        lemmas[f"{word.lower()} {tag}"][lemma] += 1
    found: dict[str, str] = {}
    for form, counts in lemmas.items():
        lemma, count = counts.most_common(1)[0]
        word = form.split(" ")[0]
        script = script_of(word, lemma)
        usual = (script, _taken(script, word)) in regular
        plain = (lemma.islower() and not usual) or lemma == "I"
        if plain and count >= _MOSTLY * counts.total() and " " not in word:
            found[form] = lemma
    return sorted(found.items())


def _rules(told: Sequence[Told]) -> set[tuple[str, str]]:
    """Return scripts with the endings that they remove from several different words."""
    forms: dict[tuple[str, str], set[str]] = defaultdict(set)
    for word, _, lemma in told:
        script = script_of(word, lemma)
        forms[script, _taken(script, word)].add(word.lower())
    return {rule for rule, words in forms.items() if len(words) >= _SELDOM}


def _taken(script: str, word: str) -> str:
    gone = _Way.of(script).gone
    return word.lower()[-gone:] if gone else ""


def _difference(word: str, lemma: str) -> str:
    alike = 0
    for here, there in zip(word, lemma, strict=False):
        if here != there:
            break
        alike += 1
    return f"{len(word) - alike}|{lemma[alike:]}"
