"""Answers about characters: estimates the cost, generates and checks an answer, and stores the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from coref.errors import CharacterUnknown
from db.repositories import CountRepository, PortraitRepository
from generation import serialise
from generation.answering import write
from generation.checking.overruling import identify
from generation.errors import DraftRejected
from generation.protocols import Audience
from generation.types import Plan, Portrait, Prompt, RejectedDraft, Task, Usage
from generation.writing.passage_selection import shown
from generation.writing.prompts import make_prompt
from retrieval.protocols import CountTokens, Retriever
from retrieval.types import Passage
from service.errors import TooManyCharacters
from service.observability import metrics
from service.services import Services
from service.shelf import View
from service.usecases import answer_request
from service.usecases.answer_request import Question, Wanted, settle
from service.usecases.characters import met, open_view, query_for
from service.usecases.fact_evidence import evidence_for
from service.usecases.reader_feedback import measured

JOINT_DEFAULT: Final = 6
JOINT_MOST: Final = 24
FALLBACK: Final = "offline"


@dataclass(frozen=True, slots=True)
class Answer:
    portrait: Portrait
    book_id: str
    book_title: str
    cached: bool
    whole: bool = True
    """False if a part of its evaluation was temporarily unavailable."""

    @property
    def lasting(self) -> bool:
        """Whether the answer may be cached. An answer that replaces a rejected one may not."""
        return self.whole and self.portrait.rejected is None


@dataclass(frozen=True, slots=True)
class Estimate:
    """The cost of an answer, estimated without a call."""

    question: Question
    plan: Plan
    passages: int
    kept: bool
    """The answer is stored already and costs nothing."""


def about(services: Services, view: View, *, name: str, task: Task, wanted: Wanted) -> Question:
    """Builds the request for a description or an analysis of one character."""
    return settle(services, view, task=task, people=(met(view, name),), wanted=wanted)


def about_several(services: Services, view: View, *, names: Sequence[str], wanted: Wanted) -> Question:
    """Builds the request for several characters in one answer; by default the main characters."""
    check_number(names)
    people = {person.id: person for person in (met(view, name) for name in names)}
    cast = tuple(people.values()) or view.annotations.characters[:JOINT_DEFAULT]
    if not cast:
        raise CharacterUnknown("No character has appeared in the chapters you have read.")
    return settle(services, view, task=Task.JOINT, people=cast, wanted=wanted)


def check_number(names: Sequence[str]) -> None:
    if len(names) > JOINT_MOST:
        raise TooManyCharacters(f"{len(names):,} characters were requested. The limit is {JOINT_MOST}.")


def describe(
    services: Services,
    *,
    library: str,
    book_id: str,
    name: str,
    task: Task = Task.DESCRIPTION,
    wanted: Wanted = Wanted(),
) -> Answer:
    view = open_view(services, library=library, book_id=book_id, upto=wanted.upto)
    return answer(services, about(services, view, name=name, task=task, wanted=wanted))


def joint(
    services: Services,
    *,
    library: str,
    book_id: str,
    names: Sequence[str] = (),
    wanted: Wanted = Wanted(),
) -> Answer:
    check_number(names)
    view = open_view(services, library=library, book_id=book_id, upto=wanted.upto)
    return answer(services, about_several(services, view, names=names, wanted=wanted))


def answer(services: Services, question: Question, *, audience: Audience | None = None) -> Answer:
    """Returns a stored or new answer and streams it. The offline answer replaces a rejected draft."""
    kept = None if question.refresh else _kept(services, question)
    if kept is not None:
        return _told(services, question, kept, audience=audience, cached=True)
    try:
        portrait, here = services.making.once(
            f"{question.view.record.id} {question.key}",
            lambda: _make(services, question, audience),
            audience=audience,
        )
    except DraftRejected as rejection:
        if not services.settings.offline_fallback:
            raise
        return _instead(services, question, rejection, audience)
    return _told(services, question, portrait, audience=None if here else audience, cached=False)


def estimate(services: Services, question: Question) -> Estimate:
    if not question.refresh and _kept(services, question) is not None:
        return Estimate(question, Plan(), passages=0, kept=True)
    prompt = _prompt(services, question)
    plan = question.generator.plan([prompt], question.limits)
    return Estimate(question, plan, passages=len(prompt.passages), kept=False)


def _told(
    services: Services, question: Question, portrait: Portrait, *, audience: Audience | None, cached: bool
) -> Answer:
    if audience is not None:
        audience.hear(portrait.text)
    view = question.view
    seen, whole = measured(services, view, portrait, key=question.key)
    return Answer(seen, view.record.id, view.book.title, cached=cached, whole=whole)


def _make(services: Services, question: Question, audience: Audience | None) -> Portrait:
    portrait = write(
        _prompt(services, question),
        generator=question.generator,
        judge=services.engines.judge,
        extractor=services.engines.extractor,
        limits=question.limits,
        evidence_for=evidence_for(services, question.view),
        provenance=question.provenance,
        audience=audience,
    )
    _count_tokens(portrait.provenance.generator, portrait.usage)
    with services.database.session() as session:
        PortraitRepository(session).put(
            question.view.record.id,
            question.key,
            task=question.task,
            characters=[person.id for person in question.people],
            payload=serialise.to_dict(portrait),
            facts=portrait.facts,
            fact_ids=[identify(fact.claim, upto=question.view.upto) for fact in portrait.facts],
            upto=question.view.upto,
        )
        CountRepository(session).add(
            day=datetime.now(UTC).date(),
            library=question.view.record.library,
            generator=portrait.provenance.generator,
            judge=portrait.provenance.judge,
            verdicts=[fact.verdict.label for fact in portrait.facts],
        )
    return portrait


def _count_tokens(generator: str, usage: Usage) -> None:
    engine = generator.partition("/")[0]
    spent = {"prompt": usage.prompt_tokens, "completion": usage.completion_tokens}
    for kind, tokens in spent.items():
        metrics.TOKENS.labels(generator=engine, kind=kind).inc(tokens)


def _instead(
    services: Services, question: Question, rejection: DraftRejected, audience: Audience | None
) -> Answer:
    """The offline answer with a note. It is stored under its own key, never under the key of the model."""
    if audience is not None:
        audience.again(rejection.detail)
    wanted = Wanted(generator=FALLBACK, words=question.limits.words, seed=question.limits.seed)
    asked = settle(services, question.view, task=question.task, people=question.people, wanted=wanted)
    offline = answer(services, asked, audience=audience)
    who = question.provenance.generator
    note = f"What {who} wrote was rejected, so this is the offline answer: {rejection.detail}"
    _count_tokens(who, rejection.usage)
    portrait = replace(
        offline.portrait,
        usage=offline.portrait.usage + rejection.usage,
        notes=(*offline.portrait.notes, note),
        rejected=RejectedDraft(generator=who, reason=rejection.detail),
    )
    return replace(offline, portrait=portrait, cached=False)


def _prompt(services: Services, question: Question) -> Prompt:
    prompt = make_prompt(
        question.view.book,
        task=question.task,
        annotations=question.view.annotations,
        characters=question.people,
        passages=_passages(services, question),
        upto=question.view.upto,
    )
    return replace(
        prompt,
        strategy=question.provenance.strategy,
        summary=question.summary,
        cast_list=question.cast_list,
    )


def _passages(services: Services, question: Question) -> Sequence[Passage]:
    """The passages that the strategy selects from the visible part of the book."""

    def find(name: str, count: CountTokens | None) -> Retriever:
        return question.view.retriever(
            name, embedder=services.engines.embedder, count_tokens=count, bm25=services.settings.bm25
        )

    retriever = question.provenance.retriever
    return shown(
        question.provenance.strategy,
        None if retriever == answer_request.NONE else retriever,
        find=find,
        generator=question.generator,
        task=question.task,
        limits=question.limits,
        query=query_for(
            question.view, question.people, k=question.passages, token_budget=question.token_budget
        ),
    )


def _kept(services: Services, question: Question) -> Portrait | None:
    with services.database.session(read_only=True) as session:
        payload = PortraitRepository(session).get(question.view.record.id, question.key)
    return serialise.from_dict(payload) if payload else None
