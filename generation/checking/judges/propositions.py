"""Find the propositions of a sentence: who does what to whom, and whether it is denied or only possible.

A claim and a sentence of the book are read by the same rules, so that "she was refused by him" matches "he
refused her".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from books.types import Span
from coref.language.factuality import Moods
from coref.language.parsed_sentence import ParsedSentence
from coref.language.predicates import PredicateFrame, Subjects
from coref.traits.relation_phrases import RelationPhrase, ties
from coref.traits.word_owners import WordOwners
from generation.lexicon import words
from generation.verbs import stem

_OTHER_CLAUSES = frozenset(("parataxis", "advcl", "acl:relcl", "ccomp"))
_CONTENT = frozenset(("NOUN", "VERB", "ADJ", "ADV", "NUM", "PROPN"))
_DEEPEST = 24


@dataclass(frozen=True, slots=True)
class Proposition:
    stem: str
    """Stem of the predicate."""
    agents: frozenset[str]
    patients: frozenset[str]
    others: frozenset[str]
    """Other people in its clause."""
    stems: frozenset[str]
    """Stems of the content words of its clause."""
    denied: bool
    modal: str | None
    nominal: bool
    """Whether it states an attribute: he was proud, she is a widow."""
    chief: bool
    """Whether it is the main predicate of its sentence."""


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """A sentence, of a claim or of the book."""

    span: Span
    chapter: int
    stems: frozenset[str]
    people: frozenset[str]
    propositions: tuple[Proposition, ...]
    ties: tuple[RelationPhrase, ...]
    denies: bool
    """Whether it contains any negation."""
    numbers: frozenset[str]
    speaker: str | None = None
    """The speaker, or None in the narration."""


def read(
    sentence: ParsedSentence, who: Mapping[int, str], moods: Moods, *,
    span: Span, chapter: int = 0, speaker: str | None = None, also: frozenset[str] = frozenset(),
) -> ReadSentence:  # fmt: skip
    """Return the propositions and people of a sentence.

    `also` has people who are present without a word that refers to them, such as the speaker.
    """
    deeds = Subjects(sentence, who).deeds()
    people = WordOwners(dict(who), frozenset(who), frozenset(), {})
    stems = {i: found for i in sentence if (found := content(sentence, i)) is not None}
    return ReadSentence(
        span=span,
        chapter=chapter,
        stems=frozenset(stems.values()),
        people=frozenset(who.values()) | also,
        propositions=(
            *(_proposition(d, sentence, who, moods, stems) for d in deeds),
            *_attributes(sentence, who, stems),
        ),
        ties=tuple(ties(sentence, people)),
        denies=any(_denies(sentence.word(i)) for i in sentence),
        numbers=frozenset(number(sentence.word(i)) for i in sentence if _is_number(sentence, i)),
        speaker=speaker,
    )


def content(s: ParsedSentence, i: int) -> str | None:
    """Return the stem of a content word, or None for any other word."""
    if s.tag(i) not in _CONTENT or not s.word(i)[:1].isalnum():
        return None
    lemma, word = s.lemma(i), s.word(i)
    if len(lemma) < 2 or lemma in words("stop_words") or word in words("stop_words") or _denies(word):
        return None
    return stem(number(lemma))


def number(word: str) -> str:
    """Return a number with its tens first: "six-and-thirty" becomes "thirty-six"."""
    parts = word.split("-")
    return f"{parts[2]}-{parts[0]}" if len(parts) == 3 and parts[1] == "and" else word


def _is_number(s: ParsedSentence, i: int) -> bool:
    word = number(s.word(i))
    return word.isdigit() or word in words("numbers") or (s.tag(i) == "NUM" and "-" in word)


def _denies(word: str) -> bool:
    return word in words("negations") or word.endswith("n't")


def _proposition(
    deed: PredicateFrame, s: ParsedSentence, who: Mapping[int, str], moods: Moods, told: Mapping[int, str]
) -> Proposition:
    mood = moods.of(deed.word)
    subject, objects = frozenset(deed.subjects), frozenset(deed.objects)
    agents, patients = (frozenset(deed.agents), subject) if deed.passive else (subject, objects)
    if s.lemma(deed.word) in words("mutual"):
        agents = patients = agents | patients  # somebody who marries is married
    inside = list(_clause(s, deed.word))
    there = frozenset(who[i] for i in inside if i in who)
    verbal = s.tag(deed.word) in ("VERB", "AUX") and not s.kids(deed.word, "cop")
    return Proposition(
        stem=told.get(deed.word) or stem(s.lemma(deed.word)),
        agents=agents,
        patients=patients,
        others=there - agents - patients,
        stems=frozenset(told[i] for i in inside if i in told),
        denied=mood.negated,
        modal=mood.modal,
        nominal=not verbal,
        chief=s.head(deed.word) is None,
    )


def _attributes(s: ParsedSentence, who: Mapping[int, str], told: Mapping[int, str]) -> Iterator[Proposition]:
    """Yield attributes within a mention: "the blind man", "Mr. Perry the apothecary"."""
    for head, person in who.items():
        nouns = [k for k in s.kids(head, "appos", "nmod:desc", "flat") if s.tag(k) in ("NOUN", "PROPN")]
        above = s.head(head)
        if above is not None and s.relation(head) in ("appos", "flat", "nmod:desc") and above not in who:
            nouns.append(above)
        if s.tag(head) == "NOUN":
            nouns.append(head)
        for noun in nouns:
            for at in (noun, *s.kids(noun, "amod", "compound")):
                if at in told:
                    inside = list(_clause(s, noun))
                    stems = frozenset(told[i] for i in inside if i in told)
                    others = frozenset(who[i] for i in inside if i in who) - {person}
                    one = frozenset((person,))
                    yield Proposition(told[at], one, frozenset(), others, stems, False, None, True, False)


def _clause(s: ParsedSentence, predicate: int) -> Iterator[int]:
    """Yield the words of a clause without those of other clauses that have their own proposition."""
    waiting = [(predicate, 0)]
    while waiting:
        at, depth = waiting.pop()
        yield at
        for k in s.kids_of(at) if depth < _DEEPEST else ():
            relation = s.relation(k)
            apart = relation in _OTHER_CLAUSES or (relation == "conj" and at == predicate)
            if not (apart and s.tag(k) in ("VERB", "AUX")):
                waiting.append((k, depth + 1))
