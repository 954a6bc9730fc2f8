"""Finds the character that a person means by a name. Ambiguity is reported as `CharacterAmbiguous`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from enum import IntEnum, auto
from functools import cache, lru_cache
from itertools import chain, takewhile

from coref.census import slug
from coref.chinese.lexicon import simplify
from coref.errors import CharacterAmbiguous, CharacterUnknown
from coref.language.word_lists import same, table
from coref.names.titles import PRONOUNS_OF_GENDER
from coref.types import Alias, Annotations, Character, CharacterKind

Fits = Callable[[Character], bool]


class Closeness(IntEnum):
    """How closely a name fits somebody, the closest first."""

    ID = auto()
    NAME = auto()
    """A display name or an alias, with a title or without."""
    PART = auto()
    SPELLING = auto()
    SPELT_PART = auto()
    SCRIPT = auto()
    NONE = auto()


_CLEARLY = 0.95
"""Share of the mentions of all whom a name fits from which it means the one who has them."""


def find(annotations: Annotations, name: str) -> Character:
    """Find a character by id, display name, alias, name without title, or some of the words of a name.

    If nobody has it as it is spelt, accents, hyphens and apostrophes do not count, nor does the script of
    Chinese. The first of these that matches anybody decides. If it matches several people, none of them is
    chosen, unless hardly any mention is of the others.
    """
    found = fitting(annotations, name)
    if not found:
        raise _unknown(annotations, name)
    meant = likely(found)
    if len(meant) > 1:
        raise _ambiguous(name, meant)
    return meant[0]


def fitting(annotations: Annotations, name: str) -> list[Character]:
    """Return all whom the name fits in the first way that fits anybody."""
    return closest(annotations.characters, name)[1]


def closest(people: Sequence[Character], name: str) -> tuple[Closeness, list[Character]]:
    """Return all whom the name fits in the first way that fits anybody, and how close that is."""
    for closeness, fits in _ways(name):
        if found := [c for c in people if fits(c)]:
            return closeness, found
    return Closeness.NONE, []


def likely(found: Sequence[Character]) -> Sequence[Character]:
    """Return only the one who has nearly all mentions of those whom a name fits, or all of them."""
    most = max(found, key=lambda c: c.mention_count)
    return [most] if most.mention_count > _CLEARLY * sum(c.mention_count for c in found) else found


def may_fit(name: str) -> Callable[[str], bool]:
    """Return whether the name may lead to somebody with this alias, quickly for all aliases of a library."""
    letters = [_letters(word) for word in (bare(name) or name).split()]
    anybody = Character("", "", (), CharacterKind.PERSON, None, 0, 0)

    def may(alias: str) -> bool:
        its = _letters(alias)
        if not all(word in its for word in letters):
            return False
        return bool(closest([replace(anybody, name=alias, aliases=(Alias(alias, 0, 0),))], name)[1])

    return may if any(letters) else lambda _: False


def _letters(text: str) -> str:
    return "".join(map(_word_letters, text.split()))


@lru_cache(maxsize=2**16)
def _word_letters(word: str) -> str:
    return slug(simplify(word)).replace("-", "")


def displayed_with(annotations: Annotations, name: str) -> list[Character]:
    """Return those who are displayed by a name with the words of this one, and with no other title."""
    words, titles, may_be = set(bare(name).split()), _titles_in(name), _may_be(name)
    everybody = annotations.characters if words else ()
    named = (c for c in everybody if words <= set(bare(c.name).split()) and may_be(c))
    return [c for c in named if not titles or not (its := _titles_in(c.name)) or titles & its]


def _ways(name: str) -> Iterator[tuple[Closeness, Fits]]:
    key, wanted, alone, may_be = name.strip(), same(name), bare(name), _may_be(name)
    words = set(alone.split())
    yield Closeness.ID, lambda c: c.id == key
    yield Closeness.NAME, lambda c: same(c.name) == wanted
    yield Closeness.NAME, lambda c: any(same(a.text) == wanted for a in c.aliases)
    if alone:
        yield Closeness.NAME, _of_aliases(may_be, lambda its: its == alone)
        yield Closeness.PART, _of_aliases(may_be, lambda its: words <= set(its.split()))
    if spelt := _spellings(alone):
        yield Closeness.SPELLING, _of_aliases(may_be, lambda its: bool(spelt & _spellings(its)))
        yield Closeness.SPELT_PART, _of_aliases(may_be, lambda its: _has_words(its, spelt))
    simple = simplify(wanted)
    yield (
        Closeness.SCRIPT,
        lambda c: simple in (simplify(same(text)) for text in (c.name, *(a.text for a in c.aliases))),
    )


def _of_aliases(may_be: Fits, means: Callable[[str], bool]) -> Fits:
    return lambda c: may_be(c) and any(means(bare(a.text)) for a in c.aliases)


def _spellings(alone: str) -> set[tuple[str, ...]]:
    """Return the plain words of a name, parted by its hyphens and apostrophes, and as if it had none."""
    parted = slug(alone).split("-")
    joined = [slug(word).replace("-", "") for word in alone.split()]
    return {words for one in (parted, joined) if (words := tuple(filter(None, one)))}


def _has_words(alone: str, spelt: set[tuple[str, ...]]) -> bool:
    """Return whether a name has all words of one of the spellings of another."""
    its = set(chain.from_iterable(_spellings(alone)))
    return any(its.issuperset(words) for words in spelt)


def _may_be(name: str) -> Fits:
    """Return whether somebody's pronouns do not contradict the titles before a name."""
    before = takewhile(_titles().__contains__, _words(name))
    told = next((PRONOUNS_OF_GENDER[g] for t in before if (g := _titles()[t]) in ("she", "he")), None)
    contrary = {"she/her": "he/him", "he/him": "she/her"}.get(told or "")
    return lambda c: contrary is None or c.pronouns != contrary


def bare(name: str) -> str:
    """Return the name without titles, articles and full stops."""
    return " ".join(w for w in _words(name) if w not in _titles())


def _words(name: str) -> list[str]:
    return [word for w in same(name).split() if (word := w.strip(".,"))]


@cache
def _titles() -> dict[str, str]:
    """Return the gender of each title and of the article."""
    return {t.casefold(): gender for t, gender in table("titles").items()} | {"the": "any"}


def _titles_in(name: str) -> set[str]:
    return {word for word in _words(name) if word in _titles() and word != "the"}


def quoted(name: str) -> str:
    """Return a name in quotation marks, as messages show it: control characters are not shown."""
    return f"“{''.join(filter(str.isprintable, name))}”"


def _ambiguous(name: str, found: Sequence[Character]) -> CharacterAmbiguous:
    people = ", ".join(f"{c.name} ({c.id})" for c in found[:8])
    return CharacterAmbiguous(
        f"{quoted(name)} matches {len(found)} characters: {people}.",
        candidates=tuple(c.id for c in found),
    )


def near_names(annotations: Annotations, name: str, *, alike: float = 0.6) -> list[str]:
    """Return the names that are spelt like one that nobody has, the nearest first."""
    known = {same(a.text): a.text for c in annotations.characters for a in c.aliases}
    return [known[key] for key in get_close_matches(same(name), known, n=3, cutoff=alike)]


def near_hint(annotations: Annotations, name: str) -> str:
    """Return a sentence with the near names, after a space, or nothing."""
    near = near_names(annotations, name)
    return f" Near names: {', '.join(near)}." if near else ""


def _unknown(annotations: Annotations, name: str) -> CharacterUnknown:
    if not annotations.characters:
        return CharacterUnknown("No characters were found in this book.", remedy="Search its text instead.")
    return CharacterUnknown(
        f"No character of this book is called {quoted(name)}.{near_hint(annotations, name)}"
    )
