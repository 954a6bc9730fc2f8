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
    found = [k for k in (_follows(reading, s, n), _before(reading, s, n)) if k is not None]
    found += [k for k in s.kids(n, *BESIDE_BY)[:_MOST] if reading.named(k)]
    above = s.head(n)
    if above is not None and s.relation(n) in BESIDE_BY and reading.named(above):
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
    return _name_that_ends(reading, s, at - 2) if _closed(s, n + 1) else None


def _name_that_ends(reading: IndexedBook, s: ParsedSentence, word: int) -> int | None:
    """Return the head of the name that ends with a word."""
    for at in range(word, word - _TITLED, -1):
        mention = reading.meant.get(at) if s.holds(at) else None
        if mention is not None and mention.kind is MentionKind.PROPER and reading.who(at):
            return at if reading.word_at(mention.span.end - 1) == word else None
    return None


def _closed(s: ParsedSentence, at: int) -> bool:
    """Whether punctuation ends the apposition and no list of people continues after it."""
    last = at + _MOST
    while at < min(last, s.end) and s.tag(at) not in ("PUNCT", "VERB", "AUX", "CCONJ", "PRON", "PART"):
        at += 1
    if at >= s.end or s.word(at) not in _CLOSING:
        return False
    return s.word(at) != "," or not s.holds(at + 1) or s.tag(at + 1) not in ("CCONJ", "PROPN", "DET")
