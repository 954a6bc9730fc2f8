"""Descriptive phrases that can stand alone: rows of adjectives, and nouns with their adjectives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from coref.language.parsed_sentence import ParsedSentence
from generation.lexicon import words
from generation.story.attributes.attribute_words import feature_aspect, is_feature, listed
from generation.story.indexed_book import IndexedBook

_RAISING = frozenset(
    ("so", "as", "too", "more", "less", "most", "least", "how", "enough", "half", "almost", "nearly")
)
_ROW = frozenset(("ADJ", "ADV", "CCONJ", "PUNCT"))
_JOINTS = frozenset((",", "and", "but", "yet"))
_BEHIND = frozenset(("ADJ", "ADV", "CCONJ", "PUNCT", "NOUN", "NUM", "DET", "ADP", "VERB"))
_ARTICLES = frozenset(("a", "an"))
_DEFINITE = frozenset(("the", "this", "that", "these", "those", "all", "any", "every", "each", "some"))
_LEADING = frozenset(("such", "many", "what", "'s"))
_ABOUT = frozenset(("about", "some", "or", "and", "perhaps", "nearly"))
_MOST_WORDS = 14
_MOST_BEHIND = 9


@dataclass(frozen=True, slots=True)
class AdjectiveRow:
    """Coordinated adjectives."""

    words: tuple[int, ...]
    first: int
    last: int
    texts: tuple[str, ...]
    """Each adjective with its adverb, in lower case."""


@dataclass(frozen=True, slots=True)
class AttributePhrase:
    """A noun with its adjectives and what follows it."""

    noun: int
    first: int
    """First word of the phrase without its article."""
    last: int
    start: int
    """Index of the article, or of the first word where there is none."""
    row: AdjectiveRow
    counted: bool
    denied: bool
    behind: bool
    """Whether a phrase with `of` belongs to it."""


def row(r: IndexedBook, s: ParsedSentence, word: int) -> AdjectiveRow | None:
    """Return the adjective with those coordinated with it, or None if one is compared or has a complement."""
    found = [word]
    while (k := _next(s, found[-1])) is not None:
        if s.kids(k, "nsubj") or any(c > word for c in s.kids(k, "cop")):
            break
        if s.kids(k, "obl", "advcl", "xcomp", "ccomp", "nmod"):
            return None
        found.append(k)
    return None if any(_compared(s, k) for k in found) else _row(r, s, found)


def _next(s: ParsedSentence, last: int) -> int | None:
    """Return the adjective coordinated with the previous one, wherever the parser attaches it."""
    at = last + 1
    while s.holds(at) and s.word(at) in _JOINTS:
        at += 1
    if at == last + 1:
        return None
    while s.holds(at) and s.tag(at) == "ADV" and listed(s.lemma(at)) is None:
        at += 1
    if not s.holds(at) or not (s.tag(at) == "ADJ" or _adjective(s, at)) or s.tag(at) == "VERB":
        return None
    return at if not s.holds(at + 1) or s.tag(at + 1) not in ("NOUN", "ADJ", "PROPN") else None


def _row(r: IndexedBook, s: ParsedSentence, found: list[int]) -> AdjectiveRow:
    firsts = [_first(s, k) for k in found]
    texts = tuple(slice_of(r, first, k).lower() for first, k in zip(firsts, found, strict=True))
    return AdjectiveRow(tuple(found), firsts[0], found[-1], texts)


def trailing(r: IndexedBook, s: ParsedSentence, at: int) -> AdjectiveRow | None:
    """Return the adjectives after a noun, "tall, handsome", up to the punctuation that ends them."""
    found, end = [], at
    while (
        s.holds(end)
        and s.tag(end) in _ROW
        and (s.tag(end) not in ("PUNCT", "CCONJ") or s.word(end) in _JOINTS)
    ):
        if s.tag(end) == "ADJ":
            found.append(end)
        end += 1
    closed = not s.holds(end) or s.tag(end) in ("PUNCT", "ADP") or s.tag(end - 1) == "PUNCT"
    if not found or not closed or s.tag(end - 1) not in ("ADJ", "PUNCT"):
        return None
    led_on = s.holds(end) and s.tag(end) == "ADP" and (s.tag(end - 1) == "ADJ" or s.word(end) != "with")
    return None if led_on or any(_compared(s, k) for k in found) else _row(r, s, found)


def _first(s: ParsedSentence, k: int) -> int:
    """Return the index of an adverb of degree directly before the adjective, else that of the adjective."""
    before = k - 1
    graded = s.holds(before) and s.head(before) == k and s.relation(before) == "advmod"
    kept = graded and (s.word(before).endswith("ly") or s.word(before) in _DEGREES)
    return before if kept and s.word(before) not in words("turning_adverbs") | words("comments") else k


_DEGREES = frozenset(("very", "rather", "quite", "somewhat", "most", "not"))


def _compared(s: ParsedSentence, k: int) -> bool:
    if any(s.word(a) in _RAISING or s.word(a) in words("negations") for a in s.kids(k, "advmod")):
        return True
    if s.kids(k, "advcl", "ccomp") or any(s.case(o) in ("than", "as") for o in s.kids(k, "obl", "nmod")):
        return True
    return s.word(k) != s.lemma(k) and s.word(k).endswith(("er", "est"))


def _lower_slice(r: IndexedBook, first: int, last: int) -> str:
    return slice_of(r, first, last).lower()


def slice_of(r: IndexedBook, first: int, last: int) -> str:
    """Return the book's words on one line, without emphasis marks."""
    return " ".join(r.book.text[r.parse.starts[first] : r.parse.ends[last]].replace("_", "").split())


def phrase(r: IndexedBook, s: ParsedSentence, n: int) -> AttributePhrase | None:
    """Return an indefinite noun phrase that can stand alone, or None for any other.

    The phrase is read word by word, because in a long list of features the parser attaches adjectives to the
    wrong noun.
    """
    first = n
    while s.holds(first - 1) and _in_front(s, first - 1):
        first -= 1
    while first < n and s.tag(first) in ("CCONJ", "PUNCT"):
        first += 1
    before = first - 1
    det = s.word(before) if s.holds(before) and s.tag(before) == "DET" else None
    counted, denied = det in _ARTICLES, det == "no"
    if det is not None and not (counted or denied):
        return None
    start = before if det is not None else first
    if _led_on(s, start, bool(det)):
        return None
    inside = range(first, n)
    adjectives = [k for k in inside if _adjective(s, k)]
    if n - first > _MOST_WORDS or any(s.word(i) in _RAISING for i in inside):
        return None
    if any(_compared(s, k) for k in adjectives):
        return None
    texts = tuple(_lower_slice(r, max(first, _first(s, k)), k) for k in adjectives)
    last = _behind(s, n)
    return AttributePhrase(
        noun=n,
        first=first,
        last=last if last is not None else n,
        start=start,
        row=AdjectiveRow(tuple(adjectives), first, n - 1, texts),
        counted=counted,
        denied=denied,
        behind=last is not None,
    )


def _led_on(s: ParsedSentence, start: int, det: bool) -> bool:
    """Whether the word before a phrase belongs to it: "such a man", "three men", "her eyes"."""
    before = start - 1
    if not s.holds(before):
        return False
    if s.word(before) in _RAISING | _LEADING or s.relation(before) == "nmod:poss":
        return True
    return s.tag(before) == "ADJ" or (not det and s.tag(before) in ("NUM", "PROPN"))


def owned(s: ParsedSentence, n: int) -> AttributePhrase | None:
    """Match "her large grey eyes". The phrase starts at the possessor."""
    first = n
    while s.holds(first - 1) and (s.tag(first - 1) == "ADJ" or s.word(first - 1) == ","):
        first -= 1
    own = first - 1
    if (
        not s.holds(own)
        or first == n
        or s.tag(first) != "ADJ"
        or s.relation(own) not in ("nmod:poss", "case")
    ):
        return None
    if s.tag(own) == "PART":
        own -= 1
    if s.relation(own) != "nmod:poss" or any(_compared(s, k) for k in range(first, n)):
        return None
    adjectives = tuple(k for k in range(first, n) if s.tag(k) == "ADJ")
    row = AdjectiveRow(adjectives, first, n - 1, tuple(s.word(k) for k in adjectives))
    counted = s.word(n) == s.lemma(n) and not is_feature("mass", s.lemma(n))
    return AttributePhrase(n, first, n, own, row, counted, denied=False, behind=False)


def _in_front(s: ParsedSentence, i: int) -> bool:
    """Whether a word may stand between an article and the noun."""
    tag, word = s.tag(i), s.word(i)
    if tag in ("PUNCT", "CCONJ"):
        return word in _JOINTS or word == "-"
    if tag == "NOUN":
        return _adjective(s, i) or not _ends(s, i)
    if tag == "VERB":
        return s.relation(i) == "amod"
    return (
        _adjective(s, i)
        or tag == "ADJ"
        or (tag == "ADV" and (word in _DEGREES or word in _RAISING or word.endswith("ly")))
    )


def _adjective(s: ParsedSentence, i: int) -> bool:
    """Whether a word is an adjective, even where the parser tags it differently: "a grave, silent
    young man".
    """
    tag = s.tag(i)
    if tag in ("NOUN", "ADV"):
        return (s.relation(i) == "amod" or tag == "ADV") and listed(s.lemma(i)) is not None
    return tag == "ADJ" or (tag == "VERB" and s.relation(i) == "amod")


def _ends(s: ParsedSentence, noun: int) -> bool:
    """Whether a noun ends its own phrase, with no other noun directly after it."""
    return not s.holds(noun + 1) or s.tag(noun + 1) not in ("NOUN", "ADJ")


def _behind(s: ParsedSentence, n: int) -> int | None:
    """Return the last word of "of five-and-twenty" or "of mean understanding and little information"."""
    for k in s.kids(n, "nmod"):
        case = s.kid(k, "case")
        if case != n + 1 or s.word(case) not in ("of", "for", "about"):
            continue
        last = max(_tree(s, k, s.kids(k, "amod", "compound", "nummod", "conj", "flat", "fixed")))
        inside = range(case, last + 1)
        fit = all(s.tag(i) in _BEHIND for i in inside) and len(inside) <= _MOST_BEHIND
        if not fit or any(s.word(i) in _DEFINITE | words("outside") for i in inside):
            return None
        if any(s.tag(i) == "PUNCT" and s.word(i) not in (",", "-") for i in inside):
            return None
        return None if s.tag(last) in ("CCONJ", "PUNCT", "DET", "ADP") else _row_behind(s, last)
    return _age_behind(s, n)


def _age_behind(s: ParsedSentence, n: int) -> int | None:
    """Match "of five-and-twenty", wherever the parser attaches it."""
    last = n + 1
    if not s.holds(last + 1) or s.word(last) not in ("of", "about"):
        return None
    while s.holds(last + 1) and (s.tag(last + 1) == "NUM" or s.word(last + 1) in _ABOUT):
        last += 1
    return last if s.tag(last) == "NUM" else None


def _row_behind(s: ParsedSentence, last: int) -> int:
    """Return the end of "of mean understanding, and uncertain temper", or `last` where there is no list."""
    at, joined = last, False
    while s.holds(at + 1) and s.word(at + 1) in (",", "and") and not joined:
        nxt = at + 1
        while s.holds(nxt) and s.word(nxt) in (",", "and"):
            joined = joined or s.word(nxt) == "and"
            nxt += 1
        begin = nxt
        while s.holds(nxt) and s.tag(nxt) == "ADJ":
            nxt += 1
        if nxt == begin or not s.holds(nxt) or s.tag(nxt) != "NOUN" or feature_aspect(s.lemma(nxt)) is None:
            return last
        at = nxt
    closed = not s.holds(at + 1) or s.tag(at + 1) == "PUNCT"
    return at if joined and closed else last


def _tree(s: ParsedSentence, word: int, kids: list[int]) -> Iterator[int]:
    yield word
    for k in kids:
        if s.tag(k) == "VERB":
            continue
        yield from _tree(s, k, s.kids(k, "amod", "compound", "nummod", "conj", "flat", "fixed"))
