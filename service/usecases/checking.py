"""Any text about a character, checked against the gated book as answers are: nothing of it is generated."""

from __future__ import annotations

from dataclasses import dataclass, replace

from books.languages import identify, name_of
from books.types import Span
from coref.types import Character
from generation import prisma
from generation.comparing import drafted, spans
from generation.portraits import check as facts_of
from generation.prompts import make_prompt
from generation.types import Fact, Prisma, Sentence, Task
from service.errors import ReferenceMissing
from service.services import Services
from service.shelf import View
from service.usecases.characters import met, open_view
from service.usecases.facts import evidence_for, extractor
from service.usecases.measuring import GATED, beside, remarks
from service.usecases.texts import clean

UNDERSTOOD = "en"


@dataclass(frozen=True, slots=True)
class Checked:
    view: View
    person: Character
    text: str
    """As it was read: cleaned."""
    spans: tuple[Span, ...]
    """Where each of the sentences stands in it."""
    sentences: tuple[Sentence, ...]
    facts: tuple[Fact, ...]
    prisma: Prisma
    judge: str
    extractor: str
    notes: tuple[str, ...]


def check(
    services: Services,
    *,
    library: str,
    book_id: str,
    name: str,
    text: str,
    upto: str | None = None,
    judge: str | None = None,
    against: Task | None = None,
) -> Checked:
    """Facts with verdicts, and PRISMA. `against`: compare with the reference text of this task, too.

    Raises TextMissing, TextTooLong, JudgeUnavailable, ReferenceMissing.
    """
    plain = clean(text, what="text")
    view = open_view(services, library=library, book_id=book_id, upto=upto)
    person = met(view, name)
    judging, finding = services.engines.judge_called(judge), extractor(services)
    task = against or Task.DESCRIPTION
    prompt = make_prompt(
        view.book, task=task, annotations=view.annotations, characters=[person], upto=view.upto
    )
    draft = drafted(plain)
    facts = facts_of(draft, prompt=prompt, judge=judging, evidence_for=evidence_for(services, view))
    given = remarks(services, view)
    facts = given.on(facts, view)
    scored, notes = prisma.score(facts), list(_language(plain))
    if against is not None and view.upto is not None:
        notes.append(GATED)
    elif against is not None:
        reference = given.reference(view.annotations, person.id, against)
        if reference is None:
            raise ReferenceMissing(f"There is no reference text for the {against.value} of {person.name}.")
        found, more = beside(
            services,
            view,
            person=person,
            sentences=draft.sentences,
            facts=facts,
            reference=reference,
            judge=judging,
        )
        scored, notes = replace(scored, reference=found), [*notes, *more]
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
        notes=tuple(notes),
    )


def _language(text: str) -> tuple[str, ...]:
    code = identify(text)
    if code in (None, UNDERSTOOD):
        return ()
    assert code is not None
    return (f"The text seems to be in {name_of(code)}. Facts are found in English, so this says little.",)
