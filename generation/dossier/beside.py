"""Names that stand by a noun: `her sister Jane`, `the butler, Barrymore,`, `Jane, her sister,`."""

from __future__ import annotations

from coref.traits.sentences import Sentence
from coref.types import MentionKind
from generation.dossier.reading import Reading

BESIDE_BY = ("appos", "flat", "nmod:desc", "compound")
_MOST = 8
"""Names beside one word that are looked at; no real sentence has more."""
_TITLED = 4
"""Words of a name before its head: the Right Honourable Lady Catherine."""


def names_beside(reading: Reading, s: Sentence, n: int) -> list[int]:
    """Head words of the names."""
    found = [] if (follows := _follows(reading, s, n)) is None else [follows]
    found += [k for k in s.kids(n, *BESIDE_BY)[:_MOST] if reading.named(k) and _apart(s, n, k)]
    above = s.head(n)
    if above is not None and s.relation(n) in BESIDE_BY and reading.named(above) and _apart(s, above, n):
        found.append(above)
    return list(dict.fromkeys(found))


def _follows(reading: Reading, s: Sentence, n: int) -> int | None:
    """The head of a name that begins right behind the noun, whatever the parser makes of it."""
    for word in range(n + 1, min(n + 1 + _TITLED, s.end)):
        if s.tag(word) != "PROPN":
            return None
        mention = reading.meant.get(word)
        if mention is not None and mention.kind is MentionKind.PROPER:
            return word if mention.span.start <= s.start(n + 1) and reading.who(word) else None
    return None


def _apart(s: Sentence, one: int, other: int) -> bool:
    """Whether an apposition is one: next to it, or between marks that close behind it, too."""
    low, high = sorted((one, other))
    if all(s.tag(k) != "PUNCT" for k in range(low + 1, high)):
        return True
    behind = high + 1
    while behind < s.end and s.tag(behind) == "PROPN":
        behind += 1
    listed = any(s.word(k) == "and" for k in range(low + 1, high))
    return not listed and (behind >= s.end or s.tag(behind) in ("PUNCT", "CCONJ"))
