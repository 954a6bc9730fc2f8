"""Decide whether an attribute lasts, and which aspect it describes. "Was proud" may hold for an hour."""

from __future__ import annotations

from coref.language.parsed_sentence import ParsedSentence
from coref.language.word_lists import table
from coref.types import Character
from generation.lexicon import words
from generation.story.attributes import attribute_words
from generation.story.attributes.attribute_phrases import AdjectiveRow, AttributePhrase
from generation.story.types import Aspect

_GROWN = frozenset(("Mr.", "Mr", "Mrs.", "Mrs", "Dr.", "Dr", "Captain", "Colonel", "Lady", "Lord", "Sir"))
_SMALL = frozenset(("boy", "lad", "child", "baby", "youth"))
_STANDING = (Aspect.AGE, Aspect.CONDITION)
_MANNERS = frozenset(("air", "manner", "address", "voice", "carriage", "bearing", "dress", "presence"))
"""Features of appearance that are described by words for character."""
_DEGREES = frozenset(
    (
        "very",
        "exceedingly",
        "extremely",
        "remarkably",
        "uncommonly",
        "singularly",
        "strikingly",
        "wonderfully",
    )
)


def person(s: ParsedSentence, found: AttributePhrase) -> Aspect | None:
    """Return the aspect that "a tall, heavy-looking young man" describes, or None."""
    lemmas = [s.word(k) if s.tag(k) == "VERB" else s.lemma(k) for k in found.row.words]
    if any(attribute_words.passes(lemma) for lemma in lemmas):
        return None
    worth = [lemma for lemma in lemmas if attribute_words.telling(lemma)]
    if not worth and not found.behind:
        return None
    aspects = [a for lemma in worth if (a := attribute_words.listed(lemma)) is not None]
    if Aspect.LOOKS in aspects:
        return Aspect.LOOKS
    if aspects and (Aspect.NATURE in aspects or len(aspects) == len(worth)):
        return Aspect.NATURE if Aspect.NATURE in aspects else aspects[0]
    dated = any(s.tag(i) == "NUM" for i in range(found.noun, found.last + 1))
    return Aspect.AGE if dated else Aspect.NATURE


def fits(noun: str, character: Character) -> bool:
    """Whether a noun fits a character: a man is not a girl, and someone called Mr. is not a boy."""
    gender = {"he": "he/him", "she": "she/her"}.get(table("generic_people").get(noun, ""))
    if gender is not None and character.pronouns not in (gender, None):
        return False
    return noun not in _SMALL or not any(alias.text.split()[0] in _GROWN for alias in character.aliases)


def thing(s: ParsedSentence, found: AttributePhrase) -> bool:
    """Whether a feature lasts: "a pleasant countenance" does, "a white face" does not."""
    lemmas, noun = [s.lemma(k) for k in found.row.words], s.lemma(found.noun)
    if found.denied:
        return found.behind and attribute_words.is_feature("talents", noun)
    bad = [x for x in lemmas if attribute_words.passes(x) or x in words("marred")]
    if not lemmas or bad:
        firm = [x for x in lemmas if attribute_words.shaped(x, noun) or attribute_words.lasting(x)]
        looks = attribute_words.feature_aspect(noun) is Aspect.LOOKS
        return bool(firm) and (not looks or all(x in firm or x in words("colours") for x in bad))
    if attribute_words.is_feature("fleeting", noun):
        return any(attribute_words.lasting(lemma) for lemma in lemmas)
    return True


def row(s: ParsedSentence, found: AdjectiveRow) -> bool:
    """Whether a row of adjectives lasts. A single adjective may describe a moment, unless an adverb of degree
    is with it.
    """
    lemmas = [s.lemma(k) for k in found.words]
    if len(lemmas) == 1 and attribute_words.listed(lemmas[0]) not in _STANDING:
        relative = s.relation(found.words[0]) == "acl:relcl"
        if relative or found.texts[0].split()[0] not in _DEGREES:
            return False
    if _goes_on(s, found) and aspect(s, found) is Aspect.NATURE:
        return False
    return any(map(attribute_words.lasting, lemmas)) and not any(map(attribute_words.passes, lemmas))


def _goes_on(s: ParsedSentence, found: AdjectiveRow) -> bool:
    """Match "was kind, forgave her readily, and …", which is part of an event."""
    after = found.last + 2
    if s.holds(after) and s.word(after - 1) == "," and s.tag(after) == "VERB":
        return True
    joined = s.kids(found.words[0], "conj")
    return any(s.tag(k) == "VERB" and not s.kids(k, "nsubj", "aux", "aux:pass") for k in joined)


def aspect(s: ParsedSentence, found: AdjectiveRow) -> Aspect:
    """Return the aspect that most of the adjectives describe."""
    told = [a for k in found.words if (a := attribute_words.listed(s.lemma(k))) is not None]
    return max(dict.fromkeys(told), key=told.count, default=Aspect.NATURE)


def feature(s: ParsedSentence, noun: int, found: AdjectiveRow) -> bool:
    """Whether "his … was …" also holds on other days."""
    lemmas, of = [s.lemma(k) for k in found.words], s.lemma(noun)
    if any(attribute_words.passes(lemma) for lemma in lemmas):
        return False
    if not attribute_words.is_feature("changing", of):
        return not any(x in words("marred") and not attribute_words.coloured(x, of) for x in lemmas)
    looks = of not in _MANNERS and attribute_words.feature_aspect(of) is Aspect.LOOKS
    told = (attribute_words.lasting(lemma) for lemma in lemmas if lemma not in words("marred"))
    return any(attribute_words.coloured(x, of) for x in lemmas) or any(
        a is not None and (not looks or a is Aspect.LOOKS) for a in told
    )
