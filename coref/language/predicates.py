"""Who does and undergoes what in one sentence, even where the subject belongs to another verb.

Coordinated verbs share their subject. "Tried to go" and "told him to go" show who goes, "laughing, she ran"
shows who laughs, and "the man who laughed" has the man as its subject.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from coref.language.parsed_sentence import ParsedSentence
from coref.language.word_lists import words

SUBJECTS = ("nsubj", "nsubj:pass")
OBJECTS = ("obj", "iobj")
_ANY_SUBJECT = (*SUBJECTS, "csubj", "csubj:pass", "expl")
_RELATIVE = frozenset(("who", "whom", "which", "that", "whose"))
_OBJECTIVE = frozenset(("him", "her", "me", "them", "us", "thee"))
_PASSIVE = frozenset(("be", "get", "become"))
_PREDICATES = frozenset(("VERB", "ADJ", "NOUN"))
_AMONG = frozenset(
    (
        "while",
        "when",
        "though",
        "although",
        "after",
        "before",
        "by",
        "in",
        "on",
        "without",
        "since",
        "as",
        "whilst",
    )
)
_NEAR = 4
"""How many words behind a verb of speech the speaker's name may stand: "said the good Mr. Holmes"."""
_MOST = 16
"""Limit for people in one position of a sentence and for predicates with a shared subject.

No real sentence has more.
"""


@dataclass(slots=True)
class PredicateFrame:
    """A predicate with the people around it."""

    word: int
    subjects: list[str] = field(default_factory=list)
    passive: bool = False
    objects: list[str] = field(default_factory=list)
    agents: list[str] = field(default_factory=list)


class Subjects:
    def __init__(self, sentence: ParsedSentence, who: Mapping[int, str]) -> None:
        self._s = sentence
        self._who = who

    def deeds(self) -> list[PredicateFrame]:
        """Return every predicate of the sentence that involves somebody, in order."""
        subjects: dict[int, list[str]] = {}
        for p in self._s:
            if self._s.tag(p) in _PREDICATES:
                self._own(p, subjects)
        for p in [p for p in self._s if p in subjects]:
            self._share(p, subjects)
        relevant = (p for p in self._s if p in subjects or self._s.tag(p) == "VERB")
        found = (self._deed(p, subjects.get(p, [])) for p in relevant)
        return [deed for deed in found if deed.subjects or deed.objects or deed.agents]

    def people(self, word: int) -> list[str]:
        """Return the people that a word refers to, with those coordinated with it: "Anna and Tom"."""
        found: list[str] = []
        waiting = [word]
        while waiting and len(found) < _MOST:
            at = waiting.pop(0)
            found += [self._who[at]] if at in self._who else []
            waiting += self._s.kids(at, "conj")[:_MOST]
        return list(dict.fromkeys(found))

    def is_passive(self, p: int) -> bool:
        s = self._s
        if s.word(p).endswith("ing"):
            return False
        if s.kids(p, "aux:pass"):
            return True
        if auxiliaries := s.kids(p, "aux", "cop"):
            return bool(s.kids(p, "nsubj:pass")) and s.lemma(auxiliaries[-1]) in _PASSIVE
        if s.kids(p, *_ANY_SUBJECT):
            return False  # whatever the parser says: the passive needs an auxiliary
        above = s.head(p)
        if s.relation(p) == "conj" and above is not None and s.kids(above, "aux:pass"):
            return self._participle(p)  # "was seized and thrown"
        return s.relation(p) in ("acl", "advcl") and self._participle(p)

    def _participle(self, p: int) -> bool:
        """Recognise `frightened`, but not `to go` or `going`."""
        s = self._s
        return s.tag(p) == "VERB" and s.word(p) != s.lemma(p) and not s.word(p).endswith(("ing", "s"))

    def _own(self, p: int, subjects: dict[int, list[str]]) -> None:
        s = self._s
        subject = self._subject(p)
        if subject is not None:
            subjects[p] = self._referents(p, subject)
        elif s.relation(p) == "acl" and s.tag(p) == "VERB" and not s.kids(p, "mark"):
            subjects[p] = self._above(p)  # "a man named Tom", "a woman carrying a basket"

    def _subject(self, p: int) -> int | None:
        subject = self._s.kid(p, *_ANY_SUBJECT)
        if subject is None:
            subject = self._behind(p)
        return self._before(p) if subject is None else subject

    def _before(self, p: int) -> int | None:
        """Find the subject of "Tom, turning white": in English only `whom` is an object before its verb."""
        s = self._s
        if s.tag(p) != "VERB" or s.relation(p) == "acl:relcl":
            return None
        before = (k for k in s.kids(p, "obj") if k < p and k in self._who)
        return next((k for k in before if s.word(k) not in _OBJECTIVE | _RELATIVE), None)

    def _behind(self, p: int) -> int | None:
        """Find the speaker in "“Indeed!” said Holmes", an object for parsers trained on newspapers."""
        s = self._s
        if s.word(p) not in words("speech_verbs") or (s.holds(p - 1) and s.tag(p - 1) != "PUNCT"):
            return None
        after = (k for k in s.kids(p, *OBJECTS) if p < k <= p + _NEAR and k in self._who)
        return next(after, None) if s.relation(p) not in ("acl", "amod", "xcomp") else None

    def _referents(self, p: int, word: int) -> list[str]:
        """Resolve a relative pronoun to the people that its clause modifies."""
        if self._s.word(word) in _RELATIVE and self._s.relation(p) == "acl:relcl":
            return self.people(word) or self._above(p)
        return self.people(word)

    def _above(self, p: int) -> list[str]:
        head = self._s.head(p)
        return [self._who[head]] if head is not None and head in self._who else []

    def _share(self, p: int, subjects: dict[int, list[str]]) -> None:
        waiting, shared = [p], 0
        while waiting and shared < _MOST:
            at = waiting.pop(0)
            for k in self._sharers(at):
                if k in subjects or shared >= _MOST:
                    continue
                subjects[k] = self._controller(at, k, subjects[at])
                waiting.append(k)
                shared += 1

    def _sharers(self, p: int) -> Iterator[int]:
        s = self._s
        for k in s.kids(p, "conj", "xcomp", "advcl"):
            if s.tag(k) not in _PREDICATES or s.kids(k, *_ANY_SUBJECT):
                continue
            if s.relation(k) == "conj" and s.tag(k) != "VERB" and s.tag(p) == "VERB" and not s.kids(k, "cop"):
                continue  # not a predicate
            if s.relation(k) == "advcl" and not self._hangs(k):
                continue
            yield k

    def _hangs(self, k: int) -> bool:
        """Accept clauses that share their subject: "Laughing, she ran", "after seeing it", "to see it"."""
        s = self._s
        if s.tag(k) != "VERB":
            return False
        marks = {s.word(m) for m in s.kids(k, "mark")}
        infinite = s.word(k).endswith("ing") or self._participle(k)
        return marks == {"to"} or (infinite and marks <= _AMONG and not s.kids(k, "aux", "cop"))

    def _controller(self, p: int, k: int, subjects: list[str]) -> list[str]:
        """Return the subject of an infinitive: in "told him to go" and "found him dead" it is the object."""
        s = self._s
        if s.relation(k) != "xcomp":
            return subjects
        if objects := [self.people(o) for o in s.kids(p, "obj")]:
            return objects[0]
        return subjects

    def _deed(self, p: int, subjects: list[str]) -> PredicateFrame:
        s = self._s
        passive = self.is_passive(p)
        agents = [a for k in s.kids(p, "obl:agent")[:_MOST] for a in self.people(k)]
        if passive and not agents:
            agents = [a for k in s.kids(p, "obl")[:_MOST] if s.case(k) == "by" for a in self.people(k)]
        subject = self._subject(p)
        things = [k for k in s.kids(p, *OBJECTS)[:_MOST] if k != subject]
        objects = [o for k in things for o in self._referents(p, k)]
        return PredicateFrame(p, subjects[:_MOST], passive, objects[:_MOST], agents[:_MOST])
