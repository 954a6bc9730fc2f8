"""Find names in apposition to a noun: `her sister Jane`, `the butler, Barrymore,`, `Jane, her sister,`."""

from __future__ import annotations

from coref.language.parsed_sentence import ParsedSentence
from coref.types import MentionKind
from generation.story.indexed_book import IndexedBook

BESIDE_BY = ("appos", "flat", "nmod:desc", "compound")
_MOST = 8
"""Names beside one word that are examined. No real sentence has more."""
_CLOSING = frozenset((",", ".", ";", ":", "!", "?", ")", "—", "--"))
_TITLED = 4
"""Words of a name before its head: the Right Honourable Lady Catherine."""


def names_beside(reading: IndexedBook, s: ParsedSentence, n: int) -> list[int]:
    """Return the head words of the names."""
    found = [
        k for k in (_follows(reading, s, n), _before(reading, s, n), _behind(reading, s, n)) if k is not None
    ]
    found += [k for k in s.kids(n, *BESIDE_BY)[:_MOST] if reading.named(k) and _apart(s, n, k)]
    above = s.head(n)
    if above is not None and s.relation(n) in BESIDE_BY and reading.named(above) and _apart(s, above, n):
        found.append(above)
    return list(dict.fromkeys(found))


def _follows(reading: IndexedBook, s: ParsedSentence, n: int) -> int | None:
    """Return the head of a name that begins directly after the noun, whatever the parser makes of it."""
    for word in range(n + 1, min(n + 1 + _TITLED, s.end)):
        if s.tag(word) != "PROPN":
            return None
        mention = reading.meant.get(word)
        if mention is not None and mention.kind is MentionKind.PROPER:
            return word if mention.span.start <= s.start(n + 1) and reading.who(word) else None
    return None


def _apart(s: ParsedSentence, one: int, other: int) -> bool:
    """Whether an apposition is valid: adjacent, or enclosed by punctuation that also closes behind it."""
    low, high = sorted((one, other))
    if all(s.tag(k) != "PUNCT" for k in range(low + 1, high)):
        return True
    behind = high + 1
    while behind < s.end and s.tag(behind) == "PROPN":
        behind += 1
    listed = any(s.word(k) == "and" for k in range(low + 1, high))
    return not listed and (behind >= s.end or s.word(behind) in _CLOSING or s.tag(behind) == "CCONJ")


def _before(reading: IndexedBook, s: ParsedSentence, n: int) -> int | None:
    """Match "Mrs. Reed, the good housekeeper of the place,", which parsers take for a list of two people."""
    at = n - 1
    while s.holds(at) and s.tag(at) in ("ADJ", "NOUN", "NUM", "ADV"):
        at -= 1
    if s.holds(at) and s.word(at) in ("'s", "'"):  # "Sir Charles's butler"
        at -= 1
        while s.holds(at - 1) and s.tag(at - 1) == "PROPN":
            at -= 1
    if not s.holds(at - 2) or s.tag(at) not in ("DET", "PRON", "PROPN") or s.word(at - 1) != ",":
        return None
    return _name_that(reading, s, at - 2, ends=True) if _closed(s, n + 1) else None


def _behind(reading: IndexedBook, s: ParsedSentence, n: int) -> int | None:
    """Match "The housekeeper, Mrs. Reed,"."""
    if not s.holds(n + 2) or s.word(n + 1) != "," or not s.kids(n, "det", "nmod:poss"):
        return None
    name = _name_that(reading, s, n + 2, ends=False)
    if name is None:
        return None
    end = reading.word_at(reading.meant[name].span.end - 1)
    return name if _closed(s, end + 1, behind=0) else None


def _name_that(reading: IndexedBook, s: ParsedSentence, word: int, *, ends: bool) -> int | None:
    """Return the head of the name that begins or ends with a word."""
    for at in range(word, word - _TITLED, -1) if ends else range(word, word + _TITLED):
        mention = reading.meant.get(at) if s.holds(at) else None
        if mention is not None and mention.kind is MentionKind.PROPER and reading.who(at):
            edge = reading.word_at(mention.span.end - 1 if ends else mention.span.start)
            return at if edge == word else None
    return None


def _closed(s: ParsedSentence, at: int, *, behind: int = _MOST) -> bool:
    """Whether punctuation ends the apposition and no list of people continues after it."""
    last = at + behind
    while at < min(last, s.end) and s.tag(at) not in ("PUNCT", "VERB", "AUX", "CCONJ", "PRON", "PART"):
        at += 1
    if at >= s.end or s.word(at) not in _CLOSING:
        return False
    return s.word(at) != "," or not s.holds(at + 1) or s.tag(at + 1) not in ("CCONJ", "PROPN", "DET")
