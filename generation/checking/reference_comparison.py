"""Compare an answer with a reference text: find the facts that each of them shares with the other.

Each text is the evidence for the facts of the other. Nothing else is evidence: neither the sentences of the
book that an answer cites, nor numbers counted in the book.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from books.types import Span
from coref.types import Character
from generation.checking.protocols import Extractor, Judge
from generation.checking.types import Case, Evidence
from generation.story.cast import cast_of
from generation.story.named_people import PRONOUN, Names, agrees
from generation.types import (
    Category,
    Claim,
    Compared,
    Context,
    Draft,
    Label,
    NamedSpan,
    Reference,
    Sentence,
)
from retrieval import sentences
from retrieval.tokenizer import terms

LONGEST: Final = 1_000
"""Maximum length of a sentence in characters. A longer one is split."""
TOGETHER: Final = 3
"""Sentences in a passage, since one sentence may need the next to be understood."""
NEAREST: Final = 4
"""Number of passages, and of facts, of the other text on which a fact is judged."""
_PARAGRAPH: Final = re.compile(r"\n[^\S\n]*\n\s*")
_PLACED: Final = re.compile(r" in chapter \d+\.?$")
"""Chapter references, which are removed: a reference text rarely gives the chapter of an event."""


def drafted(text: str) -> Draft:
    """Return the draft of a given text."""
    return Draft(tuple(Sentence(sentences.flat(span.of(text)), ()) for span in spans(text)), "given")


def spans(text: str) -> list[Span]:
    """Return the spans of a text's sentences. None contains an empty line or exceeds the maximum length."""
    ends = [m.end() for m in _PARAGRAPH.finditer(text)]
    paragraphs = map(Span, [0, *ends], [*ends, len(text)])
    found = (sentence for paragraph in paragraphs for sentence in sentences.split(text, paragraph))
    return [piece for sentence in found for piece in _pieces(text, sentence)]


def _pieces(text: str, span: Span) -> Iterator[Span]:
    while len(span) > LONGEST:
        space = text.rfind(" ", span.start + 1, span.start + LONGEST)
        end = space if space > 0 else span.start + LONGEST
        yield Span(span.start, end)
        span = Span(end + (space > 0), span.end)
    if len(span):
        yield span


def compare(
    said: Sequence[Sentence],
    claims: Sequence[Claim],
    *,
    text: str,
    source: str,
    context: Context,
    judge: Judge,
    extractor: Extractor,
) -> tuple[Reference, tuple[str, ...]]:
    """Return the comparison, and the remarks of the extractor on the reference.

    `said` and `claims` belong to the answer, and `text` is the reference. The context has the book's people.
    """
    reference = drafted(text)
    extracted = extractor.extract(reference, context)
    wanted = extracted.claims
    borne_out = _held(claims, _ReferenceText.of(reference.sentences, wanted, context), judge)
    found = _held(wanted, _ReferenceText.of(said, claims, context), judge)
    by_category = {
        category: compared
        for category in Category
        if (compared := _compare(claims, borne_out, wanted, found, category)) != Compared(0, 0, 0, 0)
    }
    whole = _compare(claims, borne_out, wanted, found, None)
    return Reference(source, whole, by_category), extracted.notes


def _compare(
    claims: Sequence[Claim],
    borne_out: Sequence[bool],
    wanted: Sequence[Claim],
    found: Sequence[bool],
    category: Category | None,
) -> Compared:
    ours = [held for claim, held in zip(claims, borne_out, strict=True) if category in (None, claim.category)]
    theirs = [held for claim, held in zip(wanted, found, strict=True) if category in (None, claim.category)]
    return Compared(borne_out=sum(ours), said=len(ours), found=sum(theirs), wanted=len(theirs))


def _held(claims: Sequence[Claim], told: _ReferenceText, judge: Judge) -> list[bool]:
    bare = [_bare(claim) for claim in claims]
    verdicts = judge.judge([Case(claim, passages=tuple(told.near(claim))) for claim in bare])
    return [verdict.label is Label.SUPPORTED for verdict in verdicts]


def _bare(claim: Claim) -> Claim:
    """Return the claim without its chapter, citations and counts."""
    text = _PLACED.sub(".", claim.text)
    people = tuple(n for n in claim.people if n.span.end <= len(text))
    return replace(claim, text=text, people=people, citations=(), counted=None, composed=False)


@dataclass(frozen=True, slots=True)
class _Passage:
    evidence: Evidence
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class _ReferenceText:
    """A text as evidence: its sentences in groups, and its facts, which have names in place of pronouns."""

    passages: Sequence[_Passage]
    facts: Sequence[_Passage]

    @classmethod
    def of(cls, said: Sequence[Sentence], claims: Sequence[Claim], context: Context) -> _ReferenceText:
        passages = _passages(said, claims, context)
        return cls(passages, _facts(claims, after=passages))

    def near(self, claim: Claim) -> list[Evidence]:
        words = frozenset(terms(claim.text))

        def nearest(among: Sequence[_Passage]) -> list[Evidence]:
            return [p.evidence for p in sorted(among, key=lambda p: -len(words & p.words))[:NEAREST]]

        return nearest(self.passages) + nearest(self.facts)


def _facts(claims: Sequence[Claim], *, after: Sequence[_Passage]) -> list[_Passage]:
    """Return each fact alone, as if it followed the text."""
    start = after[-1].evidence.span.end + 1 if after else 0
    made: list[_Passage] = []
    for claim in map(_bare, claims):
        named = tuple(_moved(n, start) for n in claim.people)
        span = Span(start, start + len(claim.text))
        made.append(_passage(Evidence(span, 0, claim.text, named=named)))
        start = span.end + 1
    return made


def _passage(evidence: Evidence) -> _Passage:
    return _Passage(evidence, frozenset(terms(evidence.text)))


def _passages(said: Sequence[Sentence], claims: Sequence[Claim], context: Context) -> list[_Passage]:
    """Return the sentences of a text in groups. Spans are offsets from its beginning."""
    cast = cast_of(context.book, context.annotations)
    names = Names(cast.annotations.characters)
    subjects = _subjects(claims)
    made: list[_Passage] = []
    start = 0
    for first in range(0, len(said), TOGETHER):
        text, named = "", list[NamedSpan]()
        for at in range(first, min(first + TOGETHER, len(said))):
            text += " " if text else ""
            there = [
                *names.find(said[at].text),
                *_pronouns(said[at].text, cast.by_id.get(subjects.get(at, ""))),
            ]
            named += (_moved(n, start + len(text)) for n in there)
            text += said[at].text
        span = Span(start, start + len(text))
        kept = tuple(sorted(named, key=lambda n: n.span))
        made.append(_passage(Evidence(span, 0, text, named=kept)))
        start = span.end + 1
    return made


def _subjects(claims: Sequence[Claim]) -> dict[int, str]:
    """Return the subject of each sentence, which is that of its first claim."""
    found: dict[int, str] = {}
    for claim in claims:
        if claim.subject is not None:
            found.setdefault(claim.sentence, claim.subject)
    return found


def _pronouns(text: str, subject: Character | None) -> Iterator[NamedSpan]:
    """Yield the pronouns that may refer to the subject of the sentence."""
    if subject is None or subject.pronouns is None:
        return
    for match in PRONOUN.finditer(text):
        if agrees(match.group(), subject):
            yield NamedSpan(Span(*match.span()), subject.id)


def _moved(named: NamedSpan, by: int) -> NamedSpan:
    return NamedSpan(Span(named.span.start + by, named.span.end + by), named.character)
