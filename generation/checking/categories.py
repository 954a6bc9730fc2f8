"""Assign a claim to one of PRISMA's six classes by its words.

What a claim says about its subject counts: the noun or adjective after "is", what somebody "has", the verb.
Names are capitalised, and only their position matters.
"""

from __future__ import annotations

import re
from functools import cache

from coref.language.lemmas import irregular_verbs
from generation.lexicon import table, words
from generation.types import Category
from generation.verbs import known_verbs, participle_base, past_base

NAME = "offline/2"
_BE = frozenset({"is", "was", "are", "were", "be", "been", "am"})
_COPULA = _BE | frozenset({"becomes", "became", "become", "remains", "remained", "seems", "seemed"})
_HAVE = frozenset({"has", "had", "have", "lacks", "lacked", "shows", "showed", "displays", "possesses"})
_MODAL = frozenset("can cannot could will would shall should must may might does did do".split())  # noqa: SIM905
_WORD = re.compile(r"[^\W\d_]+(?:[-’'](?!s\b)[^\W\d_]+)*|\d+|[’']s?(?=\s)")
_ENDS = words("phrase_ends")
"""Words that end the first phrase after a verb."""
_ABOUT = frozenset(("of", "with", "by", "about", "at", "that", "for", "to", "over", "towards"))
_BEFORE_VERB = frozenset(
    ("once", "still", "then", "soon", "first", "later", "all", "both", "also", "not", "even")
)
_DETERMINERS = frozenset(("a", "an", "the", "his", "her", "their", "its", "no"))
_COUNTED = frozenset(("years", "year", "old", "feet", "tall", "inches", "pounds", "chapters", "miles"))
_OFFICE = frozenset(("charge", "house", "register", "office", "tale", "story", "history", "narrative", "inn"))
_STEPS = ("great-", "half-", "twin-", "foster-", "step-", "ex-")
_WAYS = re.compile(r"\b(?:tends?|used|likes?|loves?|prefers?|is apt|is prone|is given|is quick|is slow) to\b")
_IN_LOVE = re.compile(r"\bin (?:love|despair|doubt|awe|agony|dread|grief|two minds)\b")
_FOR_A_LIVING = re.compile(
    r"\bfor a living\b|\bby (?:trade|profession)\b|\b(?:acts?|serves?|works?|employed) as\b"
)
_COUNTED_SO = re.compile(
    r"\bmost often\b|\b(?:first|last) appears?\b|\bappears? (?:in|only)\b|\bis (?:called|named)\b"
)


def categorise(text: str) -> Category:
    """Return the category of `text`, one proposition with its names."""
    words_of = _words(text)
    at = _main_verb(words_of)
    low = " ".join(w for w, _ in words_of)
    if at is None:
        return Category.OTHER
    verb = words_of[at][0]
    after = words_of[at + 1 :]
    if _COUNTED_SO.search(low):
        return Category.OTHER
    if _FOR_A_LIVING.search(low):
        return Category.ROLE
    if _WAYS.search(low):
        return Category.PERSONALITY
    if verb == "comes" and after[:1] == [("to", False)]:
        return Category.MENTAL_STATE
    if verb in _COPULA or (verb in ("turns", "turned") and ("be", False) in after[:4]):
        return _being(words_of, at)
    if verb in _HAVE and not _perfect(after):
        return _having(after)
    return _doing(words_of, at)


def is_verb(word: str) -> bool:
    """Whether a word is a finite form that the lists contain: past tense, or third person present."""
    return word in _BE or word in _COPULA or word in ("had", "has", "did", "does") or _base(word) is not None


_Word = tuple[str, bool]
"""A word in lower case, and whether it is capitalised: a name, or part of one."""


def _words(text: str) -> list[_Word]:
    found = _WORD.findall(text)
    return [
        (w.lower().replace("'", "’"), w[:1].isupper() and (at > 0 or w.lower() not in _DETERMINERS))
        for at, w in enumerate(found)
    ]


def _main_verb(said: list[_Word]) -> int | None:
    """Return the first finite verb. Directly after a name any word but a conjunction is one."""
    for at, (word, name) in enumerate(said):
        if name or word in ("’s", "’"):
            continue
        if word in _COPULA or word in _HAVE or word in _MODAL:
            return _past_modal(said, at)
        behind_name = at > 0 and said[at - 1][1]
        known = _base(word) is not None or word in _bases()
        adverb = word.endswith("ly") or word in _BEFORE_VERB or word in words("habit_words")
        if behind_name and not adverb and word not in _ENDS and word not in _DETERMINERS:
            return at
        if known and at > 0 and not _owned(said, at) and word not in words("roles"):
            return at
    return None


def _past_modal(said: list[_Word], at: int) -> int:
    """Return the verb after "did not", "must", or the "has" of a perfect."""
    skip = ("not", "never", "always", "still", "once", "already", "long", "be")
    if said[at][0] not in _MODAL and not (said[at][0] in ("has", "had", "have") and _perfect(said[at + 1 :])):
        return at
    following = next((k for k in range(at + 1, len(said)) if said[k][0] not in skip), at)
    return at + 1 if said[following - 1][0] == "be" else following


def _owned(said: list[_Word], at: int) -> bool:
    """Whether the word is a noun with a determiner or possessor: "the look", "Jane’s love"."""
    return said[at - 1][0] in _DETERMINERS or said[at - 1][0] in ("’s", "’")


def _perfect(after: list[_Word]) -> bool:
    """Whether "has" belongs to a participle: "has always loved", "has been"."""
    rest = [
        w for w, name in after if not (w.endswith("ly") or w in ("not", "never", "always", "once", "long"))
    ]
    return bool(rest) and (rest[0] == "been" or participle_base(rest[0]) is not None)


def _being(said: list[_Word], at: int) -> Category:
    """Return the category of what follows "is": a relation, a role, a trait, a feeling, or a passive."""
    after = said[at + 1 :]
    low = [w for w, _ in after]
    if _IN_LOVE.search(" ".join(low)):
        return Category.MENTAL_STATE
    phrase = _first_phrase(after)
    rest = [w for w, _ in after[len(phrase) :]]
    nouns = [w for w, name in phrase if not name or _is_part(w)]
    found = _noun_said(nouns, phrase, rest) or _adjective_said(nouns, rest)
    if found is not None:
        return found
    beyond = [w for w, name in after if not name]
    return _noun_said(beyond, [], []) or _adjective_said(beyond, []) or _undergone(low)


def _is_part(word: str) -> bool:
    """Whether a capitalised word is a role in the story or the world: the Chairman."""
    return word in words("roles") or word in words("part_nouns")


def _first_phrase(after: list[_Word]) -> list[_Word]:
    end = next((k for k, (w, name) in enumerate(after) if w in _ENDS and not name and k > 0), len(after))
    return after[:end]


def _noun_said(nouns: list[str], phrase: list[_Word], rest: list[str]) -> Category | None:
    kin = any(_singular(w) in table("kin") or _singular(w) in words("bonds") for w in nouns)
    tied = any(_singular(w) in table("ties") and not _in_service(_singular(w)) for w in nouns)
    owned = (
        any(w in ("’s", "’") for w, _ in phrase)
        or rest[:1] == ["of"]
        or any(w in ("his", "her") for w in nouns)
    )
    plural = any(w != _singular(w) and _singular(w) in table("ties") for w in nouns)
    told = any(w in words("trait_nouns") or w in words("qualities") for w in rest)
    if told and rest[:1] == ["of"] and not kin:
        return Category.PERSONALITY
    if kin or (tied and (owned or plural or rest[:1] == ["to"])):
        return Category.RELATIONSHIP
    heads = [_singular(w) for w in nouns]
    named = [w for w in heads if w in words("trait_nouns") or w in words("qualities")]
    role = any(w in words("roles") or w in words("part_nouns") or w.endswith(_endings()) for w in heads)
    if role:
        return Category.ROLE
    return Category.PERSONALITY if named else None


def _adjective_said(nouns: list[str], rest: list[str]) -> Category | None:
    if any(w in _COUNTED or w.isdigit() for w in nouns):
        return Category.OTHER
    feeling = any(w in words("feelings") or w in words("mind_words") for w in nouns)
    trait = any(_root(w) in words("traits") for w in nouns)
    if feeling and (not trait or (rest and rest[0] in _ABOUT and "too" not in nouns)):
        return Category.MENTAL_STATE
    if trait:
        return Category.PERSONALITY
    if any(w in words("looks") for w in nouns):
        return Category.OTHER
    return None


def _undergone(low: list[str]) -> Category:
    """Return the category of a passive, a place or a state."""
    verbs = [b for w in low[:4] if (b := participle_base(w)) is not None]
    if any(b in words("bond_verbs") or b == "engage" for b in verbs):
        return Category.RELATIONSHIP
    if any(b in words("thinks") for b in verbs):
        return Category.MENTAL_STATE
    if any(w.endswith("ing") for w in low[:3]):
        return Category.EVENT
    return Category.EVENT if verbs and low[0] not in ("entailed", "pointed") else Category.OTHER


def _having(after: list[_Word]) -> Category:
    nouns = [w for w, name in after if not name]
    first = [w for w, name in _first_phrase(after) if not name]
    if any(_singular(w) in table("kin") or _singular(w) in table("ties") or w == "protector" for w in first):
        return Category.RELATIONSHIP
    if any(w in words("qualities") or _singular(w) in words("trait_nouns") for w in nouns):
        return Category.PERSONALITY
    if any(w in words("thinks") or w in words("mind_words") for w in first):
        return Category.MENTAL_STATE
    return Category.OTHER


def _doing(said: list[_Word], at: int) -> Category:
    verb = _base(said[at][0]) or said[at][0]
    before = [w for w, _ in said[:at]]
    after = [w for w, name in said[at + 1 :] if not name]
    office = verb in ("keep", "take", "tell", "lead", "run") and bool(_OFFICE & set(after))
    if office or verb in words("role_verbs"):
        return Category.ROLE
    modal = any(w in _MODAL for w in before)
    if any(w in words("habit_words") for w in before) and not modal:
        return Category.PERSONALITY
    if verb in words("bond_verbs"):
        return Category.RELATIONSHIP
    moved = any(w in words("feelings") or w in words("mind_words") for w in after)
    if verb in ("feel", "fall", "grow") and moved:
        return Category.MENTAL_STATE
    if verb in words("thinks") or verb in words("mind_verbs") - {"fall", "grow"}:
        return Category.MENTAL_STATE
    if "cannot" in before:
        return Category.PERSONALITY if len(after) > 1 else Category.OTHER
    if verb in words("state_verbs") and after[:1] not in (["up"], ["down"], ["out"], ["back"]):
        return Category.OTHER
    return Category.EVENT if len(said) > at + 1 or _base(said[at][0]) else Category.PERSONALITY


def _singular(word: str) -> str:
    bare = word.split("-", 1)[-1] if word.startswith(_STEPS) else word
    for base in (bare, bare.removesuffix("s"), bare.removesuffix("es"), f"{bare.removesuffix('ies')}y"):
        if base in table("kin") or base in table("ties"):
            return base
    return word.removesuffix("s") if len(word) > 4 and not word.endswith("ss") else word


def _root(word: str) -> str:
    """Return the base of a comparative or superlative: "proudest", "kinder"."""
    for ending in ("est", "er"):
        bare = word.removesuffix(ending)
        if bare != word and bare in words("traits"):
            return bare
    return word


def _in_service(term: str) -> bool:
    """Whether a relation is first of all an occupation: somebody's maid."""
    return term in words("roles") and term not in ("guardian", "pupil", "neighbour", "partner")


@cache
def _endings() -> tuple[str, ...]:
    return tuple(words("role_endings"))


@cache
def _bases() -> frozenset[str]:
    return (
        known_verbs() | words("state_verbs") | words("role_verbs") | words("bond_verbs") | words("mind_verbs")
    )


@cache
def _base(word: str) -> str | None:
    """Return the base of a finite verb that the lists contain."""
    past = past_base(word)
    if past is not None:
        return past
    for base in (word.removesuffix("es"), word.removesuffix("s"), f"{word.removesuffix('ies')}y"):
        if word.endswith("s") and (base in _bases() or base in _irregular()):
            return base
    return None


def _irregular() -> frozenset[str]:
    return frozenset(row[0] for row in irregular_verbs())
