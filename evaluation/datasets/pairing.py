"""Find the book of a text in a folder: the same number or title, and the same author if both are known.

Titles are compared without case, accents, punctuation, leading article and subtitle. Many files have lost the
punctuation before a subtitle ("moby dick or the whale"), so a title that is only the beginning of another one
counts as the same if author or number agree.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from evaluation.datasets.splits import normalised
from evaluation.datasets.types import DatasetEntry, Pair, ShelvedBook, Unpaired, Verified

_EDITION = re.compile(
    r" (?:complete|unabridged|illustrated|revised|annotated|(?:(?:\w+ )?(?:complete|\w+)d? )?edition)\s*$"
)
_APOSTROPHE = re.compile("['’]")
"""File names lack it."""
_BEGINS_SUBTITLE = {"a", "an", "the", "or", "being", "and"}
_SMALL = {"a", "an", "the", "of", "in", "and", "or"}
_NOBLE = {"sir", "lord", "lady", "baron", "baroness", "mrs", "mr", "miss", "dr", "jr", "sr", "graf", "comte"}
_TOGETHER = re.compile(r"\s+(?:and|with)\s+|\s*[&;]\s*")
_DATES = re.compile(r"[\[(]?\b\d{3,4}\??\s*(?:[-–]\s*(?:\d{3,4}\??)?)?[\])]?")

Work = tuple[str, str, str]
"""The data's reference to a book: number, title, author."""


def pair(
    entries: Iterable[DatasetEntry], books: Sequence[ShelvedBook]
) -> tuple[dict[Work, Pair], list[Unpaired]]:
    """Return the book of each work of the data, and the works without one, with the reason."""
    return pair_works(dict.fromkeys(entry.work for entry in entries), books)


def pair_works(
    works: Iterable[Work], books: Sequence[ShelvedBook]
) -> tuple[dict[Work, Pair], list[Unpaired]]:
    """Do the same for works without texts."""
    titled = [(_title(book.title), book) for book in books]
    pairs: dict[Work, Pair] = {}
    unpaired: list[Unpaired] = []
    for work in works:
        found = _book_of(work, titled)
        if isinstance(found, Pair):
            pairs[work] = found
        else:
            unpaired.append(Unpaired(work[1], work[2] or None, found))
    return pairs, unpaired


def same_author(one: str, other: str) -> bool:
    """Compare surnames and initials: Austen, Jane and J. Austen are the same; of several, one is enough."""
    return any(_agree(_names(a), _names(b)) for a in _people(one) for b in _people(other))


def titles_match(one: str, other: str) -> bool:
    """Compare titles, as when no number helps."""
    a, b = _title(one), _title(other)
    return a.replace(" ", "") == b.replace(" ", "") or _begins(a, b)


def _book_of(work: Work, titled: Sequence[tuple[str, ShelvedBook]]) -> Pair | str:
    number, title, author = work
    wanted = _title(title)
    numbered = [b for t, b in titled if b.number == number and _may_be(t, b, wanted, author)]
    if numbered:
        return Pair(numbered[0], _verified(numbered[0], number, author) or Verified.NUMBER)
    same = [b for t, b in titled if t.replace(" ", "") == wanted.replace(" ", "")]
    begun = [b for t, b in titled if b not in same and _begins(t, wanted)]
    if not same and not begun:
        return "no book of this title"
    sure = [Pair(b, v) for b in (*same, *begun) if (v := _verified(b, number, author)) is not None]
    known = [p for p in sure if p.verified is not Verified.NOTHING]
    sure = known or [p for p in sure if p.book in same]
    if not sure:
        others = ", ".join(dict.fromkeys(b.author or "nobody knows whom" for b in (*same, *begun)))
        return f"of this title there is only the book by {others}"
    return _one_of(sure, number)


def _may_be(title: str, book: ShelvedBook, wanted: str, author: str) -> bool:
    """Return whether a book of the right number may be the one: by its author, or by a word of its title.

    A file without a title of its own has only its number for one.
    """
    if book.author and author:
        return same_author(book.author, author)
    words = set(title.split()) - _SMALL
    return not words - {book.number} or bool(words & set(wanted.split()))


def _one_of(sure: Sequence[Pair], number: str) -> Pair | str:
    """Choose one of the editions of a book, which differ little; by title alone, all must have one text."""
    numbered = [p for p in sure if p.book.number == number]
    if numbered:
        return numbered[0]
    texts = {p.book.text_sha256 for p in sure}
    if len(texts) > 1 and sure[0].verified is Verified.NOTHING:
        return f"{len(texts)} books of this title, and none says who wrote it"
    return sure[0]


def _verified(book: ShelvedBook, number: str, author: str) -> Verified | None:
    """Return how a match was verified; None where the authors are known to differ."""
    if book.author and author:
        return Verified.AUTHOR if same_author(book.author, author) else None
    if book.number is not None and book.number == number:
        return Verified.NUMBER
    return Verified.NOTHING


def _title(title: str) -> str:
    return _EDITION.sub("", normalised(_APOSTROPHE.sub("", title)))


def _begins(one: str, other: str) -> bool:
    """Return whether the longer title is the shorter one with a subtitle."""
    short, long = sorted((one.split(), other.split()), key=len)
    return long[: len(short)] == short and len(long) > len(short) and long[len(short)] in _BEGINS_SUBTITLE


def _people(author: str) -> list[str]:
    return [name for name in _TOGETHER.split(author) if name.strip()]


def _names(author: str) -> tuple[str, tuple[str, ...]]:
    """Return the normalised surname and the other names."""
    letters = unicodedata.normalize("NFKD", _DATES.sub(" ", author)).casefold()
    plain = "".join(c for c in letters if not unicodedata.combining(c))
    last, comma, first = plain.partition(",")
    words = _words(f"{first.partition(',')[0]} {last}" if comma and _words(first) else plain)
    return (words[-1], tuple(words[:-1])) if words else ("", ())


def _words(text: str) -> list[str]:
    return [w for w in re.findall(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", text) if w not in _NOBLE]


def _agree(one: tuple[str, tuple[str, ...]], other: tuple[str, tuple[str, ...]]) -> bool:
    if not one[0] or one[0] != other[0]:
        return False
    short, long = sorted((one[1], other[1]), key=len)
    rest = iter(long)
    return all(any(_same_name(name, candidate) for candidate in rest) for name in short)


def _same_name(one: str, other: str) -> bool:
    """Return whether two names match: full names must be equal; an initial matches any that it begins."""
    return one == other or (min(len(one), len(other)) == 1 and one[0] == other[0])
