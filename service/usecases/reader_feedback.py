"""Feedback of readers in the evaluation of an answer: changed verdicts, and reference texts.

Both are applied to an answer after it was generated and stored, never before: feedback must not cause an
answer to be generated again, least of all by a paid language model. The cost of a comparison is stored with
the answer, under the hash of the text and of the engines that compared.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from books.errors import BookwormError
from coref.types import Character
from db.repositories import (
    BookRepository,
    OverrulingRepository,
    PortraitRepository,
    ReferenceRepository,
)
from db.types import OverrulingRecord, ReferenceRecord
from generation import serialise
from generation.checking import prisma
from generation.checking.overruling import Overruling, overrule
from generation.checking.protocols import Judge
from generation.checking.reference_comparison import compare
from generation.types import Fact, Portrait, Reference, Sentence, Task
from service.services import Services
from service.shelf import View
from service.usecases import references
from service.usecases.fact_evidence import context_about
from service.usecases.merged_characters import Heirs

GATED = "There is a reference text. It may tell more than you have read, so the answer was not compared."


@dataclass(frozen=True, slots=True)
class Remarks:
    """The feedback of readers on the answers about a book."""

    overrulings: Sequence[OverrulingRecord]
    references: Sequence[ReferenceRecord]

    def on(self, facts: Sequence[Fact], view: View) -> tuple[Fact, ...]:
        """The facts with changed verdicts, as far as a reader of this view may know them."""
        if not self.overrulings:
            return overrule(facts, (), upto=view.upto)
        heirs = Heirs(view.annotations, view.whole_log)
        given = (_overruling(record, heirs) for record in self.overrulings)
        return overrule(facts, given, upto=view.upto)

    def reference(self, view: View, character: str, task: Task) -> ReferenceRecord | None:
        if not self.references:
            return None
        kept = references.kept(self.references, view.annotations, view.whole_log)
        found = references.counting(kept, character, task)
        return found.record if found else None


def counted(services: Services, view: View) -> int:
    """A number that changes whenever the evaluation of an answer about the book may change."""
    with services.database.session(read_only=True) as session:
        return BookRepository(session).remarks(view.record.id)


def remarks(services: Services, view: View) -> Remarks:
    book_id = view.record.id
    with services.database.session(read_only=True) as session:
        return Remarks(
            OverrulingRepository(session).of_book(book_id),
            ReferenceRepository(session).of_book(book_id),
        )


def measured(services: Services, view: View, portrait: Portrait, *, key: str) -> tuple[Portrait, bool]:
    """The stored answer with feedback; False if a part of the evaluation is temporarily unavailable."""
    given = remarks(services, view)
    facts = given.on(portrait.facts, view)
    seen = replace(portrait, facts=facts, prisma=prisma.score(facts))
    if len(portrait.characters) != 1 or portrait.task is Task.JOINT:
        return seen, True
    (person,) = portrait.characters
    reference = given.reference(view, person.id, portrait.task)
    if reference is None:
        return seen, True
    if view.upto is not None:
        return replace(seen, notes=(*seen.notes, GATED)), True
    try:
        found, notes = _kept_or_compared(services, view, seen, reference, key=key)
    except BookwormError as error:
        note = f"The answer could not be compared with its reference text: {error.detail}"
        return replace(seen, notes=(*seen.notes, note)), False
    scored = replace(seen.prisma, reference=found)
    return replace(seen, prisma=scored, notes=(*seen.notes, *notes)), True


def beside(
    services: Services,
    view: View,
    person: Character,
    sentences: Sequence[Sentence],
    facts: Sequence[Fact],
    *,
    reference: ReferenceRecord,
    judge: Judge,
) -> tuple[Reference, tuple[str, ...]]:
    """Compares sentences and their facts with a reference. Returns the result and notes."""
    return compare(
        sentences,
        [fact.claim for fact in facts],
        text=reference.text,
        source=reference.source,
        context=context_about(view, [person]),
        judge=judge,
        extractor=services.engines.extractor,
    )


def _kept_or_compared(
    services: Services, view: View, portrait: Portrait, reference: ReferenceRecord, *, key: str
) -> tuple[Reference, tuple[str, ...]]:
    judge = services.engines.judge
    made_of = _hash(reference.text, reference.source, judge.name, services.engines.extractor.name)
    with services.database.session(read_only=True) as session:
        payload = PortraitRepository(session).comparison(view.record.id, key, made_of=made_of)
    if payload is not None:
        return serialise.reference_from_dict(payload["reference"]), tuple(payload["notes"])
    compared, _ = services.making.once(
        f"{view.record.id} {key} {made_of}",
        lambda: _compared(services, view, portrait, reference, judge=judge, key=key, made_of=made_of),
    )
    assert compared.prisma.reference is not None
    return compared.prisma.reference, compared.notes


def _compared(
    services: Services,
    view: View,
    portrait: Portrait,
    reference: ReferenceRecord,
    *,
    judge: Judge,
    key: str,
    made_of: str,
) -> Portrait:
    """Adds the notes to the answer, and stores it if the answer is still stored."""
    (person,) = portrait.characters
    found, notes = beside(
        services, view, person, portrait.sentences, portrait.facts, reference=reference, judge=judge
    )
    payload = {"reference": serialise.reference_to_dict(found), "notes": list(notes)}
    with services.database.session() as session:
        PortraitRepository(session).compared(view.record.id, key, made_of=made_of, payload=payload)
    return replace(portrait, prisma=replace(portrait.prisma, reference=found), notes=notes)


def _overruling(record: OverrulingRecord, heirs: Heirs) -> Overruling:
    fact = record.fact
    subject = heirs.of(fact.subject, record.name) if fact.subject else None
    return Overruling(subject or fact.subject, fact.text, record.label, fact.upto)


def _hash(*parts: str) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
