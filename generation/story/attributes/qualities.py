"""What a character is like: nature, looks, age and condition. Denied and momentary qualities are left out."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property

from coref.language.parsed_sentence import ParsedSentence
from coref.language.predicates import SUBJECTS
from coref.language.word_lists import table
from coref.types import Mention, MentionKind, Trait, TraitKind
from generation.lexicon import words
from generation.story.attributes.attribute_statements import (
    AttributeStatement,
    AttributionManner,
    phrase,
    sayings,
)
from generation.story.attributes.roles import is_role
from generation.story.indexed_book import IndexedBook
from generation.story.types import Aspect, Quality

MOST = 40
_WEIGHTS = {
    AttributionManner.SAID: 1.0,
    AttributionManner.BESIDE: 1.0,
    AttributionManner.CALLED: 0.4,
    AttributionManner.QUALIFIED: 0.7,
}
_SPOKEN, _OF_ONESELF = 0.6, 0.4
_LEAST = 0.5
_DOUBTED = 0.45
"""Certainty below which a statement is left out."""
_PRONOUN = 0.1
"""The least uncertainty of any mention that is not a name."""
_CITED = 3
_MANY = 300
"""Mentions of a character from which one sentence with a pronoun is not enough."""
_BEING = frozenset(("was", "were", "is", "are", "am", "'s", "'re", "'m"))
_FACING = frozenset(("i", "you", "me", "thou", "ye"))
"""Pronouns whose referent depends on the speaker and the addressee."""
_MORE = frozenset(("more", "less", "most", "least", "too", "enough", "how"))


@dataclass(frozen=True, slots=True)
class _QualitySight:
    saying: AttributeStatement
    text: str
    aspect: Aspect
    weight: float
    said: bool
    """Whether it is stated outright, and not in passing as in "the proud man"."""
    named: bool
    """Whether the character is named."""


class Qualities:
    """The qualities of characters in one book. What is said about everybody is not distinctive."""

    def __init__(self, reading: IndexedBook) -> None:
        self._r = reading

    @cached_property
    def _bearers(self) -> Counter[str]:
        """Number of characters that each word is said about."""
        found = {(t.lemma, t.character) for t in self._r.annotations.traits if _holds(t)}
        return Counter(lemma for lemma, _ in found)

    def of(self, character: str) -> tuple[Quality, ...]:
        """Return the character's qualities, most distinctive first."""
        seen: dict[tuple[str, bool], list[_QualitySight]] = defaultdict(list)
        for saying in sayings(self._r, character):
            sight = self._sight(saying, character)
            if sight is not None:
                key = sight.text if saying.noun else saying.lemma
                seen[key, saying.noun].append(sight)
        often = self._r.people[character].mention_count > _MANY
        seen = {
            key: sights
            for key, sights in seen.items()
            if _stated_often_enough(sights) and (not often or _repeated_or_named(sights))
        }
        found = [
            q for (_, noun), sights in seen.items() if (q := self._quality(sights, noun=noun)) is not None
        ]
        return tuple(sorted(found, key=lambda q: (-q.weight, q.citations[0].span)))[:MOST]

    def _sight(self, saying: AttributeStatement, character: str) -> _QualitySight | None:
        aspect = self._aspect(saying)
        trust = self._trust(saying, character)
        if (
            aspect is None
            or trust < _DOUBTED
            or self._strained(saying)
            or not self._is_direct_statement(saying)
        ):
            return None
        weight = _WEIGHTS[saying.manner] * trust
        if saying.speaker is not None:
            weight *= _OF_ONESELF if saying.speaker == character else _SPOKEN
        return _QualitySight(
            saying, self._text(saying), aspect, weight, self._says_is(saying), named=trust == 1.0
        )

    def _first(self, saying: AttributeStatement) -> int:
        """Return the word itself, or the one it is coordinated with: "proud and *vain*"."""
        s, word = self._r.sentence_of(saying.word), saying.word
        while (
            s.relation(word) == "conj" and not s.kids(word, *SUBJECTS) and (above := s.head(word)) is not None
        ):
            word = above
        return word

    def _subject(self, saying: AttributeStatement) -> Mention | None:
        """Return the mention that the statement is about."""
        subject = self._r.sentence_of(saying.word).kid(self._first(saying), *SUBJECTS)
        return self._r.meant.get(subject) if subject is not None else None

    def _says_is(self, saying: AttributeStatement) -> bool:
        """Whether it is "he was proud", and not "he looked proud"."""
        s, first = self._r.sentence_of(saying.word), self._first(saying)
        return any(s.word(k) in _BEING for k in s.kids(first, "cop"))

    def _trust(self, saying: AttributeStatement, character: str) -> float:
        """Return the certainty of who the statement is about: its subject, whoever else is in the
        sentence.
        """
        subject = self._subject(saying)
        if subject is None:
            return saying.trust
        if subject.character != character:
            return 0.0
        if subject.kind is MentionKind.PROPER or saying.speaker is not None:
            return saying.trust
        return min(saying.trust, subject.confidence) * (1 - _PRONOUN)

    def _is_direct_statement(self, saying: AttributeStatement) -> bool:
        """Whether it is stated directly. In a quotation it must be about a name or a third person."""
        if not self._says_is(saying):
            return saying.manner is not AttributionManner.SAID and saying.speaker is None
        subject = self._subject(saying)
        if saying.speaker is None or subject is None:
            return subject is not None
        return self._r.book.slice(subject.span).casefold() not in _FACING

    def _aspect(self, saying: AttributeStatement) -> Aspect | None:
        lemma = saying.lemma
        if saying.noun:
            if saying.manner is AttributionManner.CALLED or (
                is_role(lemma) and lemma not in words("telling_nouns")
            ):
                return None
            return Aspect.NATURE if lemma in words("telling_nouns") or self._of_a_kind(saying) else None
        if lemma in words("half_said") or self._addressed(saying) or self._compared(saying):
            return None
        for aspect, name in _LISTS:
            if lemma in words(name):
                return aspect
        return None

    def _addressed(self, saying: AttributeStatement) -> bool:
        """Match "poor Harriet", "the good doctor", which are forms of address. "A young man" does describe
        him as young.
        """
        head = self._r.sentence_of(saying.word).head(saying.word)
        if head is None or saying.manner is not AttributionManner.QUALIFIED:
            return False
        said = words("terms_of_address") if self._r.named(head) else words("terms_of_address") - words("ages")
        return head in self._r.meant and saying.lemma in said

    def _compared(self, saying: AttributeStatement) -> bool:
        """Whether the adjective is a comparative or a superlative."""
        s = self._r.sentence_of(saying.word)
        word = s.word(saying.word)
        more = any(s.word(k) in _MORE for k in s.kids(saying.word, "advmod"))
        return more or (word != saying.lemma and word.endswith(("er", "est")))

    def _of_a_kind(self, saying: AttributeStatement) -> bool:
        """Match "a woman of mean understanding"."""
        generic = saying.lemma in table("generic_people")
        return generic and " of " in phrase(self._r, saying.word)

    def _strained(self, saying: AttributeStatement) -> bool:
        """Match "stupid with pain", "wild to be at home", "quiet now", which are transient or mean something
        else.
        """
        s = self._r.sentence_of(saying.word)
        if (not saying.noun and self._completed(s, saying.word)) or self._spoken_to(s, saying):
            return True
        near = (s.word(k) for k in s.kids(saying.word, "advmod", "obl", "obl:unmarked", "advcl"))
        return not words("strains").isdisjoint(near)

    def _spoken_to(self, s: ParsedSentence, saying: AttributeStatement) -> bool:
        """Match "Jane, Mr. Collins is a conceited man", where a parser takes the person addressed for the
        subject.
        """
        subject = s.kid(saying.word, *SUBJECTS)
        if saying.speaker is None or subject is None:
            return False
        mention = self._r.meant.get(subject)
        end = mention.span.end if mention is not None else s.span(subject, subject).end
        return self._r.book.text.startswith(",", end)

    def _completed(self, s: ParsedSentence, word: int) -> bool:
        """Whether the word has a complement, or somebody made them so."""
        if any(k > word for k in s.kids(word, "xcomp", "ccomp", "advcl")):
            return True
        above = s.head(word)
        made = above is not None and s.relation(word) == "xcomp" and s.lemma(above) in words("making_verbs")
        return made or any(s.case(k) for k in s.kids(word, "obl") if k > word)

    def _text(self, saying: AttributeStatement) -> str:
        if saying.noun:
            return phrase(self._r, saying.word)
        said = self._r.book.text[saying.start : saying.end]
        kept = [w for w in said.lower().split() if w not in _LEVELS]
        return " ".join(kept[-2:] if len(kept) > 1 and kept[-2] in _DEGREES else kept[-1:])

    def _quality(self, sights: list[_QualitySight], *, noun: bool) -> Quality | None:
        lemma = sights[0].saying.lemma
        votes = sum(s.weight for s in sights)
        if votes < _LEAST or (self._passing(lemma, sights) and not noun):
            return None
        own = [s for s in sights if s.saying.speaker is None]
        best = sorted(own or sights, key=lambda s: (-s.weight, s.saying.word))
        texts = Counter(s.text for s in best)
        cited = dict.fromkeys(self._r.cite(s.saying.start) for s in best[:_CITED])
        rare = math.log1p(len(self._r.people) / (1 + self._bearers[lemma]))
        return Quality(
            text=texts.most_common(1)[0][0],
            lemma=lemma,
            noun=noun,
            aspect=best[0].aspect,
            speaker=None if own else best[0].saying.speaker,
            citations=tuple(cited),
            weight=round(rare * math.log1p(votes) * (1.3 if noun and " of " in best[0].text else 1.0), 3),
            count=len(sights),
        )

    def _passing(self, lemma: str, sights: list[_QualitySight]) -> bool:
        """Whether a word that mostly describes a moment occurs too rarely to be a quality."""
        if lemma not in words("passing"):
            return False
        lasting = any(s.saying.manner is not AttributionManner.SAID for s in sights)
        return len(sights) < 2 or (not lasting and len(sights) < 4)


_LISTS = (
    (Aspect.AGE, "ages"),
    (Aspect.CONDITION, "conditions"),
    (Aspect.LOOKS, "looks"),
    (Aspect.NATURE, "traits"),
)
_LEVELS = frozenset(("as", "so", "how", "too", "more", "less", "just", "even", "now", "always", "still", "a"))
_DEGREES = frozenset(("very", "rather", "exceedingly", "extremely", "remarkably", "perfectly", "uncommonly"))


def _repeated_or_named(sights: list[_QualitySight]) -> bool:
    """Whether it is said twice, or once with the name. On a frequent character one pronoun is too often
    someone else's.
    """
    return len(sights) > 1 or sights[0].named


def _stated_often_enough(sights: list[_QualitySight]) -> bool:
    """Whether it is stated outright (by another character only with the name), or at least twice in
    passing.
    """
    plain = any(
        s.said or s.saying.manner is AttributionManner.BESIDE
        for s in sights
        if s.saying.speaker is None or s.named
    )
    return plain or len(sights) > 1


def _holds(trait: Trait) -> bool:
    return trait.kind is TraitKind.IS and not trait.negated and trait.modal is None
