"""Find the content of a sentence: its content words, its people, and who does what."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import pairwise

from books.types import Span
from generation.checking.categories import is_verb
from generation.checking.judges import person_slots
from generation.checking.judges.person_slots import CodedSentence, PersonSlot, encode, part_of
from generation.checking.judges.sentence_relations import SentenceRelation, relations
from generation.checking.types import Evidence
from generation.lexicon import rows, words
from generation.types import Claim, NamedSpan
from generation.verbs import participle_base, stem
from retrieval import sentences

_TOKEN = re.compile(rf"[{person_slots.ANY}]|[^\W_]+(?:[-’'][^\W_]+)*|--|[,;:.!?—]")
_NUMBER = re.compile(r"\d+|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)-[a-z]+")
_CHAPTER = re.compile(r" in chapter (\d+)\.?$")
_REVERSED = re.compile(r"(?P<ones>[a-z]+)-and-(?P<tens>[a-z]+)")
_AGE = frozenset({stem("years"), stem("year"), "old", stem("age"), stem("aged")})
"""Words that may be added to a number or left out."""
KIN_STEM = 5
_BOUNDARY = frozenset({".", ";", ":", "!", "?", "—", "--"})


@dataclass(frozen=True)
class SentenceContent:
    """One sentence, of a claim or of the book."""

    line: CodedSentence
    tokens: tuple[str, ...] = field(default=())

    @cached_property
    def stems(self) -> dict[str, list[int]]:
        """Positions of each content word by its stem."""
        found: dict[str, list[int]] = {}
        for at, token in enumerate(self.tokens):
            if len(token) > 1 and token[0].isalnum() and token.lower() not in words("stop_words"):
                found.setdefault(stem(_number(token)), []).append(at)
        if self.numbers:
            found = {word: places for word, places in found.items() if word not in _AGE}
        return found

    def find(self, word: str) -> list[int]:
        """Return the positions of a stem or of a synonym."""
        same = (at for other in alike(word) for at in self.stems.get(other, ()))
        return self.stems.get(word) or sorted({*same, *self._relatives(word)})

    def _relatives(self, word: str) -> Iterator[int]:
        """Yield the positions of stems that differ only at the end, such as "calculation" and "calculate"."""
        if len(word) >= KIN_STEM:
            for other, places in self.stems.items():
                if other[:KIN_STEM] == word[:KIN_STEM] and abs(len(other) - len(word)) <= 3:
                    yield from places

    @cached_property
    def people(self) -> frozenset[str]:
        return frozenset(s.character for s in self.line.slots)

    @cached_property
    def relations(self) -> list[SentenceRelation]:
        return list(relations(self.line))

    @cached_property
    def numbers(self) -> frozenset[str]:
        low = [_number(t.lower()) for t in self.tokens]
        return frozenset(t for t in low if _NUMBER.fullmatch(t) or t in words("numbers"))

    def negated(self, at: int) -> bool:
        """Whether a word is in the scope of a "not" in its own clause."""
        for before in range(at - 1, max(-1, at - 7), -1):
            token = self.tokens[before].lower()
            if token in words("negations") or token.endswith(("n't", "n’t")):
                return True
            if token in _BOUNDARY or token in ("but", "and", ","):
                return False
        return False

    def passive(self, at: int) -> bool:
        """Whether a word is a participle shortly after a form of "be", as in "was refused"."""
        before = [t.lower() for t in self.tokens[max(0, at - 3) : at]]
        form = participle_base(self.tokens[at].lower()) is not None
        return form and any(t in ("was", "were", "is", "are", "been", "be", "being") for t in before)

    def agent(self, at: int) -> str | None:
        """Return the nearest subject before a word, else the nearest person before or directly after it."""
        nearest: str | None = None
        if self.tokens[at].lower() in words("qualities") and (owner := self._owner(at)):
            return owner
        for before in range(at - 1, -1, -1):
            slot = self._slot(before)
            if slot is None or self._owns(before):
                continue
            nearest = nearest or slot.character
            if slot.part == "subject" or self._acts(before):
                return slot.character
        return nearest or next((s.character for s in map(self._slot, range(at + 1, at + 4)) if s), None)

    def after(self, at: int) -> frozenset[str]:
        """Return the people named after a word."""
        return frozenset(s.character for s in map(self._slot, range(at + 1, len(self.tokens))) if s)

    def _slot(self, at: int) -> PersonSlot | None:
        if at >= len(self.tokens) or not is_slot(self.tokens[at]):
            return None
        return self.line.slot(self.tokens[at])

    def _owns(self, at: int) -> bool:
        slot = self._slot(at)
        following = self.tokens[at + 1] if at + 1 < len(self.tokens) else ""
        return slot is not None and (slot.part == "possessor" or following in ("s", "’s", "'s"))

    def _owner(self, at: int) -> str | None:
        """Return the possessor of a noun, as in "his pride"."""
        for before in range(max(0, at - 3), at):
            slot = self._slot(before)
            if slot is not None and self._owns(before):
                return slot.character
        return None

    def _acts(self, at: int) -> bool:
        """Whether a finite verb follows a name, ignoring adverbs."""
        for token in self.tokens[at + 1 : at + 4]:
            if is_verb(token.lower()):
                return True
            if not (
                token.lower().endswith("ly") or token in (",", "who") or token.lower() in words("adverbs")
            ):
                return False
        return False


def read_claim(claim: Claim) -> tuple[SentenceContent, int | None]:
    """Return the claim's content, and the chapter that it mentions, counted from 0."""
    match = _CHAPTER.search(claim.text)
    text = claim.text[: match.start()] if match else claim.text.rstrip(".")
    reading = _read(text, Span(0, len(text)), claim.people, claim.subject, chapter=0, base=0)
    return reading, int(match.group(1)) - 1 if match else None


def read_evidence(evidence: Evidence, claim: Claim) -> Iterator[SentenceContent]:
    """Yield the content of each sentence. If its people are not known, the claim's names are searched for."""
    named = _people(evidence, claim)
    for span in sentences.split(evidence.text):
        yield _read(
            evidence.text, span, named, claim.subject, chapter=evidence.chapter, base=evidence.span.start
        )


def read_pairs(evidence: Evidence, claim: Claim) -> Iterator[SentenceContent]:
    """Yield the content of each two consecutive sentences, since a fact may extend into the next sentence."""
    named = _people(evidence, claim)
    spans = sentences.split(evidence.text)
    for one, other in pairwise(spans):
        both = Span(one.start, other.end)
        yield _read(
            evidence.text, both, named, claim.subject, chapter=evidence.chapter, base=evidence.span.start
        )


@cache
def alike(word: str) -> frozenset[str]:
    """Return the synonyms of a stem."""
    return frozenset(stem(w) for row in rows("synonyms") if word in map(stem, row) for w in row) - {word}


def _number(token: str) -> str:
    """Return a number with its tens first: "six-and-thirty" becomes "thirty-six"."""
    match = _REVERSED.fullmatch(token.lower())
    return f"{match['tens']}-{match['ones']}" if match else token


def is_slot(token: str) -> bool:
    return len(token) == 1 and person_slots.NAME[0] <= token <= person_slots.OTHER_REFLEXIVE[-1]


def _people(evidence: Evidence, claim: Claim) -> list[NamedSpan]:
    if evidence.named is not None and len(evidence.text) == len(evidence.span):
        start = evidence.span.start
        return [
            NamedSpan(Span(n.span.start - start, n.span.end - start), n.character) for n in evidence.named
        ]
    found: dict[int, NamedSpan] = {}
    for named in claim.people:
        for match in re.finditer(rf"\b{re.escape(named.span.of(claim.text))}\b", evidence.text):
            found.setdefault(match.start(), NamedSpan(Span(*match.span()), named.character))
    return [found[at] for at in sorted(found)]


def _read(
    text: str, span: Span, named: Sequence[NamedSpan], subject: str | None, *, chapter: int, base: int
) -> SentenceContent:
    inside = [n for n in named if span.covers(n.span)][: person_slots.ROOM]
    placed = tuple(_slot(text, n, subject) for n in inside)
    coded = encode(text, span, placed)
    where = Span(base + span.start, base + span.end)
    line = CodedSentence(where, chapter, coded, placed)
    return SentenceContent(line, tuple(_TOKEN.findall(coded)))


def _slot(text: str, named: NamedSpan, subject: str | None) -> PersonSlot:
    surface = named.span.of(text)
    part = part_of(surface, text[named.span.end : named.span.end + 24])
    return PersonSlot(named.span, named.character, named.character == subject, part)
