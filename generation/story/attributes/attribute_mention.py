"""Attribute mentions: what one place of a book says about a character, in the book's words and ready to be
reused.
"""

from __future__ import annotations

from dataclasses import dataclass

from coref.language.parsed_sentence import ParsedSentence
from generation.story.attributes import lasting_attributes
from generation.story.attributes.attribute_phrases import AdjectiveRow, AttributePhrase, slice_of
from generation.story.attributes.attribute_words import is_feature
from generation.story.indexed_book import IndexedBook
from generation.story.types import Aspect, StrokeKind

_CONTRASTS = frozenset(("but", "yet"))


@dataclass(frozen=True, slots=True)
class TrustedOwner:
    character: str
    trust: float
    """Certainty that this character is meant."""


@dataclass(frozen=True, slots=True)
class AttributeMention:
    owner: TrustedOwner
    kind: StrokeKind
    aspect: Aspect
    word: int
    """Index of the word in the parse."""
    text: str
    phrase: str
    adjectives: tuple[str, ...]
    lemmas: tuple[str, ...]
    """Lemmas of the adjectives."""
    noun: str | None
    counted: bool
    denied: bool
    speaker: str | None
    aside: bool = False
    """Whether it is mentioned in passing in a sentence about an event: "her grey eyes filled"."""


class AttributeMentions:
    """Build the attribute mentions of one book."""

    def __init__(self, reading: IndexedBook) -> None:
        self._r = reading

    def row(self, s: ParsedSentence, row: AdjectiveRow, owner: TrustedOwner) -> AttributeMention:
        """Build a mention from a row of adjectives: "proud and sardonic"."""
        text = slice_of(self._r, row.first, row.last)
        at = row.words[0]
        return AttributeMention(
            owner=owner,
            kind=StrokeKind.IS,
            aspect=lasting_attributes.aspect(s, row),
            word=at,
            text=text,
            phrase=text,
            adjectives=row.texts,
            lemmas=_lemmas(s, row),
            noun=None,
            counted=False,
            denied=False,
            speaker=self._r.speaker_at(s.start(at)),
        )

    def phrase(
        self,
        s: ParsedSentence,
        found: AttributePhrase,
        owner: TrustedOwner,
        kind: StrokeKind,
        aspect: Aspect,
        *,
        aside: bool = False,
    ) -> AttributeMention:
        """Build a mention from a noun phrase: "a pleasant countenance"."""
        said = slice_of(self._r, found.first, found.last)
        return AttributeMention(
            owner=owner,
            kind=kind,
            aspect=aspect,
            word=found.noun,
            text=said if aside else slice_of(self._r, found.start, found.last),
            phrase=said,
            adjectives=found.row.texts,
            lemmas=_lemmas(s, found.row),
            noun=slice_of(self._r, found.noun, found.noun).lower(),
            counted=found.counted,
            denied=found.denied,
            speaker=self._r.speaker_at(s.start(found.noun)),
            aside=aside,
        )

    def feature(
        self, s: ParsedSentence, noun: int, row: AdjectiveRow, owner: TrustedOwner, aspect: Aspect
    ) -> AttributeMention:
        """Build a mention from a predicate: "air was grave and stately" becomes "a grave and stately air"."""
        text = slice_of(self._r, noun, row.last)
        said = slice_of(self._r, noun, noun).lower()
        plural = s.word(noun) != s.lemma(noun)
        return AttributeMention(
            owner=owner,
            kind=StrokeKind.FEATURE,
            aspect=aspect,
            word=noun,
            text=text[:1].lower() + text[1:],
            phrase=f"{self._joined(row)} {said}",
            adjectives=row.texts,
            lemmas=_lemmas(s, row),
            noun=said,
            counted=not plural and not is_feature("mass", s.lemma(noun)),
            denied=False,
            speaker=self._r.speaker_at(s.start(noun)),
        )

    def _joined(self, row: AdjectiveRow) -> str:
        said = slice_of(self._r, row.first, row.last)
        if not _CONTRASTS.isdisjoint(said.split()):
            return said
        return " and ".join(filter(None, (", ".join(row.texts[:-1]), row.texts[-1])))


def _lemmas(s: ParsedSentence, row: AdjectiveRow) -> tuple[str, ...]:
    return tuple(s.lemma(k) for k in row.words)
