"""Resolve the pronouns of a text about characters of a book."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from coref.language.parsed_sentence import ParsedSentence
from coref.types import Character
from generation.checking.claims.clause_splitting import SUBJECTS
from generation.story.named_people import agrees

_SUBJECT, _OBJECT = frozenset(("he", "she", "they")), frozenset(("him", "her", "them"))
_OWNED = frozenset(("his", "her", "their"))
_REMEMBERED = 12
"""People whose order of mention is remembered."""


@dataclass(frozen=True, slots=True)
class TextPerson:
    """Somebody in the cast, or a name of nobody in it."""

    name: str
    character: Character | None = None

    def may_be(self, pronoun: str) -> bool:
        if self.character is None:
            return pronoun not in ("they", "them", "their")
        plural = pronoun.startswith("the")
        return agrees(pronoun, self.character) and not (plural and self.character.pronouns is None)


@dataclass(slots=True)
class Discourse:
    """The state of the discourse: who the text is about, and who was named last."""

    asked: tuple[TextPerson, ...]
    topic: TextPerson | None = None
    recent: list[TextPerson] = field(default_factory=list)

    def named(self, person: TextPerson) -> None:
        if person in self.recent:
            self.recent.remove(person)
        self.recent = [person, *self.recent[: _REMEMBERED - 1]]


def resolved(s: ParsedSentence, named: dict[int, TextPerson], discourse: Discourse) -> dict[int, TextPerson]:
    """Return the referent of each word of a sentence: of those `named`, and of the pronouns."""
    found: dict[int, TextPerson] = {}
    before: TextPerson | None = None
    for i in s:
        if i in named:
            discourse.named(named[i])
            found[i] = named[i]
        else:
            person = _pronoun(s, i, found, before, discourse)
            if person is not None:
                discourse.named(person)
                found[i] = person
        if i in found and s.relation(i) in SUBJECTS:
            before = found[i]
    top = next((i for i in s if s.head(i) is None), None)
    subject = None if top is None else s.kid(top, *SUBJECTS)
    if subject in found or before is not None:
        discourse.topic = found.get(-1 if subject is None else subject, before)
    return found


def _pronoun(
    s: ParsedSentence, i: int, found: dict[int, TextPerson], before: TextPerson | None, discourse: Discourse
) -> TextPerson | None:
    """Return whom a pronoun means: the first who agrees, of those who are likely in its place."""
    word = s.word(i)
    if s.tag(i) not in ("PRON", "DET"):
        return None
    topic, asked, recent = discourse.topic, discourse.asked, discourse.recent
    subject = _subject_of(s, i, found)
    people: Iterable[TextPerson | None] = ()
    if s.relation(i) == "nmod:poss" and word in _OWNED:
        people = (subject, topic, *recent, *asked)
    elif word in _SUBJECT:  # that of the previous clause, or of the text
        people = (before, topic, *asked, *recent)
    elif word in _OBJECT:  # "him" is not the subject of its own clause
        people = (p for p in (topic, *recent, *asked) if p != subject)
    return next((p for p in people if p is not None and p.may_be(word)), None)


def _subject_of(s: ParsedSentence, i: int, found: dict[int, TextPerson]) -> TextPerson | None:
    """Return the subject of the clause that a word is in: its own, or the one it shares."""
    at = s.head(i)
    for _ in range(12):
        if at is None:
            return None
        subjects = [k for k in s.kids(at, *SUBJECTS) if k != i]
        if subjects:
            return found.get(subjects[0])
        at = s.head(at)
    return None
