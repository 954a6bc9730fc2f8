"""The Chinese word lists, prepared for look-up. All of them are in simplified characters."""

from __future__ import annotations

from functools import cache, lru_cache

from coref.language.word_lists import lines, table, words

_LONGEST_SURNAME = 4
_BOOKS = 16
"""Texts whose script is kept: one book is asked for it with every answer."""


def simplify(text: str) -> str:
    """Return the text in simplified characters, one for one, so that offsets remain valid."""
    return text.translate(_simpler())


@lru_cache(maxsize=_BOOKS)
def is_traditional(text: str) -> bool:
    """Whether most of the characters that differ between the scripts are the traditional ones."""
    scripts = table("chinese_simplified").items()
    old, new = (frozenset("".join(signs)) for signs in zip(*scripts, strict=True))
    return sum(sign in old for sign in text) > sum(sign in new for sign in text)


@cache
def _simpler() -> dict[int, str]:
    pairs: dict[int, str] = {}
    for old, new in table("chinese_simplified").items():
        pairs |= {ord(one): other for one, other in zip(old, new, strict=True)}
    wide = range(0xFF10, 0xFF5B)
    return pairs | {point: chr(point - 0xFEE0) for point in wide if chr(point).isalnum()}


@cache
def surnames() -> frozenset[str]:
    """Return the surnames. Lists of single characters are written without blanks."""
    entries = words("chinese_surnames")
    return frozenset(
        name for entry in entries for name in (entry if len(entry) > _LONGEST_SURNAME else (entry,))
    )


@cache
def signs(name: str) -> frozenset[str]:
    """Return a list of single characters."""
    return frozenset(sign for line in lines(name) for sign in line if not sign.isspace())


@cache
def titles() -> dict[str, tuple[str | None, bool]]:
    """Return the gender that each title implies, and whether the name before it may be somebody else's."""
    return {
        title: (_gender(told.split()[0]), told.endswith(" own"))
        for title, told in table("chinese_titles").items()
    }


@cache
def relatives() -> dict[str, str | None]:
    """Return the words for relatives, with the gender that they tell."""
    return {word: _gender(told.split()[0]) for word, told in table("chinese_kin").items()}


@cache
def elders() -> frozenset[str]:
    """Return the words for relatives that are used like names by the younger ones."""
    return frozenset(word for word, told in table("chinese_kin").items() if told.endswith(" elder"))


@cache
def roles() -> dict[str, str | None]:
    """Return the words for people who are known by what they are, relatives among them."""
    return {role: _gender(told) for role, told in table("chinese_roles").items()} | relatives()


@cache
def forms_of_address() -> dict[str, str | None]:
    """Return what people are called in speech without a name, with the gender that it tells."""
    alone = {title: gender for title, (gender, _) in titles().items() if len(title) > 1}
    return alone | roles()


def _gender(told: str) -> str | None:
    return None if told == "any" else told


def title_of(name: str) -> str:
    """Return the title that a name ends in, or "" if there is none or nothing else."""
    for length in range(min(3, len(name) - 1), 0, -1):
        if name[-length:] in titles():
            return name[-length:]
    return ""


def surname_of(name: str) -> str:
    """Return the surname that a name begins with, trying double ones first, or "" if there is none."""
    for length in (4, 2, 1):
        if len(name) > length and name[:length] in surnames():
            return name[:length]
    return ""


def speaks(word: str) -> bool:
    return word in words("chinese_speech_verbs")


def acts(word: str) -> bool:
    return word in words("chinese_manner_verbs")
