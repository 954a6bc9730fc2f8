"""Clean title, author and language, as people and programs write them into ebooks, for display."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from books.lists import lines

_NO_TITLE = frozenset(("", "unknown", "index", "cover", "title", "no title"))
_MADE_UP = ("microsoft word - ", "untitled")
"""Prefixes of titles that a program generated."""
_NO_AUTHOR = frozenset(("", "unknown", "author", "unknown author", "microsoft office user"))
_OF_GUTENBERG = re.compile(r"(?:the )?project gutenberg(?:[’']s| e-?book of| e-?text of) (.+?)\.?", re.I)
_AT_GUTENBERG = re.compile(r" ?[|—–-] ?project gutenberg$", re.I)
_BY = re.compile(r",? by (?!.*\bby )", re.I)


def tidy_title(title: str | None) -> tuple[str | None, str | None]:
    """Return a title as the book has it; and the author, where Project Gutenberg's title includes one."""
    whole = " ".join((title or "").split())
    bare = _AT_GUTENBERG.sub("", whole)
    named = _OF_GUTENBERG.fullmatch(bare)
    author = None
    if named or bare != whole:
        bare, *by = _BY.split(named[1] if named else bare, maxsplit=1)
        author = tidy_authors(by)
    said = bare.casefold()
    return (None if said in _NO_TITLE or said.startswith(_MADE_UP) else bare), author


def tidy_authors(names: Iterable[str | None]) -> str | None:
    """Return all authors in one line, each once."""
    bare = (" ".join((name or "").split()) for name in names)
    return ", ".join(dict.fromkeys(name for name in bare if name.casefold() not in _NO_AUTHOR)) or None


def turned_round(name: str) -> str:
    """Return `Carroll, Lewis`, as catalogues sort it, as `Lewis Carroll`."""
    family, comma, given = name.partition(", ")
    return f"{given} {family}" if comma and "," not in given else name


def language_code(tag: str | None) -> str | None:
    """Return the language code, `en` for `en-US` and for `eng`; None for an unknown one."""
    code = re.split(r"[-_]", (tag or "").strip().lower(), maxsplit=1)[0]
    code = _short_codes().get(code, code)
    return code if len(code) == 2 and code.isascii() and code.isalpha() else None


@cache
def _short_codes() -> dict[str, str]:
    return dict(line.split() for line in lines("books", "data/language_codes.txt"))
