"""Attributes that the book asserts about a character, with how each is said: `was proud`, `X, the
housekeeper,`, `the widow`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from coref.language.parsed_sentence import ParsedSentence
from coref.language.predicates import SUBJECTS
from coref.types import MentionKind, TraitKind
from generation.lexicon import words
from generation.story.indexed_book import IndexedBook

_LINKS = frozenset(("of", "at", "in", "to", "from", "on", "for"))
_POINTING = frozenset(("this", "that", "these", "those", "which", "what", "such", "any", "no"))
_VAGUE, _DIM = 0.8, 0.4
"""Factor for a statement whose subject is a pronoun, and for one whose subject is not found."""
_MOST_BEHIND = 6
"""Words of a phrase after its noun: rector of Hunsford."""
_BEFORE = ("amod", "compound", "nummod")
_PHRASE = re.compile(r"[A-Za-zÀ-ÿ’' -]+")


class AttributionManner(StrEnum):
    SAID = "said"
    """ "He was a doctor"."""
    BESIDE = "beside"
    """ "Livesey, the doctor"."""
    CALLED = "called"
    """ "The doctor"."""
    QUALIFIED = "qualified"
    """ "The proud man", "poor Tom"."""


@dataclass(frozen=True, slots=True)
class AttributeStatement:
    word: int
    lemma: str
    noun: bool
    manner: AttributionManner
    speaker: str | None
    """None in the narration."""
    trust: float
    """Certainty of who the statement is about."""
    start: int
    end: int
    """End offset of the words that state it."""


def sayings(
    reading: IndexedBook, character: str, *, wanted: Callable[[str], bool] | None = None
) -> Iterator[AttributeStatement]:
    """Yield the attributes that are asserted, neither denied nor only possible. `wanted` selects by lemma and
    saves reading the others.
    """
    for trait in reading.traits_of(character):
        if trait.kind is not TraitKind.IS or trait.negated or trait.modal is not None:
            continue
        if wanted is not None and not wanted(trait.lemma):
            continue
        word = reading.word_at(trait.span.end - 1)
        sentence = reading.sentence_of(word)
        noun = sentence.tag(word) == "NOUN"
        manner = _manner(reading, sentence, word)
        speaker = reading.speaker_at(trait.span.start)
        trust = _trust(reading, sentence, word, character)
        yield AttributeStatement(
            word, trait.lemma, noun, manner, speaker, trust, trait.span.start, trait.span.end
        )


def _manner(reading: IndexedBook, s: ParsedSentence, word: int) -> AttributionManner:
    if s.kids(word, "cop") or s.relation(word) in ("xcomp", "acl", "acl:relcl", "root"):
        return AttributionManner.SAID
    mention = reading.meant.get(word)
    if s.tag(word) == "NOUN" and mention is not None and mention.kind is MentionKind.NOMINAL:
        return AttributionManner.BESIDE if s.relation(word) == "appos" else AttributionManner.CALLED
    return AttributionManner.QUALIFIED if s.relation(word) in ("amod", "conj") else AttributionManner.BESIDE


def _trust(reading: IndexedBook, s: ParsedSentence, word: int, character: str) -> float:
    """Return the certainty of who is described. A name is more certain than a pronoun, and `I` as certain as
    the speaker.
    """
    subject = s.kid(word, *SUBJECTS)
    own = [subject] if subject is not None and reading.who(subject) == character else list(s)
    theirs = [m for i in own if (m := reading.meant.get(i)) is not None and m.character == character]
    if any(m.kind is MentionKind.PROPER for m in theirs):
        return 1.0
    best = max(theirs, key=lambda m: m.confidence, default=None)
    if best is None:
        return _DIM
    quote = reading.quote_at(best.span.start)
    return _VAGUE * best.confidence * (quote.confidence if quote is not None else 1.0)


def phrase(reading: IndexedBook, word: int) -> str:
    """Return the noun with its modifiers, without article: `housekeeper at Pemberley`."""
    s = reading.sentence_of(word)
    span = s.phrase(word, *_BEFORE)
    text = reading.book.text
    front = " ".join(text[span.start : span.end].split())
    return " ".join(filter(None, (_lowered(front), _behind(reading, s, word))))


def _behind(reading: IndexedBook, s: ParsedSentence, word: int) -> str:
    for kid in s.kids(word, "nmod"):
        case = s.kid(kid, "case")
        if case != word + 1 or s.word(case) not in _LINKS:
            continue
        end = kid
        while s.holds(end + 1) and s.relation(end + 1) in ("flat", "compound") and s.head(end + 1) == kid:
            end += 1
        inside = range(case, end + 1)
        if len(inside) > _MOST_BEHIND or s.tag(kid) not in ("NOUN", "PROPN"):
            return ""
        if any(s.tag(i) in ("PRON", "PUNCT", "VERB") or s.word(i) in _POINTING for i in inside):
            return ""
        found = " ".join(reading.book.text[s.start(case) : s.span(end, end).end].split())
        return found if _PHRASE.fullmatch(found) and found.split()[-1].lower() not in words("opaque") else ""
    return ""


def _lowered(front: str) -> str:
    """Put the first letter in lower case. A name inside the phrase keeps its capital."""
    return front[:1].lower() + front[1:]
