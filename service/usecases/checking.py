"""Check a text about a character against the book up to `upto`, in the same way as answers."""

from __future__ import annotations

from dataclasses import dataclass, replace

from books.languages import identify, name_of
from books.types import Span
from coref.types import Character
from db.types import ReferenceRecord
from generation.answering import examine
from generation.checking import prisma
from generation.checking.reference_comparison import drafted, spans
from generation.types import Fact, Prisma, Sentence, Task, Usage
from service.errors import ReferenceMissing
from service.library import Library
from service.shelf import View
from service.usecases.characters import met
from service.usecases.fact_evidence import context_about, evidence_retriever
from service.usecases.given_texts import clean
from service.usecases.reader_feedback import GATED, Remarks, beside, remarks

UNDERSTOOD = "en"


@dataclass(frozen=True, slots=True)
class Checked:
    view: View
    person: Character
    text: str
    """The text as it was checked, after cleaning."""
    spans: tuple[Span, ...]
    """The span of each sentence in it."""
    sentences: tuple[Sentence, ...]
    facts: tuple[Fact, ...]
    prisma: Prisma
    judge: str
    extractor: str
    notes: tuple[str, ...]
    usage: Usage
    """Cost of finding the facts with a language model."""


def check(
    library: Library,
    *,
    book_id: str,
    name: str,
    text: str,
    upto: str | None = None,
    judge: str | None = None,
    against: Task | None = None,
) -> Checked:
    """Return facts with verdicts, and PRISMA. `against`: also compare with the reference text of this task.

    Raises TextMissing, TextTooLong, JudgeUnavailable, ReferenceMissing.
    """
    plain = clean(text, what="text")
    services, view = library.services, library.view(book_id, upto)
    person, given = met(view, name), remarks(services, view)
    judging, finding = services.engines.judge_called(judge), services.engines.extractor
    reference = None if against is None else _reference(given, view, person, against)
    draft, context = drafted(plain), context_about(view, [person])
    looking = evidence_retriever(services, view)
    examined = examine(draft, context=context, judge=judging, retriever=looking, extractor=finding)
    facts = given.on(examined.facts, view)
    scored, notes = prisma.score(facts), (*_language(plain), *examined.notes)
    if reference is not None and view.upto is not None:
        notes = (*notes, GATED)
    elif reference is not None:
        said = draft.sentences
        found, more = beside(services, view, person, said, facts, reference=reference, judge=judging)
        scored, notes = replace(scored, reference=found), (*notes, *more)
    return Checked(
        view=view,
        person=person,
        text=plain,
        spans=tuple(spans(plain)),
        sentences=draft.sentences,
        facts=facts,
        prisma=scored,
        judge=judging.name,
        extractor=finding.name,
        notes=notes,
        usage=examined.usage,
    )


def _reference(given: Remarks, view: View, person: Character, task: Task) -> ReferenceRecord:
    found = given.reference(view, person.id, task)
    if found is None:
        raise ReferenceMissing(f"There is no reference text for the {task.value} of {person.name}.")
    return found


def _language(text: str) -> tuple[str, ...]:
    code = identify(text)
    if code in (None, UNDERSTOOD):
        return ()
    assert code is not None
    return (f"The text seems to be in {name_of(code)}. Facts are found in English, so this says little.",)
